import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, EventEmitter, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createShownSymbols } = await withEditorStub(
  () => import('../../../../src/editor/workspace/shownSymbols.ts'),
);

describe('A symbol that the chat shows and the editor doesn’t know', () => {
  restoreAfterEach(commands, workspace);

  it('is asked about again when a folder is added to the workspace', async () => {
    const never = () => ({ dispose: () => undefined });
    const folders = new EventEmitter<void>();
    const asked: unknown[] = [];
    Object.assign(workspace, {
      createFileSystemWatcher: () => ({
        ...never(),
        onDidCreate: never,
        onDidChange: never,
        onDidDelete: never,
      }),
      onDidChangeWorkspaceFolders: folders.event,
    });
    Object.assign(commands, { executeCommand: async (_: string, name: string) => asked.push(name) && [] });
    const symbols = createShownSymbols();
    for (let times = 0; times < 2; times++) assert.deepEqual(await symbols.filterKnown(['Invoice']), []);
    assert.deepEqual(asked, ['Invoice']);
    folders.fire();
    await symbols.filterKnown(['Invoice']);
    symbols.dispose();
    assert.deepEqual(asked, ['Invoice', 'Invoice']);
  });
});
