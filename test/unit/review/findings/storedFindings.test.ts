import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  decodeStoredReviews,
  type StoredFinding,
  type StoredReview,
  withReview,
} from '../../../../src/review/findings/storedFindings.ts';
import { describeWrong } from '../../../../src/validation/decode.ts';

const finding = {
  file: 'a.ts',
  startLine: 1,
  endLine: 1,
  severity: 'info',
  claim: 'c',
  evidence: 'e',
  edit: undefined,
} as const;
const kept = (id: string, uri: string, line: number, more: Partial<StoredFinding> = {}): StoredFinding => ({
  id,
  finding,
  uri,
  placement: { placed: true, startLine: line, endLine: line },
  state: 'open',
  ...more,
});
const review = (turnId: string, ...findings: StoredFinding[]): StoredReview => ({
  turnId,
  conversationId: 'c',
  findings,
});
const openOf = (reviews: readonly StoredReview[]) =>
  reviews.flatMap(({ findings }) => findings.filter(({ state }) => state === 'open').map(({ id }) => id));

const WHOLE = { startLine: 0, endLine: 99 };

describe('Stored findings', () => {
  const before = [review('t1', kept('a1', 'a', 1), kept('a2', 'a', 9), kept('b1', 'b', 1))];

  it('of a file are replaced when it is reviewed again', () => {
    const next = withReview(before, review('t2', kept('a3', 'a', 4)), [{ uri: 'a', lines: [WHOLE] }]);
    assert.deepEqual(openOf(next), ['b1', 'a3']);
  });

  it('of other lines are kept when a selection is reviewed', () => {
    const lines = [{ startLine: 0, endLine: 5 }];
    assert.deepEqual(openOf(withReview(before, review('t2'), [{ uri: 'a', lines }])), ['a2', 'b1']);
  });

  it('of lines that a review of changes doesn’t show are kept, in each of its files', () => {
    const reviewed = [
      { uri: 'a', lines: [{ startLine: 4, endLine: 9 }] },
      { uri: 'b', lines: [] },
    ];
    assert.deepEqual(openOf(withReview(before, review('t2'), reviewed)), ['a1', 'b1']);
  });

  it('of a newer question stay when an older one is answered after it, whose own findings there are replaced', () => {
    const newer = {
      turnId: 't3',
      startedAt: 3,
      reviewed: [{ uri: 'a', lines: [{ startLine: 0, endLine: 5 }] }],
    };
    const reviews = withReview(before, review('t3', kept('a4', 'a', 2)), newer.reviewed);
    const older = review('t2', kept('a5', 'a', 3), kept('a6', 'a', 8), kept('b2', 'b', 1));
    const files = ['a', 'b'].map((uri) => ({ uri, lines: [WHOLE] }));
    assert.deepEqual(openOf(withReview(reviews, older, files, [newer])), ['a4', 'a6', 'b2']);
  });

  it('stay dismissed', () => {
    const dismissed = [review('t1', kept('a1', 'a', 1, { state: 'dismissed' }))];
    const next = withReview(dismissed, review('t2'), [{ uri: 'a', lines: [WHOLE] }]);
    assert.equal(next[0]?.findings[0]?.state, 'dismissed');
  });

  it('of old reviews are deleted', () => {
    let reviews: readonly StoredReview[] = [];
    for (let turn = 0; turn < 50; turn++) reviews = withReview(reviews, review(`t${turn}`), []);
    assert.equal(reviews.length, 30);
    assert.equal(reviews.at(-1)?.turnId, 't49');
  });

  it('that are open stay while another file is reviewed again and again', () => {
    let reviews: readonly StoredReview[] = [review('t0', kept('a1', 'a', 1))];
    const reviewed = [{ uri: 'b', lines: [WHOLE] }];
    for (let turn = 1; turn < 50; turn++)
      reviews = withReview(reviews, review(`t${turn}`, kept(`b${turn}`, 'b', 1)), reviewed);
    assert.deepEqual(openOf(reviews), ['a1', 'b49']);
    assert.equal(reviews.length, 30);
    // There are more than are kept.
    for (let turn = 50; turn < 90; turn++)
      reviews = withReview(reviews, review(`t${turn}`, kept(`c${turn}`, 'c', turn)), []);
    assert.equal(openOf(reviews).length, 30);
    assert.equal(openOf(reviews)[0], 'c60');
  });

  it('are read as they were written', () => {
    const reviews = [
      review(
        't1',
        kept('a0', 'a', 0),
        kept('u', 'a', 1, { placement: { placed: false, reason: 'ambiguous' } }),
      ),
    ];
    assert.deepEqual(
      decodeStoredReviews(JSON.parse(JSON.stringify(reviews)), ({ field }) => assert.fail(field)),
      reviews,
    );
  });

  it('are left out when they cannot be read', () => {
    const reported: string[] = [];
    const read = (json: unknown) => decodeStoredReviews(json, (wrong) => reported.push(describeWrong(wrong)));
    assert.deepEqual(read(undefined), []);
    assert.deepEqual(reported, []);
    assert.deepEqual(read({}), []);
    assert.deepEqual(read([{ turnId: 't' }, 3, null]), []);
    const odd = { ...kept('z', 'a', 1), placement: { placed: true, startLine: 'first', endLine: 2 } };
    const [one] = read([{ ...review('t'), findings: [{ id: 'x' }, odd, kept('y', 'a', 1)] }]);
    assert.deepEqual(reported, [
      'it should be a list',
      'conversationId should be text',
      'it should be an object',
      'it should be an object',
      'finding should be an object',
      'placement.startLine should be a number',
    ]);
    assert.deepEqual(
      one?.findings.map(({ id }) => id),
      ['y'],
    );
  });
});
