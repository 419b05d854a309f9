import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  boundResult,
  findMatchingLines,
  findName,
  textOfPromptElement,
  toNumberedText,
  toShortList,
} from '../../../../src/conversation/toolCalls/toolText.ts';

describe('The text of a tool result', () => {
  it('stays unchanged if it fits', () => {
    assert.equal(boundResult('a\nb\n', 'Ask again.', 4), 'a\nb\n');
  });

  it('is cut at a line, and says how much is shown', () => {
    assert.equal(
      boundResult('one\ntwo\nthree\n', 'Ask again.', 9),
      'one\ntwo\n[Cut, 2 of 3 lines shown. Ask again.]',
    );
  });

  it('says how many items of a list were omitted', () => {
    assert.equal(toShortList(['a', 'b'], 2, 'files'), 'a\nb');
    assert.equal(toShortList(['a', 'b', 'c'], 2, 'files'), 'a\nb\n[2 of 3 files shown.]');
  });

  it('numbers the lines of a file, and names their range if they are not all lines', () => {
    assert.equal(toNumberedText('a\nb\n', 1, 100), '1\ta\n2\tb');
    assert.equal(toNumberedText('a\nb\nc\n', 2, 2), '2\tb\n[Lines 2 to 2 of 3.]');
    assert.equal(toNumberedText('a\n', 5, 9), '[The file has 1 lines.]');
  });

  it('finds a text in any case by default, or case-sensitive', () => {
    assert.deepEqual(findMatchingLines('A.b\na.b\naxb\n', 'a.b', false, 9), [
      { line: 1, text: 'A.b' },
      { line: 2, text: 'a.b' },
    ]);
    assert.deepEqual(findMatchingLines('A.b\na.b\n', 'a.b', true, 9), [{ line: 2, text: 'a.b' }]);
    assert.equal(findMatchingLines('a\na\na\n', 'a', true, 2).length, 2);
  });

  it('finds a name where it isn’t a part of another one, or else as a part', () => {
    const at = (line: string, name: string) => line.slice(findName(line, name));
    assert.equal(at('const width = id;', 'id'), 'id;');
    assert.equal(at('$id = id(größeid, data-id)', 'id'), 'id(größeid, data-id)');
    assert.equal(at('$width = $id;', 'id'), 'id;');
    assert.equal(at('idea = mid', 'id'), 'idea = mid');
    assert.equal(at('a.foo(b)', '.foo'), '.foo(b)');
    assert.equal(findName('a', 'id'), -1);
  });

  it('shows the part of a long line around the match', () => {
    const [match] = findMatchingLines(`${'x'.repeat(5000)}needle${'y'.repeat(5000)}`, 'needle', true, 9);
    assert.match(match?.text ?? '', /^…x+needley+…$/);
    assert.ok((match?.text.length ?? 0) < 310);
    const [first] = findMatchingLines(`needle${'y'.repeat(5000)}`, 'needle', true, 9);
    assert.match(first?.text ?? '', /^needley+…$/);
  });

  it('shows no ellipsis where a long line ends', () => {
    const [last] = findMatchingLines(`${'x'.repeat(5000)}needle`, 'needle', true, 9);
    assert.equal(last?.text, `…${'x'.repeat(100)}needle`);
  });

  it('contains the text of a prompt element', () => {
    const element = {
      node: {
        type: 1,
        children: [
          { type: 2, text: 'one', lineBreakBefore: false },
          { type: 1, children: [{ type: 2, text: 'two', lineBreakBefore: true }, null, { type: 3 }] },
        ],
      },
    };
    assert.equal(textOfPromptElement(element), 'one\ntwo');
    const nested = (depth: number): unknown =>
      depth === 0 ? { text: 'deep' } : { children: [nested(depth - 1)] };
    assert.equal(textOfPromptElement(nested(150)), 'deep');
    assert.equal(textOfPromptElement(nested(250)), '');
    for (const other of [undefined, null, 1, 'a', {}, { node: null }, { children: 'a' }])
      assert.equal(textOfPromptElement(other), '');
  });
});
