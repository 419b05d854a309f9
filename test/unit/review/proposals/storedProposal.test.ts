import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { NO_STEPS } from '../../../../src/review/hunks/undoSteps.ts';
import { toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { withCreated } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { storedProposal } from '../../../../src/review/proposals/storedProposal.ts';
import { decode, describeWrong } from '../../../../src/validation/decode.ts';

const texts = { uri: 'file:///a', label: 'a', isNew: false, before: 'x\n', after: 'y\n' };
const file = toFileProposal({ ...texts, asked: undefined, unplaced: [] });
const PROPOSAL = {
  id: 'p',
  turnId: 't',
  conversationId: 'c',
  createdAt: 1,
  files: [
    {
      ...file,
      asked: { from: 0, to: 1 },
      displaced: [{ id: 'o', open: 2 }],
      unplaced: [{ edit: { find: 'q', replace: 'r' }, reason: 'several' }],
    },
  ],
  trouble: { kind: 'malformed', malformed: { field: 'files', expected: 'a list' } },
  revises: undefined,
};
const toStored = (proposal: unknown): unknown => JSON.parse(JSON.stringify(proposal));

const wrongOf = (proposal: unknown) => {
  const decoded = decode(storedProposal, toStored(proposal));
  return decoded.ok ? undefined : describeWrong(decoded.wrong);
};

describe('A stored proposal', () => {
  it('is read as it was written', () => {
    assert.ok(file.hunks.length > 0);
    const decoded = decode(storedProposal, toStored(PROPOSAL));
    assert.deepEqual(decoded, { ok: true, value: PROPOSAL });
  });

  it('has edits that aren’t complete, or can be several ones, as they were, and places only the others when its file is back', () => {
    const edit = { find: 'x\n', replace: 'y\n' };
    const other = { find: 'x\n=====\ny\n', replace: 'z\n' };
    const reason = 'file-missing' as const;
    const placedIn = (text: string, readings: readonly (typeof edit)[]) => {
      const unplaced = [{ edit: { ...edit, readings }, reason }];
      const gone = toFileProposal({
        ...texts,
        isNew: true,
        before: '',
        after: '',
        asked: undefined,
        unplaced,
      });
      const decoded = decode(storedProposal, toStored({ ...PROPOSAL, files: [gone] }));
      assert.ok(decoded.ok && decoded.value.files[0]);
      return withCreated(decoded.value.files[0], text).after;
    };
    assert.equal(placedIn('x\n', [edit, other]), 'y\n');
    assert.equal(placedIn('x\n=====\ny\n', [edit, other]), 'z\n');
    assert.equal(placedIn('x\n', []), 'x\n');
  });

  it('is read when it is of an earlier version with fewer fields', () => {
    const { steps, isNew, replacedBy, ...fields } = file;
    const hunks = file.hunks.map(({ torn, hunk: { lead, ...hunk }, ...one }) => ({ ...one, hunk }));
    const earlier = { ...fields, hunks };
    const { createdAt, ...proposal } = { ...PROPOSAL, trouble: undefined, files: [earlier] };
    const decoded = decode(storedProposal, toStored(proposal));
    assert.ok(decoded.ok);
    assert.equal(decoded.value.createdAt, 0);
    assert.deepEqual(decoded.value.files[0]?.hunks, file.hunks);
    assert.deepEqual(decoded.value.files[0]?.steps, NO_STEPS);
  });

  it('is read without the texts that undo led to in an earlier window', () => {
    const known = [{ hash: 'h', hunks: file.hunks }];
    const stored = { ...file, past: known, steps: { back: known, ahead: [], left: 'lost' } };
    const decoded = decode(storedProposal, toStored({ ...PROPOSAL, files: [stored] }));
    assert.deepEqual(decoded.ok && decoded.value.files, [file]);
  });

  it('is read with a refusal when an earlier version stored it as “outside”', () => {
    const unplaced = [{ edit: { find: 'a', replace: 'b' }, reason: 'outside' }];
    const decoded = decode(storedProposal, toStored({ ...PROPOSAL, files: [{ ...file, unplaced }] }));
    assert.ok(decoded.ok);
    assert.deepEqual(
      decoded.value.files[0]?.unplaced.map(({ reason }) => reason),
      ['refused'],
    );
  });

  for (const [what, change, wrong] of [
    ['an id', { id: 1 }, 'id should be text'],
    ['a time', { createdAt: 'now' }, 'createdAt should be a number'],
    ['a file', { files: [{ ...file, hunks: {} }] }, 'files[0].hunks should be a list'],
    [
      'a hunk',
      { files: [{ ...file, hunks: [{ ...file.hunks[0], state: 'lost' }] }] },
      'files[0].hunks[0].state should be one of open, accepted, rejected, stale',
    ],
    [
      'a place',
      { files: [{ ...file, hunks: [{ ...file.hunks[0], from: -1 }] }] },
      'files[0].hunks[0].from should be a number that is not below zero',
    ],
    [
      'an edit',
      { files: [{ ...file, unplaced: [{ edit: { find: 'a' }, reason: 'several' }] }] },
      'files[0].unplaced[0].edit.replace should be text',
    ],
  ] as const)
    it(`is rejected with the name of the field when ${what} is wrong`, () => {
      assert.equal(wrongOf({ ...PROPOSAL, ...change }), wrong);
    });
});
