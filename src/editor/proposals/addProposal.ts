/** What a new proposal does with those under review in its files: it stands beside them, or replaces them and says so. */

import type { Exchange } from '../../conversation/conversation.ts';
import { originsOf, type Question } from '../../conversation/question.ts';
import { findAskedLines } from '../../review/findings/askedLines.ts';
import { isAsked, type Succession } from '../../review/proposals/besideProposals.ts';
import { type FileProposal, isUndecidedHunk, type Proposal } from '../../review/proposals/proposal.ts';
import type { UnderReview } from '../../review/proposals/proposalSet.ts';
import type { Found } from '../conversations/foundTurns.ts';
import type { NewProposal, Proposals } from './proposalList.ts';

/**
 * What an answer does with earlier proposals in its files.
 *
 * @param question without lines if it isn't about any, such as one that is answered with tools
 */
export function toSuccession(
  { conversation: { id, exchanges }, exchange, turn }: Found,
  question: Pick<Question, 'origin' | 'more' | 'revises'>,
): Succession {
  const isIn = (one: Exchange, turnId: string) => one.attempts.some((attempt) => attempt.id === turnId);
  return {
    askedAt: turn.startedAt,
    replaces: (earlier) =>
      earlier.id === question.revises ||
      isIn(exchange, earlier.turnId) ||
      // Its question was edited.
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
 * Adds a proposal. The files of others that it replaces although nobody asked for that are kept with it, so that the chat
 * can offer to review them.
 *
 * @param isPlaced false if it isn't known which lines its question was about: it replaces all in its files then
 * @returns those files
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

/** Whether the user has asked for the place of a file's hunks to be taken. */
const isExpected = (proposal: Proposal, file: FileProposal, by: Succession): boolean =>
  by.replaces(proposal) ||
  (proposal.createdAt <= (by.askedAt ?? 0) &&
    by.askedIn(file.uri, file.text).some((span) => isAsked(file, span)));

const withDisplaced = (file: FileProposal, { id }: Proposal, { hunks }: FileProposal): FileProposal => ({
  ...file,
  displaced: [...(file.displaced ?? []), { id, open: hunks.filter(isUndecidedHunk).length }],
});
