/** Creates a proposal from each complete answer to a question that asked for one. */
import type * as vscode from 'vscode';
import { askedQuestion } from '../../conversation/conversation.ts';
import { isRestAlone, toWholeAnswer } from '../../requests/wholeAnswer.ts';
import type { Log } from '../base/log.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { addProposal, toSuccession } from './addProposal.ts';
import type { Proposals } from './proposalList.ts';
import { toProposedFiles } from './proposedFiles.ts';
import type { Renames } from './renamedFiles.ts';
import { showReplaced } from './reviewNotes.ts';

export interface ProposalCreationDeps {
  readonly conversations: Pick<Conversations, 'find' | 'onDidChange'>;
  readonly proposals: Pick<Proposals, 'add' | 'get' | 'ofFile' | 'change'>;
  readonly renames: Pick<Renames, 'since'>;
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
    createProposal(deps, found).catch((error: unknown) => warn(deps, error));
  });
}

const warn = ({ log }: ProposalCreationDeps, error: unknown): void =>
  log.warn(`couldn't create a proposal: ${String(error)}`);

async function createProposal(deps: ProposalCreationDeps, found: Found): Promise<void> {
  const { conversation, exchange, turn } = found;
  const asked = askedQuestion(exchange, turn);
  const { text, question, fits } = toWholeAnswer(conversation.exchanges, asked, turn);
  if (!fits || isRestAlone(conversation.exchanges, asked, turn)) return;
  const questionNow = await deps.renames.since(found).withFilesNow(question);
  const { files, trouble } = await toProposedFiles(text, questionNow).catch((error: unknown) => {
    warn(deps, error);
    return { files: [], trouble: { kind: 'failed' as const } };
  });
  const { revises } = exchange.question;
  const by = toSuccession({ conversation, exchange }, { ...questionNow, ...(revises && { revises }) });
  const fresh = { turnId: turn.id, conversationId: conversation.id, files, trouble, revises };
  const isPlaced = questionNow.origin?.text !== undefined;
  const lost = addProposal(deps.proposals, fresh, by, isPlaced);
  if (isPlaced) for (const one of lost) showReplaced(deps.log, one);
}
