import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { placeEdits } from '../../../../src/review/edits/editPlacement.ts';
import type { ProposedEdit } from '../../../../src/review/edits/proposalAnswer.ts';
import {
  type FileProposal,
  toFileProposal,
  withRejected,
} from '../../../../src/review/proposals/proposal.ts';
import { hasCode, hasEdits, hasSame } from '../../../../src/review/proposals/sameChanges.ts';

const TEXT = 'one\ntwo\nthree\nfour\none\n';
const TWO = { find: 'two\n', replace: 'TWO\n' };
const FOUR = { find: 'four\n', replace: 'FOUR\n' };

function proposed(...edits: readonly ProposedEdit[]): FileProposal {
  const texts = { uri: 'a', label: 'a', isNew: false, before: TEXT, asked: undefined };
  return toFileProposal({ ...texts, ...placeEdits(TEXT, edits) });
}

describe('A proposal with the changes of a code block', () => {
  it('has all of its edits', () => {
    const file = proposed(TWO, FOUR);
    assert.equal(hasEdits(file, [FOUR]), true);
    assert.equal(hasEdits(file, [FOUR, TWO]), true);
    assert.equal(hasEdits(proposed(TWO), [TWO, FOUR]), false);
    assert.equal(hasEdits(file, [{ find: 'two\n', replace: '2\n' }]), false);
    assert.equal(hasEdits(file, []), false);
  });

  it('has those of the lines in question, if they are there several times', () => {
    const edit = { find: 'one\n', replace: 'ONE\n' };
    const file = toFileProposal({ ...proposed(), after: TEXT.replace('one', 'ONE') });
    assert.equal(hasEdits(file, [edit]), false);
    assert.equal(hasEdits(file, [edit], { from: 0, to: 4 }), true);
  });

  it('has code that is the text of a new file, or replaces the lines in question', () => {
    const asked = { from: 4, to: 8 };
    assert.equal(hasCode(proposed(TWO, FOUR), 'TWO', asked), true);
    for (const [code, lines] of [
      ['TWO\n', undefined],
      ['2\n', asked],
      ['two\n', asked],
    ] as const)
      assert.equal(hasCode(proposed(TWO), code, lines), false, code);
    assert.equal(hasCode(withRejected(proposed(TWO), new Set(['0'])), 'TWO\n', asked), false);
    const created = toFileProposal({ ...proposed(), isNew: true, before: '', after: 'a\n' });
    assert.deepEqual([hasCode(created, 'a\n'), hasCode(created, 'b\n')], [true, false]);
  });

  it('was neither rejected nor replaced', () => {
    const file = proposed(TWO);
    assert.equal(hasEdits(withRejected(file, new Set(['0'])), [TWO]), false);
    assert.equal(hasEdits({ ...file, replacedBy: 'b' }, [TWO]), false);
  });

  it('has the same open hunks, and lists the same', () => {
    const missing = { find: 'five\n', replace: 'FIVE\n' };
    const file = proposed(TWO, FOUR, missing);
    assert.equal(hasSame(file, proposed(TWO)), true);
    assert.equal(hasSame(file, proposed(FOUR, missing)), true);
    assert.equal(hasSame(proposed(TWO), file), false);
    assert.equal(hasSame({ ...file, uri: 'b' }, proposed(TWO)), false);
    assert.equal(hasSame({ ...file, replacedBy: 'b' }, proposed(TWO)), false);
    assert.equal(hasSame(withRejected(file, new Set(['0'])), proposed(TWO)), false);
  });
});
