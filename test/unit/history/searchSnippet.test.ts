import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { JSON_MARKS, toJsonSnippet } from '../../../src/history/searchSnippet.ts';

const marked = (text: string) => text.replaceAll('«', JSON_MARKS.start).replaceAll('»', JSON_MARKS.end);
const snippetOf = (json: string, snippet = '') =>
  toJsonSnippet(marked(json), snippet.replaceAll('«', '\u0002').replaceAll('»', '\u0003'))
    ?.replaceAll('\u0002', '«')
    .replaceAll('\u0003', '»');

describe('The excerpt of an answer that is JSON', () => {
  it('has the words around the match, from the first value that matches', () => {
    const json = '{"edits": [{"find": "no match"}, {"find": "one two three four five six «seven» eight"}]}';
    assert.equal(snippetOf(json), '…two three four five six «seven» eight');
    assert.equal(snippetOf('["«a b» c"]'), '«a b» c');
  });

  it('is shortened, and ends the mark of a match that goes on', () => {
    const words = Array.from({ length: 40 }, (_, i) => `w${i}`).join(' ');
    assert.match(snippetOf(`["«${words}»"]`) ?? '', /^«w0 w1 .* w15»…$/);
  });

  it('ends the mark of a later match in which it ends', () => {
    const words = Array.from({ length: 14 }, (_, i) => `w${i}`).join(' ');
    assert.equal(snippetOf(`["«a» ${words} «x y»"]`), `«a» ${words} «x»…`);
  });

  it('has the words of an answer that was cut off', () => {
    assert.equal(
      snippetOf(
        '{"findings": [{"claim": "It is «wro',
        '…"findings": [ {"claim": "It\\n is \\"«wrong»\\", so", "edit…',
      ),
      '… It is "«wrong»", so edit…',
    );
  });

  it('is nothing when only the name of a field matches', () => {
    assert.equal(snippetOf('{"«find»": "words"}'), undefined);
    assert.equal(snippetOf('{"«find»": "wor', '{"«find»": "wor'), undefined);
  });

  it('takes time in proportion to a very deep answer', () => {
    const deep = `${'['.repeat(5000)}"«deep»"${']'.repeat(5000)}`;
    assert.equal(snippetOf(deep), '«deep»');
  });
});
