/** Looks at the disk take their time, and can be asked for at the same time. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FileProposal } from '../../../../src/review/proposals/proposal.ts';
import { EventEmitter, FileSystemError, FileType, Uri, workspace } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createMissingFiles } = await withEditorStub(
  () => import('../../../../src/editor/proposals/missingFiles.ts'),
);

const URI = 'file:///a.txt';

describe('A file under review that was deleted and is back', () => {
  const before = { ...workspace };
  let isThere: boolean;
  /** How long each look takes, in milliseconds. */
  let times: number[];
  let looks: number;
  let ended: number;
  let file: Pick<FileProposal, 'uri' | 'isNew' | 'missing'>;
  let events: Record<'created' | 'changed' | 'deleted', EventEmitter<Uri>>;
  let missing: ReturnType<typeof createMissingFiles>;

  beforeEach(async () => {
    isThere = true;
    times = [];
    looks = 0;
    ended = 0;
    file = { uri: URI, isNew: false, missing: false };
    events = { created: new EventEmitter(), changed: new EventEmitter(), deleted: new EventEmitter() };
    Object.assign(workspace, {
      createFileSystemWatcher: (_: string, ...ignored: boolean[]) => ({
        onDidCreate: ignored[0] ? () => undefined : events.created.event,
        onDidChange: ignored[1] ? () => undefined : events.changed.event,
        onDidDelete: ignored[2] ? () => undefined : events.deleted.event,
        dispose: () => undefined,
      }),
      onDidCreateFiles: () => undefined,
      fs: {
        isWritableFileSystem: () => true,
        async stat() {
          looks++;
          const found = isThere;
          await new Promise((resolve) => setTimeout(resolve, times.shift() ?? 0));
          ended++;
          if (!found) throw new FileSystemError('FileNotFound');
          return { type: FileType.File };
        },
      },
    });
    missing = createMissingFiles({
      proposals: {
        underReview: () => [{ proposal: { id: 'p' }, file }],
        change(_id: string, _uri: string, change: (one: typeof file) => typeof file) {
          file = change(file);
        },
      },
      log: { warn: assert.fail },
    } as never);
    await looked(1);
  });
  afterEach(() => {
    for (const name of ['createFileSystemWatcher', 'onDidCreateFiles', 'fs'])
      Reflect.deleteProperty(workspace, name);
    Object.assign(workspace, before);
  });

  /** Waits until so many looks have ended, and what follows from them. */
  async function looked(count: number): Promise<void> {
    await eventually(() => assert.equal(ended, count));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it('is not marked by a look that began before and takes longer', async () => {
    times = [40, 0];
    isThere = false;
    events.deleted.fire(Uri.parse(URI));
    await new Promise(setImmediate);
    isThere = true;
    events.created.fire(Uri.parse(URI));
    await looked(3);
    assert.equal(file.missing, false);
  });

  it('is found when the editor reports only that it changed, because both happened at once', async () => {
    isThere = false;
    assert.equal(await missing.isMissing(URI), true);
    assert.equal(file.missing, true);
    isThere = true;
    events.changed.fire(Uri.parse(URI));
    await looked(3);
    assert.equal(file.missing, false);
  });

  it('is not looked for with every change of a file that is there', async () => {
    const first = looks;
    events.changed.fire(Uri.parse(URI));
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(looks, first);
  });
});
