import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { textDocuments, Uri } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toRemark } = await withEditorStub(() => import('../../../../src/editor/proposals/remarkReplies.ts'));

const URI = Uri.parse('file:///code.txt');

describe('A comment on a line', () => {
  afterEach(() => {
    textDocuments.length = 0;
  });

  function writtenIn(text: string, quote: string) {
    const lineAt = () => ({ range: { end: {} } });
    const getText = (range?: object) => (range === undefined ? text : quote);
    textDocuments.push({ uri: URI, isClosed: false, lineCount: 9, lineAt, getText });
    const range = { start: { line: 1, with: () => ({}) }, end: { line: 1 }, with: () => ({}) };
    const reply = { thread: { uri: URI, range }, text: 'Why?' } as never;
    return toRemark(reply, undefined, { ofFile: () => [] });
  }

  it('knows that another line is the same, which isn’t taken for it when its own one changes', () => {
    assert.equal(writtenIn('one\r\ntwo\r\ntwo\r\n', 'two').isRepeated, true);
    textDocuments.length = 0;
    assert.equal(writtenIn('one\ntwo\ntwo, too\n', 'two').isRepeated, undefined);
  });
});
