import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createConversation } from '../../../../src/conversation/edits.ts';
import { toExport } from '../../../../src/history/exportFormat.ts';
import { window, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createConversationFiles } = await withEditorStub(
  () => import('../../../../src/editor/conversations/conversationFiles.ts'),
);

describe('The import of conversations', () => {
  const original = { ...window };
  let told: string[];

  beforeEach(() => {
    told = [];
    const files: Record<string, string> = {
      '/a.json': toExport(createConversation('a', 0, 'A', undefined), 0),
      '/c.json': toExport(createConversation('c', 0, 'C', undefined), 0),
    };
    Object.assign(window, {
      showOpenDialog: async () => ['/a.json', '/gone.json', '/c.json'].map((path) => ({ path })),
      showErrorMessage: async (message: string) => void told.push(message),
      showInformationMessage: async (message: string) => void told.push(message),
    });
    Object.assign(workspace, {
      fs: {
        readFile: async ({ path }: { path: string }) =>
          files[path] === undefined ? Promise.reject(new Error('no access')) : Buffer.from(files[path]),
      },
    });
  });
  afterEach(() => {
    Object.assign(window, original);
    Reflect.deleteProperty(workspace, 'fs');
  });

  it('goes on after a file that can’t be read, names it, and says how many were imported', async () => {
    const imported: string[] = [];
    const files = createConversationFiles({
      conversations: {
        addImported: ({ id }: { id: string }) => ({ id: imported[imported.push(id) - 1], isNew: true }),
        open: () => true,
      },
    } as never);
    await files.importFiles();
    assert.deepEqual(imported, ['a', 'c']);
    assert.deepEqual(told, [
      'gone.json can’t be read: no access. Nothing was imported.',
      '2 conversations were imported.',
    ]);
  });
});
