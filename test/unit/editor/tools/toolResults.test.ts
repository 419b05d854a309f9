import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Uri, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerToolResults } = await withEditorStub(
  () => import('../../../../src/editor/tools/toolResults.ts'),
);

describe('The document of a result', () => {
  restoreAfterEach(Uri, window, workspace);

  /** The path of the document. */
  async function pathOf(text: string): Promise<string> {
    let path = '';
    Object.assign(Uri, { from: (uri: object) => uri });
    Object.assign(window, { showTextDocument: async () => undefined });
    Object.assign(workspace, {
      openTextDocument: async (uri: { readonly path: string }) => {
        path = uri.path;
      },
    });
    const found = {
      conversation: { id: 'c1' },
      turn: { rounds: [{ toolCalls: [{ name: 'run', result: { text } }] }] },
    };
    const results = registerToolResults({
      get: () => undefined,
      find: () => found as never,
      onDidChange: () => ({ dispose: () => undefined }),
    });
    await results.open({ turnId: 't1', round: 0, index: 0 });
    results.dispose();
    return path;
  }

  for (const text of ['{"a":1}', ' [{"$schema":"https://json.example/"}]'])
    it(`is JSON: ${text}`, async () => assert.match(await pathOf(text), /\.json$/));

  for (const text of [
    '[a',
    '{"$schema":"https://thief.example/"}',
    '{"\\u0024schema":"https://thief.example/"}',
  ])
    it(`is text if it isn’t JSON, or names a schema that the editor would get: ${text}`, async () =>
      assert.match(await pathOf(text), /\.txt$/));
});
