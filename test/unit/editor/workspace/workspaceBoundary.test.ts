import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Uri, workspace } from '../../../support/editorStub.ts';
import { startCpu } from '../../../support/growth.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { isInsideWorkspace } = await withEditorStub(
  () => import('../../../../src/editor/workspace/workspaceBoundary.ts'),
);

const fileOf = (path: string) => Object.assign(new Uri(path), { scheme: 'file', fsPath: path });

describe('A link that leads to itself', () => {
  restoreAfterEach(workspace);
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'k3-loop-')));
    Object.assign(workspace, { workspaceFolders: [{ uri: fileOf(root) }] });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is itself at once, however often it names itself', async () => {
    symlinkSync('loop/'.repeat(60), join(root, 'loop'));
    const worked = startCpu();
    for (const path of ['loop', 'loop/a'].map((name) => join(root, name)))
      assert.deepEqual(await isInsideWorkspace(fileOf(path) as never), { inside: true, realPath: path });
    assert.ok(worked() < 500, `${worked()} ms`);
  });
});
