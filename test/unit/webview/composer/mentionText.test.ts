import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mentionAt, replaceMention, withAt } from '../../../../src/webview/composer/mentionText.ts';

const at = (text: string) => {
  const cursor = text.indexOf('|');
  return mentionAt(text.replace('|', ''), cursor);
};

describe('A mention in the composer', () => {
  it('is an @ and the text after it up to the cursor', () => {
    assert.deepEqual(at('@|'), { sign: '@', start: 0, letters: '' });
    assert.deepEqual(at('Explain @src/cl|ock'), { sign: '@', start: 8, letters: 'src/cl' });
    assert.deepEqual(at('a\n@ü|'), { sign: '@', start: 2, letters: 'ü' });
    assert.deepEqual(at('(@a|'), { sign: '@', start: 1, letters: 'a' });
  });

  it('does not start inside an address, and ends at a space', () => {
    for (const text of ['me@example|', '@a b|', '@a |', 'a|', '|@a', '@@|'])
      assert.equal(at(text), undefined, text);
  });

  it('is also a slash at the beginning, and a path is none', () => {
    assert.deepEqual(at('/|'), { sign: '/', start: 0, letters: '' });
    assert.deepEqual(at('/find-r|aces'), { sign: '/', start: 0, letters: 'find-r' });
    for (const text of ['|/a', '/a |', 'see /a|', '\n/a|', '/usr/b|', '//|'])
      assert.equal(at(text), undefined, text);
    assert.deepEqual(replaceMention('/ex', { start: 0, letters: 'ex' }, '/explain'), {
      text: '/explain ',
      cursor: 9,
    });
  });

  it('is replaced with the name in a sentence', () => {
    const mention = { start: 8, letters: 'cl' };
    assert.deepEqual(replaceMention('Compare @cl with b', mention, 'src/clock.ts'), {
      text: 'Compare src/clock.ts with b',
      cursor: 21,
    });
    assert.deepEqual(replaceMention('Explain @cl', mention, 'clock.ts'), {
      text: 'Explain clock.ts ',
      cursor: 17,
    });
  });

  it('stays in the text as the name, also when it is the only text', () => {
    assert.deepEqual(replaceMention(' @cl ', { start: 1, letters: 'cl' }, 'clock.ts'), {
      text: ' clock.ts ',
      cursor: 10,
    });
  });

  it('begins with an @ in place of what is selected, after a space', () => {
    assert.deepEqual(withAt('', 0, 0), { text: '@', cursor: 1 });
    assert.deepEqual(withAt('See this.', 4, 8), { text: 'See @.', cursor: 5 });
    assert.deepEqual(withAt('See', 3, 3), { text: 'See @', cursor: 5 });
  });
});
