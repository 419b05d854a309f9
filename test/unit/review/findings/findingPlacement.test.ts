import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  joinsOthers,
  type LineChange,
  placeFinding,
  shiftLines,
} from '../../../../src/review/findings/findingPlacement.ts';

const TEXT = 'one\n  two();\n  three();\nfour\n  two();\nsix 😀\n';
const place = (startLine: number, endLine: number, evidence: string, text = TEXT) =>
  placeFinding({ startLine, endLine, evidence }, text);
const at = (startLine: number, endLine: number) => ({ placed: true, startLine, endLine });
const not = (reason: string) => ({ placed: false, reason });

describe('A finding', () => {
  it('is placed on its lines when they contain its quotation', () => {
    assert.deepEqual(place(2, 2, 'two()'), at(1, 1));
    assert.deepEqual(place(1, 4, 'three();'), at(0, 3));
    assert.deepEqual(place(2, 3, 'two();\n  three();'), at(1, 2));
    assert.deepEqual(place(6, 6, '😀'), at(5, 5));
  });

  it('ignores line ends and indentation', () => {
    assert.deepEqual(place(2, 3, '  two();\nthree();\n', TEXT.replaceAll('\n', '\r\n')), at(1, 2));
  });

  it('is placed where its quotation starts and ends within a line', () => {
    assert.deepEqual(place(1, 3, 'ne\n  two();\n  thr'), at(0, 2));
    assert.deepEqual(place(1, 3, 'ne\n  two()\n  thr'), not('not-found'));
    assert.deepEqual(place(1, 3, 'on\n  two();\n  thr'), not('not-found'));
    assert.deepEqual(place(1, 3, 'ne\n  two();\n  ree'), not('not-found'));
  });

  it('moves to the only lines that match its quotation', () => {
    assert.deepEqual(place(1, 1, 'three();'), at(2, 2));
    assert.deepEqual(place(40, 50, 'four'), at(3, 3));
    assert.deepEqual(place(0, 0, 'four'), at(3, 3));
    assert.deepEqual(place(4, 2, 'four'), at(3, 3));
  });

  it('prefers the match that overlaps its lines when there are several', () => {
    assert.deepEqual(place(3, 3, 'two();\nthree();', `${TEXT}two();\nthree();\n`), at(1, 2));
  });

  it('is not placed by a guess', () => {
    assert.deepEqual(place(1, 1, 'five'), not('not-found'));
    assert.deepEqual(place(1, 1, 'two();'), not('ambiguous'));
    assert.deepEqual(place(1, 1, ' \n'), not('no-quotation'));
    assert.deepEqual(place(1, 1, 'three();\nfive'), not('not-found'));
  });
});

describe('The lines of a finding', () => {
  const shift = (change: Partial<LineChange> & Pick<LineChange, 'startLine' | 'text'>) =>
    shiftLines(
      { startLine: 5, endLine: 7 },
      { startCharacter: 0, endLine: change.startLine, endCharacter: 3, ...change },
    );

  it('move when lines above them are inserted or deleted', () => {
    assert.deepEqual(shift({ startLine: 2, text: '\r\n\r\n' }), { startLine: 7, endLine: 9 });
    assert.deepEqual(shift({ startLine: 1, endLine: 3, text: '' }), { startLine: 3, endLine: 5 });
    assert.deepEqual(shift({ startLine: 5, endCharacter: 0, text: 'x\n' }), { startLine: 6, endLine: 8 });
  });

  it('stay the same when the lines before them are replaced', () => {
    assert.deepEqual(shift({ startLine: 3, endLine: 5, endCharacter: 0, text: 'x\ny\n' }), {
      startLine: 5,
      endLine: 7,
    });
  });

  it('grow and shrink with edits in them', () => {
    assert.deepEqual(shift({ startLine: 6, text: 'x\n' }), { startLine: 5, endLine: 8 });
    assert.deepEqual(shift({ startLine: 6, endLine: 7, text: '' }), { startLine: 5, endLine: 6 });
    assert.deepEqual(shift({ startLine: 5, endCharacter: 0, text: 'x' }), { startLine: 5, endLine: 7 });
    assert.deepEqual(shift({ startLine: 3, endLine: 9, text: '' }), { startLine: 3, endLine: 3 });
  });

  it('lose only those of them that are deleted together with lines below', () => {
    assert.deepEqual(shift({ startLine: 7, endLine: 12, endCharacter: 0, text: '' }), {
      startLine: 5,
      endLine: 6,
    });
    assert.deepEqual(shift({ startLine: 7, endLine: 12, text: '' }), { startLine: 5, endLine: 7 });
    assert.deepEqual(shift({ startLine: 6, endLine: 12, endCharacter: 0, text: 'x\ny\n' }), {
      startLine: 5,
      endLine: 7,
    });
    assert.deepEqual(shift({ startLine: 3, endLine: 9, endCharacter: 0, text: 'x\ny\n' }), {
      startLine: 3,
      endLine: 4,
    });
  });

  it('keep their last line when the next one is joined to it', () => {
    const joined = { startLine: 7, startCharacter: 4, endLine: 8, endCharacter: 0 };
    assert.deepEqual(shift({ ...joined, text: '' }), { startLine: 5, endLine: 7 });
    assert.deepEqual(shift({ ...joined, text: ' ' }), { startLine: 5, endLine: 7 });
    assert.deepEqual(shift({ ...joined, text: ' x\n' }), { startLine: 5, endLine: 7 });
  });

  it('stay the same when lines below them change', () => {
    assert.deepEqual(shift({ startLine: 8, text: '\n\n' }), { startLine: 5, endLine: 7 });
  });
});

describe('Lines of a text', () => {
  const joins = (from: readonly [number, number], to: readonly [number, number], text = '') =>
    joinsOthers(
      { startLine: 5, endLine: 7 },
      { startLine: from[0], startCharacter: from[1], endLine: to[0], endCharacter: to[1], text },
    );

  it('are only themselves after changes above, below, and in them', () => {
    assert.equal(joins([2, 3], [3, 0]), false);
    assert.equal(joins([3, 0], [5, 0]), false);
    assert.equal(joins([4, 3], [5, 0], '\n'), false);
    assert.equal(joins([5, 0], [5, 0], 'x\n'), false);
    assert.equal(joins([5, 0], [7, 3]), false);
    assert.equal(joins([7, 3], [7, 3], '\nx'), false);
    assert.equal(joins([7, 0], [8, 0]), false);
    assert.equal(joins([7, 3], [8, 0]), false);
    assert.equal(joins([8, 0], [9, 0]), false);
  });

  it('are joined with others when nothing is left between these, or all of them are replaced', () => {
    assert.equal(joins([5, 0], [8, 0]), true);
    assert.equal(joins([5, 0], [8, 0], 'x\n'), true);
    assert.equal(joins([4, 3], [7, 3]), true);
    assert.equal(joins([4, 3], [5, 0]), true);
    assert.equal(joins([5, 2], [8, 2]), true);
    assert.equal(joins([6, 0], [8, 2]), true);
    assert.equal(joins([0, 0], [20, 0], 'x\ny\n'), true);
  });
});
