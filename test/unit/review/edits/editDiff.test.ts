import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toDiff, toNarrowDiff } from '../../../../src/review/edits/editDiff.ts';

describe('The diff of an edit', () => {
  it('has only added lines for a new file', () => {
    assert.equal(toDiff({ find: '', replace: 'a\r\nb' }), '+a\n+b');
  });

  it('shows equal lines once, as context', () => {
    assert.equal(toDiff({ find: 'a\nb\nc', replace: 'a\nB\nc\n' }), ' a\n-b\n+B\n c');
  });

  it('shortens long runs of equal lines', () => {
    const equal = ['1', '2', '3', '4', '5', '6'].map((line) => `${line}\n`).join('');
    assert.equal(
      toDiff({ find: `a\n${equal}`, replace: `A\n${equal}` }),
      ['-a', '+A', ' 1', ' 2', ' 3', ' …'].join('\n'),
    );
  });
});

describe('The narrow diff of an edit', () => {
  const long = `const total = ${'item.price + '.repeat(12)}0`;
  const edit = (find: string, replace: string) => toNarrowDiff({ find, replace }).split('\n');

  it('is the same as the diff where lines are short', () => {
    assert.deepEqual(edit('a\nb\n', 'a\nB\n'), [' a', '-b', '+B']);
  });

  it('has of long lines what differs, and a little around it', () => {
    const lines = edit(`${long} <= 1; ${'y'.repeat(90)}`, `${long} < 1; ${'y'.repeat(90)}`);
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? '', /^-….*price \+ 0 <= 1; y+…$/);
    assert.match(lines[1] ?? '', /^\+….*price \+ 0 < 1; y+…$/);
    for (const line of lines) assert.ok(line.length <= 60, line);
  });

  it('keeps the beginning of a long line that differs there, and all of one that is new', () => {
    assert.deepEqual(edit(`var ${long}`, `let ${long}`), [
      '-var const total = item.pric…',
      '+let const total = item.pric…',
    ]);
    assert.deepEqual(edit('', long), [`+${long}`]);
  });

  it('cuts no character in two', () => {
    const [first] = edit(`${'🚤'.repeat(50)}a`, `${'🚤'.repeat(50)}b`);
    assert.equal(first, `-…${'🚤'.repeat(24)}a`);
  });
});
