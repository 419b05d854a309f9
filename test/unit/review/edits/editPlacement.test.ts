import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { describe, it } from 'mocha';
import { insertLines, placeEdits, replaceSpan } from '../../../../src/review/edits/editPlacement.ts';
import { findSentText } from '../../../../src/review/findings/sentText.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';

const TEXT = 'one\ntwo\nthree\ntwo\nend\n';
const edit = (find: string, replace: string) => ({ find, replace });

describe('Proposed edits', () => {
  it('are applied where their text occurs exactly once', () => {
    assert.deepEqual(placeEdits(TEXT, [edit('three\n', 'THREE\n'), edit('one', 'ONE')]), {
      after: 'ONE\ntwo\nTHREE\ntwo\nend\n',
      unplaced: [],
    });
  });

  it('are not applied when their text is missing or occurs several times', () => {
    const { after, unplaced } = placeEdits(TEXT, [edit('four', 'x'), edit('two', 'x')]);
    assert.equal(after, TEXT);
    assert.deepEqual(
      unplaced.map(({ reason }) => reason),
      ['not-there', 'several'],
    );
  });

  it('are applied at each place if they are there as often as their text, and once if that is there once', () => {
    const twice = (one: ReturnType<typeof edit>) => [one, edit('one', 'ONE'), one];
    for (const asked of [undefined, { from: 8, to: 18 }])
      assert.deepEqual(placeEdits(TEXT, twice(edit('two', 'TWO')), asked), {
        after: 'ONE\nTWO\nthree\nTWO\nend\n',
        unplaced: [],
      });
    assert.deepEqual(placeEdits(TEXT, twice(edit('three', 'THREE'))), {
      after: 'ONE\ntwo\nTHREE\ntwo\nend\n',
      unplaced: [],
    });
    assert.deepEqual(placeEdits(TEXT, [edit('three\n', 'THREE\n'), edit('three', 'THREE')]), {
      after: 'one\ntwo\nTHREE\ntwo\nend\n',
      unplaced: [],
    });
    // Which of these lines are meant would be a guess.
    const meeting = placeEdits('a\na\na\n', [edit('a\na\n', 'b\n'), edit('a\na\n', 'b\n')]);
    assert.deepEqual([meeting.after, meeting.unplaced[0]?.reason], ['a\na\na\n', 'several']);
    const three = [edit('two', 'TWO'), ...twice(edit('two', 'TWO'))];
    const { after, unplaced } = placeEdits(TEXT, three);
    assert.equal(after, 'ONE\ntwo\nthree\ntwo\nend\n');
    assert.deepEqual(
      unplaced.map(({ reason }) => reason),
      ['several'],
    );
  });

  it('are applied at each place in the lines of the question if they are there as often as their text', () => {
    const text = 'two\none\ntwo\nthree\ntwo\nend\n';
    const twice = [edit('two', 'TWO'), edit('two', 'TWO')];
    assert.deepEqual(placeEdits(text, twice, { from: 4, to: 22 }), {
      after: 'two\none\nTWO\nthree\nTWO\nend\n',
      unplaced: [],
    });
    const { after, unplaced } = placeEdits(text, twice, { from: 0, to: 8 });
    assert.equal(after, 'TWO\none\ntwo\nthree\ntwo\nend\n', 'a repeated edit');
    assert.deepEqual(unplaced, []);
  });

  it('are applied within the lines of the question when their text occurs several times', () => {
    assert.equal(
      placeEdits(TEXT, [edit('two', 'TWO')], { from: 8, to: 18 }).after,
      'one\ntwo\nthree\nTWO\nend\n',
    );
  });

  it('are not applied elsewhere when the lines of the question have changed that had the same text', () => {
    const text = 'one\nTWO\nthree\ntwo\nend\n';
    const asked = { from: 0, to: 8 };
    const reasons = (find: string, sent?: string) =>
      placeEdits(text, [edit(find, 'x')], asked, undefined, sent).unplaced.map(({ reason }) => reason);
    assert.deepEqual(reasons('two', TEXT), ['unclear']);
    assert.deepEqual(reasons('two', TEXT.replaceAll('\n', '\r\n')), ['unclear']);
    assert.deepEqual(reasons('two'), []);
    assert.deepEqual([reasons('one', TEXT), reasons('three', TEXT)], [[], []], 'they were there once');
  });

  it('are not applied when they overlap an earlier one', () => {
    const { after, unplaced } = placeEdits(TEXT, [edit('one\ntwo\n', 'x\n'), edit('two\nthree', 'y')]);
    assert.equal(after, 'x\nthree\ntwo\nend\n');
    assert.deepEqual(
      unplaced.map(({ reason }) => reason),
      ['overlaps'],
    );
  });

  it('are not applied when an earlier one inserts lines that can be above or below', () => {
    const first = edit('top\na\nb\n', 'top\na\nb\na\nb\n');
    const { after, unplaced } = placeEdits('top\na\nb\n', [first, edit('top\na\nb\n', 'top\na\n')]);
    assert.equal(after, 'top\na\nb\na\nb\n');
    assert.deepEqual(
      unplaced.map(({ reason }) => reason),
      ['overlaps'],
    );
  });

  it('are not applied at the edge of lines that an earlier one inserts above or below', () => {
    const { after, unplaced } = placeEdits('a\n', [edit('a\n', 'a\na\n'), edit('a\n', 'a\nb\n')]);
    assert.equal(after, 'a\na\n');
    assert.equal(unplaced[0]?.reason, 'overlaps');
  });

  it('match any line ends and keep those of the file', () => {
    const { after } = placeEdits('a\r\nb\r\nc\r\n', [edit('b\nc\n', 'B\nmore\nC\n')]);
    assert.equal(after, 'a\r\nB\r\nmore\r\nC\r\n');
  });

  it('are applied to lines that have lost the white space at their ends since, as when a file is saved', () => {
    const spaced = edit('two\n  \nthree  \n', 'TWO\n  \nTHREE\n');
    for (const end of ['\n', '\r\n'] as const) {
      const to = (text: string) => text.replaceAll('\n', end);
      assert.equal(
        placeEdits(to('one\ntwo\n\nthree\nfour\n'), [spaced]).after,
        to('one\nTWO\n  \nTHREE\nfour\n'),
      );
      const found = findSentText(to('one\ntwo\n\nthree\nfour\n'), spaced.find, 1);
      assert.equal(to('one\ntwo\n\nthree\nfour\n').slice(found?.from, found?.to), to('two\n\nthree\n'));
    }
    const reasons = (text: string) => placeEdits(text, [spaced]).unplaced.map(({ reason }) => reason);
    assert.deepEqual(reasons('two\n\nthree\n\ntwo\n\nthree\n'), ['several']);
    assert.deepEqual(reasons('two\n\n\nthree\n'), ['not-there']);
  });

  it('replace complete lines with or without the last line end', () => {
    assert.equal(placeEdits('a\nb\nc\n', [edit('b\n', 'B')]).after, 'a\nB\nc\n');
    assert.equal(placeEdits('a\nb\nc\n', [edit('b', 'B\n')]).after, 'a\nB\nc\n');
    assert.equal(placeEdits('a\nb\nc\n', [edit('b', '')]).after, 'a\nc\n');
    assert.equal(placeEdits('a\nb', [edit('b', 'B\n')]).after, 'a\nB');
  });

  it('match the end of a file whose last line has no line end', () => {
    assert.equal(placeEdits('a\nb', [edit('a\nb\n', 'A\nB\n')]).after, 'A\nB');
    assert.equal(placeEdits('a\r\nb', [edit('b\n', 'B\n')]).after, 'a\r\nB');
  });

  it('do not match the end of a last line that only ends with the same text', () => {
    assert.equal(placeEdits('a = 11', [edit('1\n', '2\n')]).unplaced[0]?.reason, 'part-of-line');
  });

  for (const [find, text] of [
    ['x = 1', 'x = 10\n'],
    ['count = 1', 'discount = 1\n'],
    ['foo()', '  await foo()\n'],
    ['foo()', 'foo(); bar();\n'],
    ['foo()', '  foo(); bar();\n'],
    ['x = 1\n', 'let x = 1\n'],
    ['a()\nb()', 'a()\nb().then(c)\n'],
    ['count = 1', 'for (discount = 1; ; ) {\n'],
    ['= 1', 'if (a == 1) {\n'],
    ['x.length', 'if (foo.x.length > 0) {\n'],
  ] as const)
    it(`are not applied to a part of a line: ${JSON.stringify(find)} in ${JSON.stringify(text)}`, () => {
      const { after, unplaced } = placeEdits(text, [edit(find, 'changed')]);
      assert.equal(after, text);
      assert.equal(unplaced[0]?.reason, 'part-of-line');
    });

  it('have no place if their words are in a line once, and at the start or the end of others', () => {
    for (const [text, find] of [
      ['let count = 1;\ncount++;\n', 'count'],
      ['const r = foo(x) + 1;\nfoo(x).then(done);\n', 'foo(x)'],
      ['if (a) return total\nreturn total + 1;\n', 'total'],
    ] as const) {
      const { after, unplaced } = placeEdits(text, [{ find, replace: 'other' }]);
      assert.deepEqual([after, unplaced.map(({ reason }) => reason)], [text, ['several']]);
    }
    // The question was about the first line.
    const asked = placeEdits('let count = 1;\ncount++;\n', [{ find: 'count', replace: 'n' }], {
      from: 0,
      to: 15,
    });
    assert.equal(asked.after, 'let n = 1;\ncount++;\n');
    // Longer words don't count.
    assert.equal(
      placeEdits('let count = 1;\ncounter++;\n', [{ find: 'count', replace: 'n' }]).after,
      'let n = 1;\ncounter++;\n',
    );
  });

  it('replace words in a line by words, also if those have a line end, and split the line only if that is all', () => {
    const text = 'x = foo() + 1;\r\n';
    assert.equal(placeEdits(text, [edit('foo()', 'bar()\n')]).after, 'x = bar() + 1;\r\n');
    assert.equal(placeEdits(text, [edit('foo()', 'foo()\n')]).after, 'x = foo()\r\n + 1;\r\n');
  });

  it('are found in a long line in time in proportion to its length', () => {
    for (const find of ['foo(a)', 'oo(a', 'c'])
      assert.ok(
        growthOf(
          (length) => `${'foo(a) '.repeat(length)}${' c'.repeat(length)}`,
          (text) => placeEdits(text, [edit(find, 'x')]),
          1000,
        ) < LINEAR,
        find,
      );
  });

  it('are found in time in proportion to the length of a text that repeats itself', () => {
    for (const part of ['a', '\n', 'ab\n'])
      for (const middle of ['', 'c'])
        assert.ok(
          growthOf(
            (length) => ({
              text: part.repeat(4 * length),
              find: `${part.repeat(length)}${middle}${part.repeat(length)}`,
            }),
            ({ text, find }) => placeEdits(text, [edit(find, 'x')]),
            1000,
          ) < LINEAR,
          JSON.stringify([part, middle]),
        );
  });

  it('are placed for two seconds only if there are more than a hundred: a model can give thousands, each of which is looked for in the whole text', () => {
    let now = 0;
    const clock = mock.method(performance, 'now', () => (now += 500));
    const edits = Array.from({ length: 109 }, (_, at) => edit(`line ${at}`, `LINE ${at}`));
    const { after, unplaced } = placeEdits(edits.map(({ find }) => `${find}\n`).join(''), edits);
    clock.mock.restore();
    assert.match(after, /^LINE 0\nLINE 1\n[\s\S]*LINE 100\n[\s\S]*line 108\n$/);
    assert.ok(unplaced.length > 3 && unplaced.every(({ reason }) => reason === 'too-many'));
  });

  it('are applied to the complete line, if other lines contain its text', () => {
    assert.equal(
      placeEdits('x = 10\nx = 1\nax = 1\n', [edit('x = 1', 'x = 2')]).after,
      'x = 10\nx = 2\nax = 1\n',
    );
    assert.equal(placeEdits('  x = 1\nx = 1\n', [edit('x = 1\n', 'x = 2\n')]).after, '  x = 1\nx = 2\n');
  });

  it('are not applied when their text is also the last line, which has no line end', () => {
    const { after, unplaced } = placeEdits('b\na\nb', [edit('b\n', 'B\n')]);
    assert.equal(after, 'b\na\nb');
    assert.equal(unplaced[0]?.reason, 'several');
  });

  it('match lines whose indentation was left out, and keep it', () => {
    assert.equal(placeEdits('{\n    foo()\n}\n', [edit('foo()', 'bar()')]).after, '{\n    bar()\n}\n');
    assert.equal(placeEdits('{\n\tfoo()\n}\n', [edit('foo()\n', '')]).after, '{\n}\n');
    assert.equal(
      placeEdits('  a {\n    b\n  }\n', [edit('a {\n    b\n', 'a {\n    B\n')]).after,
      '  a {\n    B\n  }\n',
    );
  });

  it('have the indentation once, also if only the lines to find were sent without it', () => {
    const place = (text: string, find: string, replace: string) =>
      placeEdits(text, [edit(find, replace)]).after;
    assert.equal(place('if a:\n    foo()\n', 'foo()', '    bar()'), 'if a:\n    bar()\n');
    assert.equal(place('\tfoo()\n', 'foo()\n', '\t\tbar()\n'), '\t\tbar()\n');
    assert.equal(place('a:\n  - b\n', '- b', '  - b\n  - c'), 'a:\n  - b\n  - c\n');
    assert.equal(place('  a {\n    b\n  }\n', 'a {\n    b\n', '  a {\n    B\n'), '  a {\n    B\n  }\n');
    assert.equal(place('foo()\n', 'foo()', '  bar()'), '  bar()\n');
  });

  it('are not applied to a line with another indentation', () => {
    assert.equal(
      placeEdits('    foo()\n', [edit('  foo()\n', '  bar()\n')]).unplaced[0]?.reason,
      'part-of-line',
    );
  });

  it('are not applied to a line whose indentation was left out, when the new lines would lack it', () => {
    const text = 'if a:\n    foo()\n';
    const { after, unplaced } = placeEdits(text, [edit('foo()', 'foo()\nbar()')]);
    assert.equal(after, text);
    assert.equal(unplaced[0]?.reason, 'part-of-line');
    assert.equal(
      placeEdits(text, [edit('foo()', 'foo()\n    bar()')]).after,
      'if a:\n    foo()\n    bar()\n',
    );
  });

  it('can name the same unchanged lines as another edit', () => {
    const edits = [
      edit('one\ntwo\nthree\n', 'ONE\ntwo\nthree\n'),
      edit('two\nthree\ntwo\n', 'two\nTHREE\ntwo\n'),
    ];
    assert.deepEqual(placeEdits(TEXT, edits), { after: 'ONE\ntwo\nTHREE\ntwo\nend\n', unplaced: [] });
    assert.equal(placeEdits('a\nb\n', [edit('a\n', 'a\nX\n'), edit('b\n', 'Y\nb\n')]).after, 'a\nX\nY\nb\n');
  });

  it('have the line end of the document in a text that has none', () => {
    assert.equal(placeEdits('', [edit('', 'a\nb\n')], undefined, '\r\n').after, 'a\r\nb\r\n');
    assert.equal(placeEdits('a', [edit('a', 'a\nb')], undefined, '\r\n').after, 'a\r\nb');
    assert.equal(placeEdits('a\n', [edit('a', 'a\nb')], undefined, '\r\n').after, 'a\nb\n');
  });

  it('have no line ends that the editor would replace when they are inserted', () => {
    assert.equal(placeEdits('a\n', [edit('a', 'a\rb\r\nc')]).after, 'a\nb\nc\n');
  });

  it('create a new file only once', () => {
    const { after, unplaced } = placeEdits('', [edit('', 'first\n'), edit('', 'second\n')]);
    assert.equal(after, 'first\n');
    assert.equal(unplaced[0]?.reason, 'overlaps');
  });

  it('can replace a part of a line', () => {
    assert.equal(placeEdits('let a = 1;\n', [edit('= 1', '= 2')]).after, 'let a = 2;\n');
  });

  it('create a new file, but never overwrite one', () => {
    assert.equal(placeEdits('', [edit('', 'all\n')]).after, 'all\n');
    assert.deepEqual(placeEdits('x', [edit('', 'all\n')]).unplaced[0]?.reason, 'file-exists');
  });

  describe('for an empty line that was asked about', () => {
    const text = 'import sys\n\n\ndef read():\n    pass\n';
    const asked = findSentText(text, '\n', 2);

    it('are inserted above it when they replace nothing', () => {
      const placed = placeEdits(text, [{ find: '', replace: 'LIMIT = 3' }], asked);
      assert.deepEqual(placed, {
        after: 'import sys\n\nLIMIT = 3\n\ndef read():\n    pass\n',
        unplaced: [],
      });
    });

    for (const find of ['\n', '    '])
      it(`take its place, and not that of another one: ${JSON.stringify(find)}`, () => {
        const placed = placeEdits(text, [{ find, replace: 'LIMIT = 3\n' }], asked);
        assert.deepEqual(placed, {
          after: 'import sys\n\nLIMIT = 3\ndef read():\n    pass\n',
          unplaced: [],
        });
      });

    it('take the place of as many empty lines as the answer names, there and not elsewhere', () => {
      const { after } = placeEdits('a\n\n\nb\n\n\nc', [{ find: '\n\n', replace: 'x\n' }], { from: 2, to: 3 });
      assert.equal(after, 'a\nx\nb\n\n\nc');
    });

    it('are placed in the first of two, below the last line end, and with the line ends of Windows', () => {
      const edits = [{ find: '\n', replace: 'x = 1\n' }];
      assert.equal(placeEdits('a\n\n\nb', edits, { from: 2, to: 3 }).after, 'a\nx = 1\n\nb');
      assert.equal(placeEdits('a\n', edits, { from: 2, to: 2 }).after, 'a\nx = 1\n');
      assert.equal(placeEdits('a\n\nb\n', edits, { from: 5, to: 5 }).after, 'a\n\nb\nx = 1\n');
      assert.equal(placeEdits('a\r\n  \r\nb', edits, { from: 3, to: 7 }).after, 'a\r\nx = 1\r\nb');
    });

    it('can’t be placed when the line has words by now, or is gone', () => {
      for (const asked of [
        { from: 2, to: 4 },
        { from: 5, to: 5 },
      ]) {
        const { unplaced } = placeEdits('a\nb\nc', [{ find: '', replace: 'x\n' }], asked);
        assert.deepEqual(
          unplaced.map(({ reason }) => reason),
          ['file-exists'],
        );
      }
    });
  });
});

describe('Lines that were sent', () => {
  it('are found at their original line, even if they occur several times', () => {
    assert.deepEqual(findSentText(TEXT, 'two\n', 3), { from: 14, to: 18 });
  });

  it('are found at another line if they occur once', () => {
    assert.deepEqual(findSentText(TEXT, 'three\n', 0), { from: 8, to: 14 });
  });

  it('are found below the last line end if they are the empty line there', () => {
    assert.deepEqual(findSentText('a\n\nb\r\n', '', 3), { from: 6, to: 6 });
    assert.deepEqual(findSentText('', '', 0), { from: 0, to: 0 });
    assert.equal(findSentText('a\nb', '', 1), undefined);
  });

  it('are not found when they changed or occur several times elsewhere', () => {
    assert.equal(findSentText(TEXT, 'tree\n', 2), undefined);
    assert.equal(findSentText(TEXT, 'two\n', 0), undefined);
  });

  it('are not found at another line if those elsewhere are others', () => {
    assert.equal(findSentText(TEXT, 'three\n', 0, true), undefined);
    assert.deepEqual(findSentText(TEXT, 'two\n', 3, true), { from: 14, to: 18 });
  });

  it('are not found as a part of other lines', () => {
    assert.equal(findSentText('two more\n', 'two', 0), undefined);
    assert.deepEqual(findSentText('two more\ntwo', 'two', 0), { from: 9, to: 12 });
    assert.deepEqual(findSentText('one\ntwo', 'two\n', 1), { from: 4, to: 7 });
  });

  it('are found in a file with other line ends', () => {
    assert.deepEqual(findSentText('a\r\nb\r\n', 'b\n', 1), { from: 3, to: 6 });
  });

  it('are replaced by lines with the same last line end', () => {
    assert.equal(replaceSpan('a\nb\nc\n', { from: 2, to: 4 }, 'B\nBB'), 'a\nB\nBB\nc\n');
    assert.equal(replaceSpan('a\r\nb', { from: 3, to: 4 }, 'B\nBB\n'), 'a\r\nB\r\nBB');
    assert.equal(replaceSpan('b', { from: 0, to: 1 }, 'B\nBB\n', '\r\n'), 'B\r\nBB');
    assert.equal(replaceSpan('a\r\n', { from: 3, to: 3 }, 'B\nBB\n'), 'a\r\nB\r\nBB\r\n');
  });

  it('are inserted as complete lines with the line end of the document', () => {
    assert.equal(insertLines('a\r\nb\r\n', 3, 'x\ny'), 'a\r\nx\r\ny\r\nb\r\n');
    assert.equal(insertLines('a', 1, 'x\n', '\r\n'), 'a\r\nx\r\n');
    assert.equal(insertLines('', 0, 'x', '\r\n'), 'x\r\n');
  });
});
