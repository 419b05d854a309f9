/** Creates a proposal from each complete answer to a question that asked for one. */
import type * as vscode from 'vscode';
import { askedQuestion } from '../../chat/turn.ts';
import { isRestAlone, toWholeAnswer } from '../../turns/wholeAnswer.ts';
import type { Log } from '../base/log.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import type { Proposals } from './proposalList.ts';
import { toProposedFiles } from './proposedFiles.ts';

export interface ProposalCreationDeps {
  readonly conversations: Pick<Conversations, 'find' | 'onDidChange'>;
  readonly proposals: Pick<Proposals, 'add'>;
  readonly log: Log;
}

/**
 * Listens for answers. One that was cut off creates no proposal, even if its text is valid. The proposal of an answer in
 * several parts belongs to its last turn.
 */
export function registerProposalCreation(deps: ProposalCreationDeps): vscode.Disposable {
  return deps.conversations.onDidChange((change) => {
    if (change.type !== 'turn' || change.turn.outcome !== 'complete') return;
    const found = deps.conversations.find(change.turn.id);
    const purpose = found?.exchange.question.purpose;
    if (found === undefined || (purpose !== 'proposal' && purpose !== 'tests')) return;
    createProposal(deps, found).catch((error: unknown) =>
      deps.log.warn(`couldn't create a proposal: ${String(error)}`),
    );
  });
}

async function createProposal(
  deps: ProposalCreationDeps,
  { conversation, exchange, turn }: Found,
): Promise<void> {
  const asked = askedQuestion(exchange, turn);
  const { text, question, fits } = toWholeAnswer(conversation.exchanges, asked, turn);
  if (!fits || isRestAlone(conversation.exchanges, asked, turn)) return;
  const { files, trouble } = await toProposedFiles(text, question);
  deps.proposals.add({
    turnId: turn.id,
    conversationId: conversation.id,
    files,
    trouble,
    revises: exchange.question.revises,
  });
}
