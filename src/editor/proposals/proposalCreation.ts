/** Creates a proposal from each complete answer to a question that asked for one. */
import * as vscode from 'vscode';
import { askedQuestion } from '../../conversation/conversation.ts';
import type { Question } from '../../conversation/question.ts';
import { isRestAlone, toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { renamedUri } from '../../review/fileChanges.ts';
import type { Log } from '../base/log.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { kindOf } from '../workspace/fileKinds.ts';
import { addProposal, toSuccession } from './addProposal.ts';
import type { MovedFiles } from './movedFiles.ts';
import type { RenamedOrigin } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';
import { toProposedFiles } from './proposedFiles.ts';
import { showReplaced } from './reviewNotes.ts';

export interface ProposalCreationDeps {
  readonly conversations: Pick<Conversations, 'find' | 'onDidChange'>;
  readonly proposals: Pick<Proposals, 'add' | 'get' | 'ofFile' | 'change'>;
  readonly moved: Pick<MovedFiles, 'follow'>;
  readonly log: Log;
}

/**
 * Listens for answers. One that was cut off creates no proposal, even if its text is valid. The proposal of an answer in
 * several parts belongs to its last turn.
 */
export function registerProposalCreation(deps: ProposalCreationDeps): vscode.Disposable {
  const renames: Rename[] = [];
  const rename = (from: vscode.Uri, to: vscode.Uri) => void renames.push([from.toString(), to.toString()]);
  const renaming = vscode.workspace.onDidRenameFiles(({ files }) => {
    for (const { oldUri, newUri } of files) rename(oldUri, newUri);
  });
  deps.moved.follow({ files: () => [], move: rename });
  const listening = deps.conversations.onDidChange((change) => {
    if (change.type !== 'turn' || change.turn.outcome !== 'complete') return;
    const found = deps.conversations.find(change.turn.id);
    const purpose = found?.exchange.question.purpose;
    if (found === undefined || (purpose !== 'proposal' && purpose !== 'tests')) return;
    createProposal(deps, found, renames).catch((error: unknown) =>
      deps.log.warn(`couldn't create a proposal: ${String(error)}`),
    );
  });
  return vscode.Disposable.from(renaming, listening);
}

/** The earlier and the later URI of a file or folder. */
type Rename = readonly [from: string, to: string];

/** The question with the URI that its file has now. The answer names the file as it was. */
async function withFileNow(question: Question, renames: readonly Rename[]): Promise<Question> {
  const { origin } = question;
  if (origin === undefined) return question;
  const uri = renames.reduce((now, [from, to]) => renamedUri(now, from, to) ?? now, origin.uri);
  const isSame = uri === origin.uri || (await kindOf(vscode.Uri.parse(origin.uri))) === 'file';
  const moved: RenamedOrigin = { ...origin, uri, formerly: origin.uri };
  return isSame ? question : { ...question, origin: moved };
}

async function createProposal(
  deps: ProposalCreationDeps,
  { conversation, exchange, turn }: Found,
  renames: readonly Rename[],
): Promise<void> {
  const asked = askedQuestion(exchange, turn);
  const { text, question, fits } = toWholeAnswer(conversation.exchanges, asked, turn);
  if (!fits || isRestAlone(conversation.exchanges, asked, turn)) return;
  const questionNow = await withFileNow(question, renames);
  const { files, trouble } = await toProposedFiles(text, questionNow);
  const { revises } = exchange.question;
  const by = toSuccession({ conversation, exchange }, { ...questionNow, ...(revises && { revises }) });
  const fresh = { turnId: turn.id, conversationId: conversation.id, files, trouble, revises };
  const isPlaced = questionNow.origin?.text !== undefined;
  const lost = addProposal(deps.proposals, fresh, by, isPlaced);
  if (isPlaced) for (const one of lost) showReplaced(deps.log, one);
}
