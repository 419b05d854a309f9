/** Adds a new proposal beside those under review in its files, or in place of them. */

import type { Exchange } from '../../conversation/conversation.ts';
import { originsOf, type Question } from '../../conversation/question.ts';
import { findAskedLines } from '../../review/findings/askedLines.ts';
import { isAsked, type Succession } from '../../review/proposals/besideProposals.ts';
import { type FileProposal, isUndecidedHunk, type Proposal } from '../../review/proposals/proposal.ts';
import type { UnderReview } from '../../review/proposals/proposalSet.ts';
import type { Found } from '../conversations/foundTurns.ts';
import type { NewProposal, Proposals } from './proposalList.ts';

/**
 * How an answer affects earlier proposals in its files.
 *
 * @param question has no lines if it isn't about any, such as one that is answered with tools
 */
export function toSuccession(
  { conversation: { id, exchanges }, exchange, turn }: Found,
  question: Pick<Question, 'origin' | 'more' | 'revises'>,
): Succession {
  const isIn = (one: Pick<Exchange, 'attempts'>, turnId: string) =>
    one.attempts.some((attempt) => attempt.id === turnId);
  // The proposal of a later attempt can be there already, if this one waited for a dialog.
  const upToTurn = exchange.attempts.findIndex((attempt) => attempt.id === turn.id) + 1;
  const attempts = exchange.attempts.slice(0, upToTurn);
  return {
    askedAt: turn.startedAt,
    replaces: (earlier) =>
      earlier.id === question.revises ||
      isIn({ attempts }, earlier.turnId) ||
      // The question of the earlier proposal was edited, so its branch is no longer shown.
      (earlier.conversationId === id && !exchanges.some((one) => isIn(one, earlier.turnId))),
    askedIn: (uri, text) =>
      originsOf(question).flatMap((lines) =>
        lines.uri === uri && lines.text !== undefined
          ? (findAskedLines(text, lines.text, lines.startLine) ?? [])
          : [],
      ),
  };
}

/**
 * Adds a proposal. Files of other proposals that it replaces although nobody asked for that are stored with it, so that the chat can
 * offer to review them.
 *
 * @param isPlaced false if the lines of the question aren't known. Then the proposal replaces all others in its files
 * @returns the files that were replaced although nobody asked for that
 */
export function addProposal(
  proposals: Pick<Proposals, 'add' | 'get' | 'ofFile' | 'change'>,
  fresh: NewProposal,
  by: Succession,
  isPlaced = true,
): readonly UnderReview[] {
  const earlier = fresh.files.flatMap(({ uri }) => proposals.ofFile(uri));
  const { id } = proposals.add(fresh, isPlaced ? by : undefined);
  const lost = earlier.filter(({ proposal, file }) => {
    const now = proposals.get(proposal.id)?.files.find(({ uri }) => uri === file.uri);
    return now?.replacedBy === id && !isExpected(proposal, file, by);
  });
  for (const { proposal, file } of lost)
    proposals.change(id, file.uri, (one) => withDisplaced(one, proposal, file));
  return lost;
}

/** Whether the user has asked to replace the hunks of a file. */
const isExpected = (proposal: Proposal, file: FileProposal, by: Succession): boolean =>
  by.replaces(proposal) ||
  (proposal.createdAt <= (by.askedAt ?? 0) &&
    by.askedIn(file.uri, file.text).some((span) => isAsked(file, span)));

const withDisplaced = (file: FileProposal, { id }: Proposal, { hunks }: FileProposal): FileProposal => ({
  ...file,
  displaced: [...(file.displaced ?? []), { id, open: hunks.filter(isUndecidedHunk).length }],
});
