/** Creates a proposal from each complete answer to a question that asked for one. */
import * as vscode from 'vscode';
import { askedQuestion, type Exchange } from '../../conversation/conversation.ts';
import { originsOf, type Question } from '../../conversation/question.ts';
import { isRestAlone, toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { findSentText } from '../../review/findings/sentText.ts';
import type { Log } from '../base/log.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { findDocument, normalizeText } from '../workspace/textSources.ts';
import { addProposal, toSuccession } from './addProposal.ts';
import type { AskedLines } from './askedFile.ts';
import { type PendingAnswers, takeLeft } from './pendingAnswers.ts';
import type { Proposals } from './proposalList.ts';
import { toProposedFiles } from './proposedFiles.ts';
import type { Renames } from './renamedFiles.ts';
import { showReplaced } from './reviewNotes.ts';

export interface ProposalCreationDeps {
  readonly conversations: Pick<Conversations, 'find' | 'get' | 'isUnread' | 'onDidChange'>;
  readonly proposals: Pick<Proposals, 'add' | 'get' | 'ofFile' | 'ofTurn' | 'change'>;
  readonly pending: PendingAnswers;
  readonly renames: Pick<Renames, 'since'>;
  readonly log: Log;
}

/**
 * Listens for answers. An answer that was cut off creates no proposal, even if its text is valid. The proposal of an answer in
 * several parts belongs to its last turn.
 */
export function registerProposalCreation(deps: ProposalCreationDeps): vscode.Disposable {
  /** The texts of documents when a question was asked, in the order of its lines, by the ID of the running turn. */
  const asked = new Map<string, Texts>();
  const { conversations, proposals, pending } = deps;
  let closed = false;
  const create = async (found: Found, wholes?: Texts) => {
    pending.begin({ turnId: found.turn.id, conversationId: found.conversation.id });
    const add = await createProposal(deps, found, wholes);
    // Dialogs are closed with the window, and the next window shows them again.
    if (closed) return;
    add?.();
    pending.end(found.turn.id);
  };
  const createInBackground = (found: Found, wholes?: Texts) =>
    void create(found, wholes).catch((error: unknown) => {
      if (!closed) pending.end(found.turn.id);
      warn(deps, error);
    });
  const left = takeLeft(deps, (found) => {
    if (proposals.ofTurn(found.turn.id).length === 0) createInBackground(found);
    else pending.end(found.turn.id);
  });
  const listening = conversations.onDidChange((change) => {
    if (change.type === 'exchange') keepTexts(asked, change.exchange);
    if (change.type !== 'turn' || change.turn.outcome === undefined) return;
    const { id, outcome } = change.turn;
    const wholes = asked.get(id);
    asked.delete(id);
    const found = outcome === 'complete' ? conversations.find(id) : undefined;
    if (found === undefined || !isForChange(found.exchange.question)) return;
    createInBackground(found, wholes);
  });
  return new vscode.Disposable(() => {
    closed = true;
    pending.leave();
    left.dispose();
    listening.dispose();
  });
}

const isForChange = ({ purpose }: Question): boolean => purpose === 'proposal' || purpose === 'tests';

/** The texts of documents; undefined for one that isn't open. */
type Texts = readonly (string | undefined)[];

function keepTexts(asked: Map<string, Texts>, { question, attempts }: Exchange): void {
  const turn = attempts.at(-1);
  if (turn?.outcome !== undefined || turn === undefined || asked.has(turn.id) || !isForChange(question))
    return;
  const documents = originsOf(question).map(({ uri }) => findDocument(vscode.Uri.parse(uri)));
  asked.set(
    turn.id,
    documents.map((document) => document?.getText()),
  );
}

const warn = ({ log }: ProposalCreationDeps, error: unknown): void =>
  log.warn(`couldn't create a proposal: ${String(error)}`);

/** Creates a proposal. Returns a function that adds it; undefined if the answer has none. */
async function createProposal(
  deps: ProposalCreationDeps,
  found: Found,
  wholes: Texts | undefined,
): Promise<(() => void) | undefined> {
  const { conversation, exchange, turn } = found;
  const asked = askedQuestion(exchange, turn);
  const { text, question, fits } = toWholeAnswer(conversation.exchanges, asked, turn);
  if (!fits || isRestAlone(conversation.exchanges, asked, turn)) return undefined;
  const questionNow = await deps.renames.since(found).withFilesNow(question);
  const { files, trouble } = await toProposedFiles(text, withWholes(questionNow, wholes)).catch(
    (error: unknown) => {
      warn(deps, error);
      return { files: [], trouble: { kind: 'failed' as const } };
    },
  );
  const { revises } = exchange.question;
  const fresh = { turnId: turn.id, conversationId: conversation.id, files, trouble, revises };
  const isPlaced = questionNow.origin?.text !== undefined;
  return () => {
    // Other questions may have been asked while a dialog waited.
    const now = deps.conversations.find(turn.id) ?? found;
    const by = toSuccession(now, { ...questionNow, ...(revises && { revises }) });
    const lost = addProposal(deps.proposals, fresh, by, isPlaced);
    if (isPlaced) for (const one of lost) showReplaced(deps.log, one);
  };
}

/**
 * A question with the texts of its documents, if they contain the lines that were sent: the documents may have changed before the
 * question was asked.
 */
function withWholes(question: Question, wholes: Texts = []): Question {
  const [origin, ...more] = originsOf(question).map((lines, at): AskedLines => {
    const { text, startLine } = lines;
    const whole = wholes[at];
    if (text === undefined || whole === undefined) return lines;
    const isSent = findSentText(normalizeText(whole), text, startLine, true) !== undefined;
    return isSent ? { ...lines, whole } : lines;
  });
  return { ...question, origin, ...(question.more && { more }) };
}
