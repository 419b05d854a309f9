import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { placeEdits } from '../../../../src/review/edits/editPlacement.ts';
import { toOpenText } from '../../../../src/review/proposals/openHunks.ts';
import { withPlacedAgain } from '../../../../src/review/proposals/placedAgain.ts';
import {
  type FileProposal,
  toFileProposal,
  withRejected,
  withRestored,
} from '../../../../src/review/proposals/proposal.ts';
import { withChanges } from '../../../../src/review/proposals/proposalTextChanges.ts';

const edits = [
  { find: 'two\n', replace: 'TWO\n' },
  { find: 'four\n', replace: 'FOUR\n' },
];

function propose(before: string): FileProposal {
  const { after, unplaced } = placeEdits(before, edits);
  return toFileProposal({
    uri: 'file:///a',
    label: 'a',
    isNew: false,
    before,
    after,
    asked: undefined,
    unplaced,
  });
}

function type(file: FileProposal, offset: number, removed: number, inserted: string): FileProposal {
  const text = file.text.slice(0, offset) + inserted + file.text.slice(offset + removed);
  return withPlacedAgain(withChanges(file, [{ offset, removed, inserted }], text));
}

const states = ({ hunks }: FileProposal) => hunks.map(({ state }) => state);
const reasons = ({ unplaced }: FileProposal) => unplaced.map(({ reason }) => reason);

describe('A change that has no place', () => {
  const file = propose('one\ntwo\nthree\nfxour\nfive\n');

  it('becomes a hunk when its lines are in the text', () => {
    assert.deepEqual(reasons(file), ['not-there']);
    const undone = type(file, 15, 1, '');
    assert.deepEqual(reasons(undone), []);
    assert.deepEqual(states(undone), ['open', 'open']);
    assert.equal(toOpenText(undone), 'one\nTWO\nthree\nFOUR\nfive\n');
    assert.equal(new Set(undone.hunks.map(({ hunk }) => hunk.id)).size, 2);
  });

  it('becomes a hunk when its lines were only parts of lines and are complete again', () => {
    const joined = propose('one\ntwo\nthree\nxfour\nfive\n');
    assert.deepEqual(reasons(joined), ['part-of-line']);
    const typed = type(joined, 'one\ntwo\nthree\n'.length, 1, '');
    assert.deepEqual([states(typed), reasons(typed)], [['open', 'open'], []]);
  });

  it('becomes a hunk above the others, in the order of the lines', () => {
    const undone = type(propose('one\ntwxo\nthree\nfour\n'), 6, 1, '');
    assert.deepEqual(
      undone.hunks.map(({ hunk }) => hunk.before),
      ['two\n', 'four\n'],
    );
  });

  it('is not looked for with each key where there are many of them', () => {
    const all = Array.from({ length: 60 }, (_, at) => ({ find: `line ${at}\n`, replace: '' }));
    const { after, unplaced } = placeEdits('two\n', all);
    const file = toFileProposal({
      ...{ uri: 'file:///a', label: 'a', isNew: false, before: 'two\n', after, asked: undefined },
      unplaced,
    });
    const now = type(file, 0, 0, all.map(({ find }) => find).join(''));
    assert.deepEqual([now.hunks.length > 0, now.unplaced.length], [true, 10]);
  });

  it('stays a hunk through undo and redo', () => {
    const undone = type(file, 15, 1, '');
    const redone = type(undone, 15, 0, 'x');
    assert.deepEqual(states(redone), ['open', 'stale']);
    assert.deepEqual(states(type(redone, 15, 1, '')), ['open', 'open']);
  });

  it('isn’t placed over an undecided hunk', () => {
    for (const find of ['one\ntwo\n', 'two\nthree\n', 'one\ntwo\nthree\n', 'two\n']) {
      const edit = { find, replace: 'x\n' };
      const both = { ...file, unplaced: [{ edit, reason: 'not-there' as const }] };
      assert.equal(withPlacedAgain(both), both, find);
    }
    const first = propose('two\nthree\n');
    const above = { edit: { find: 'two\n', replace: 'new\ntwo\n' }, reason: 'not-there' as const };
    const both = { ...first, unplaced: [above] };
    assert.equal(withPlacedAgain(both), both);
  });

  it('isn’t placed where a later proposal has replaced this one', () => {
    const replaced = { ...file, text: file.text.replace('fxour', 'four'), replacedBy: 'q' };
    assert.equal(withPlacedAgain(replaced), replaced);
  });

  it('isn’t placed after the user has rejected all hunks', () => {
    const rejected = withRejected(file, new Set(file.hunks.map(({ hunk }) => hunk.id)));
    assert.deepEqual(reasons(type(rejected, 15, 1, '')), ['not-there']);
  });

  it('isn’t placed when it was something else that kept it from being placed', () => {
    for (const reason of ['refused', 'several'] as const) {
      const other = {
        ...file,
        text: file.text.replace('fxour', 'four'),
        unplaced: file.unplaced.map((one) => ({ ...one, reason })),
      };
      assert.equal(withPlacedAgain(other), other);
    }
  });

  it('is not in the way of a rejected hunk for the same lines, which can be restored when it is decided', () => {
    const before = 'one\ntwo\nthree\nfxour\nfive\n';
    const { after, unplaced } = placeEdits(before, [
      { find: 'two\nthree\n', replace: '2\n3\n' },
      { find: 'three\nfour\n', replace: 'III\nIV\n' },
      { find: 'five\n', replace: '5\n' },
    ]);
    const about = { uri: 'file:///a', label: 'a', isNew: false, before, asked: undefined };
    const rejected = withRejected(toFileProposal({ ...about, after, unplaced }), new Set(['0']));
    const placed = type(rejected, 15, 1, '');
    assert.deepEqual([states(placed), reasons(placed)], [['rejected', 'open', 'open'], []]);
    const restored = withRestored(placed);
    assert.deepEqual(states(restored), ['rejected', 'open', 'open']);
    assert.equal(toOpenText(restored), 'one\ntwo\nIII\nIV\n5\n');
    const both = withRejected(placed, new Set(restored.hunks.map(({ hunk }) => hunk.id)));
    assert.deepEqual(states(withRestored(both)), ['open', 'rejected', 'open'], 'the first one');
    const decided = withRejected(restored, new Set(['2']));
    assert.deepEqual(states(withRestored({ ...decided, hunks: decided.hunks.slice(0, 1) })), ['open']);
  });
});
