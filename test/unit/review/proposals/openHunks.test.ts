import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { carryOver, toAcceptance, toOpenText } from '../../../../src/review/proposals/openHunks.ts';
import {
  type FileProposal,
  toFileProposal,
  withRejected,
} from '../../../../src/review/proposals/proposal.ts';
import { withChanges, withText } from '../../../../src/review/proposals/proposalTextChanges.ts';

const texts = { uri: 'file:///a', label: 'a', isNew: false, asked: undefined, unplaced: [] };
const BEFORE = 'one\ntwo\nthree\nfour\nfive\n';
const file = toFileProposal({ ...texts, before: BEFORE, after: 'ONE\ntwo\nTHREE\nfour\nFIVE\n' });

function type(at: FileProposal, offset: number, removed: number, inserted: string): FileProposal {
  const text = at.text.slice(0, offset) + inserted + at.text.slice(offset + removed);
  return withChanges(at, [{ offset, removed, inserted }], text);
}

const accepted = type(file, 0, 3, 'ONE');
const stale = type(file, 8, 0, 'x');

describe('Accepting hunks', () => {
  it('edits the lines where they are now', () => {
    const moved = withText(file, `zero\n${BEFORE}`);
    const { edits } = toAcceptance(moved, new Set(['1']));
    assert.deepEqual(edits, [{ from: 13, to: 19, text: 'THREE\n' }]);
  });

  it('leaves out the ones whose lines have changed, and counts them', () => {
    const { edits, stale: count } = toAcceptance(stale, new Set(['0', '1']));
    assert.equal(edits.length, 1);
    assert.equal(count, 1);
  });

  it('does nothing to hunks that are decided', () => {
    const decided = withRejected(accepted, new Set(['1']));
    assert.deepEqual(toAcceptance(decided, new Set(['0', '1'])), { edits: [], stale: 0 });
  });
});

describe('The text with all open hunks', () => {
  it('keeps what is accepted, and leaves out what is rejected', () => {
    assert.equal(toOpenText(withRejected(accepted, new Set(['1']))), 'ONE\ntwo\nthree\nfour\nFIVE\n');
  });
});

describe('Further edits of a file with a proposal', () => {
  it('build on the file when there is no earlier proposal', () => {
    assert.deepEqual(carryOver(undefined, 'a\n'), { base: 'a\n', dropped: 0 });
  });

  it('keep the open hunks after one was accepted', () => {
    assert.deepEqual(carryOver(accepted, accepted.text), {
      base: 'ONE\ntwo\nTHREE\nfour\nFIVE\n',
      dropped: 0,
    });
  });

  it('keep the open hunks after the user typed elsewhere, even unobserved', () => {
    const one = toFileProposal({ ...texts, before: BEFORE, after: BEFORE.replace('three', 'THREE') });
    assert.equal(carryOver(one, `zero\n${BEFORE}`).base, 'zero\none\ntwo\nTHREE\nfour\nfive\n');
  });

  it('don’t propose again what the user rejected', () => {
    const rejected = withRejected(file, new Set(['0']));
    assert.equal(carryOver(rejected, BEFORE).base, 'one\ntwo\nTHREE\nfour\nFIVE\n');
  });

  it('leave out outdated hunks, and count them', () => {
    assert.deepEqual(carryOver(stale, stale.text), {
      base: 'ONE\ntwo\nxthree\nfour\nFIVE\n',
      dropped: 1,
    });
  });

  it('don’t build on a proposal that is decided or replaced', () => {
    assert.equal(carryOver({ ...file, replacedBy: 'q' }, BEFORE).base, BEFORE);
    const rejected = withRejected(file, new Set(['0', '1', '2']));
    assert.equal(carryOver(rejected, BEFORE).base, BEFORE);
  });

  it('build on a new file that doesn’t exist yet', () => {
    const fresh = toFileProposal({ ...texts, isNew: true, before: '', after: 'all\n' });
    assert.equal(carryOver(fresh, '').base, 'all\n');
  });
});
