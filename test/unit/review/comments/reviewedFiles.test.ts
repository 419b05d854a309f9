import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Remark } from '../../../../src/review/comments/keptRemarks.ts';
import { filesOfAll, reviewedProposals } from '../../../../src/review/comments/reviewedFiles.ts';
import {
  type Proposal,
  toFileProposal,
  withFile,
  withRejected,
  withReplaced,
} from '../../../../src/review/proposals/proposal.ts';
import { underReviewIn } from '../../../../src/review/proposals/proposalSet.ts';

const propose = (id: string, ...names: readonly string[]): Proposal => ({
  id,
  turnId: id,
  conversationId: 'c',
  createdAt: 0,
  files: names.map((name) =>
    toFileProposal({
      uri: `file:///${name}`,
      label: name,
      isNew: false,
      before: 'a\n',
      after: `${id}\n`,
      asked: undefined,
      unplaced: [],
    }),
  ),
  trouble: undefined,
  revises: undefined,
});

const remark = (name: string, proposalId?: string): Remark => ({
  id: `${name} ${proposalId}`,
  uri: `file:///${name}`,
  startLine: 0,
  endLine: 0,
  quote: 'a',
  text: 'Why?',
  hunk: proposalId === undefined ? undefined : { proposalId, hunkId: '0' },
});

const all = [propose('p1', 'one', 'two'), propose('p2', 'three'), propose('p3', 'four')];
const idsOf = (...remarks: readonly Remark[]) =>
  reviewedProposals(underReviewIn(all), remarks).map(({ id }) => id);

describe('What Send Review is about', () => {
  it('is every proposal with a comment on one of its hunks', () => {
    assert.deepEqual(idsOf(remark('three', 'p2'), remark('one', 'p1'), remark('two', 'p1')), ['p1', 'p2']);
    assert.deepEqual(idsOf(remark('three', 'p2'), remark('four')), ['p2']);
  });

  it('is the last proposal with a comment in its files when no hunk has one', () => {
    assert.deepEqual(idsOf(remark('one'), remark('three')), ['p2']);
    assert.deepEqual(idsOf(remark('elsewhere')), []);
    assert.deepEqual(idsOf(remark('three', 'gone')), ['p2']);
  });

  it('is also the proposals beside those in the same files', () => {
    const beside = propose('p5', 'two');
    const both = [
      ...all.slice(1),
      { ...beside, files: beside.files.map((file) => ({ ...file, beside: ['p1'] })) },
    ];
    const [first = propose('p1')] = all;
    const reviewed = reviewedProposals(underReviewIn([first, ...both]), [remark('one', 'p1')]);
    assert.deepEqual(
      reviewed.map(({ id }) => id),
      ['p1', 'p5'],
    );
    assert.deepEqual(
      filesOfAll(reviewed).map(({ proposal, file }) => `${file.label} of ${proposal.id}`),
      ['one of p1', 'two of p1', 'two of p5'],
    );
  });

  it('is each file once, as it is under review', () => {
    const [first = propose('p1'), second = propose('p2')] = all;
    const both = propose('p4', 'two');
    const replaced = withReplaced(first, both);
    const named = (proposals: readonly Proposal[]) =>
      filesOfAll(proposals).map(({ proposal, file }) => `${file.label} of ${proposal.id}`);
    assert.deepEqual(named([first, second]), ['one of p1', 'two of p1', 'three of p2']);
    assert.deepEqual(named([replaced, both]), ['one of p1', 'two of p4']);
    const rejected = withFile(both, 'file:///two', (file) => withRejected(file, new Set(['0'])));
    assert.deepEqual(named([rejected, replaced]), ['two of p4', 'one of p1']);
  });
});
