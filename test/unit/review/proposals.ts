/** Proposals of the tests. */
import { type FileProposal, toFileProposal } from '../../../src/review/proposals/proposal.ts';

/** A change of the file `a`. */
export const propose = (before: string, after: string): FileProposal =>
  toFileProposal({
    uri: 'file:///a',
    label: 'a',
    isNew: false,
    before,
    after,
    asked: undefined,
    unplaced: [],
  });
