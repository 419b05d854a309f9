/** Creates a proposal from each complete answer to a question that asked for one. */
import * as vscode from 'vscode';
import type { Question } from '../../chat/question.ts';
import { askedQuestion, type Exchange } from '../../chat/turn.ts';
import { findAskedLines } from '../../review/askedLines.ts';
import { isAsked, type Succession } from '../../review/beside.ts';
import { renamedUri } from '../../review/fileChanges.ts';
import type { FileProposal } from '../../review/proposal.ts';
import type { UnderReview } from '../../review/proposalSet.ts';
import { isRestAlone, toWholeAnswer } from '../../turns/wholeAnswer.ts';
import type { Log } from '../base/log.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { kindOf } from '../workspace/fileKinds.ts';
import type { RenamedOrigin } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';
import { toProposedFiles } from './proposedFiles.ts';
import { showReplaced } from './reviewNotes.ts';

export interface ProposalCreationDeps {
  readonly conversations: Pick<Conversations, 'find' | 'onDidChange'>;
  readonly proposals: Pick<Proposals, 'add' | 'get' | 'ofFile'>;
  readonly log: Log;
}

/**
 * Listens for answers. One that was cut off creates no proposal, even if its text is valid. The proposal of an answer in
 * several parts belongs to its last turn.
 */
export function registerProposalCreation(deps: ProposalCreationDeps): vscode.Disposable {
  const renames: Rename[] = [];
  const renaming = vscode.workspace.onDidRenameFiles(({ files }) => {
    for (const { oldUri, newUri } of files) renames.push([oldUri.toString(), newUri.toString()]);
  });
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
  const by = toSuccession({ conversation, exchange, turn }, { ...questionNow, ...(revises && { revises }) });
  const earlier = files.flatMap(({ uri }) => deps.proposals.ofFile(uri));
  const fresh = { turnId: turn.id, conversationId: conversation.id, files, trouble, revises };
  const { id } = deps.proposals.add(fresh, by);
  if (by !== undefined)
    for (const one of earlier)
      if (deps.proposals.get(one.proposal.id)?.files.some((file) => isLost(file, one, id, by)))
        showReplaced(deps.log, one);
}

/**
 * What an answer does with earlier proposals in its files. Undefined if it isn't known which lines its question was about:
 * it replaces them.
 */
function toSuccession(
  { conversation: { id, exchanges }, exchange }: Found,
  { origin, more = [], revises }: Question,
): Succession | undefined {
  if (origin?.text === undefined) return undefined;
  const isIn = (one: Exchange, turnId: string) => one.attempts.some((attempt) => attempt.id === turnId);
  return {
    replaces: (earlier) =>
      earlier.id === revises ||
      isIn(exchange, earlier.turnId) ||
      // Its question was edited.
      (earlier.conversationId === id && !exchanges.some((one) => isIn(one, earlier.turnId))),
    askedIn: (uri, text) =>
      [origin, ...more].flatMap((lines) =>
        lines.uri === uri && lines.text !== undefined
          ? (findAskedLines(text, lines.text, lines.startLine) ?? [])
          : [],
      ),
  };
}

/** Whether a file was replaced although the question wasn't about its lines, so that the user doesn't expect it. */
const isLost = (
  now: FileProposal,
  { proposal, file }: UnderReview,
  laterId: string,
  by: Succession,
): boolean =>
  now.uri === file.uri &&
  now.replacedBy === laterId &&
  !by.replaces(proposal) &&
  !by.askedIn(file.uri, file.text).some((span) => isAsked(file, span));
