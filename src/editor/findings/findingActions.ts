/** Performs the actions of a finding: dismiss it, discuss it, or create a proposal from it. */
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import { toAsked } from '../../conversation/shownQuestion.ts';
import { toDiscussion } from '../../review/questions/reviewQuestion.ts';
import { isReply, isThread } from '../base/commentArguments.ts';
import type { Commands } from '../base/laterCommands.ts';
import type { Log } from '../base/log.ts';
import { askForInput } from '../base/notifications.ts';
import { createOnceForReply } from '../base/sameReply.ts';
import type { Composers } from '../composer/composers.ts';
import { askWithKeyPrompt, tellRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ProposeEdits } from '../proposals/proposeEdits.ts';
import { linesOfDocument, type SelectedCode } from '../workspace/selectedCode.ts';
import { requestFiles, requestLines } from '../workspace/sentLines.ts';
import type { Findings } from './findingList.ts';
import type { FindingThreads } from './findingThreads.ts';
import type { OpenFinding } from './openFindings.ts';

const t = vscode.l10n.t;

export interface FindingActionsDeps {
  readonly conversations: Pick<Conversations, 'open' | 'ask'>;
  readonly composers: Pick<Composers, 'enqueue' | 'compose'>;
  readonly findings: Pick<Findings, 'find' | 'dismiss'>;
  readonly threads: Pick<FindingThreads, 'idOf' | 'addReply'>;
  readonly proposeEdits: ProposeEdits;
  readonly log: Pick<Log, 'warn'>;
}

/** The actions as commands of the comment threads and of quick fixes. */
export function createFindingActions(
  deps: FindingActionsDeps,
): Commands<'k3.dismissFinding' | 'k3.discussFinding' | 'k3.proposeFinding'> {
  const { findings, threads } = deps;
  const once = createOnceForReply();

  /** The finding of a command's argument, which is an ID, a thread, or a thread with the user's reply. */
  function targetOf(argument: unknown): { readonly found: OpenFinding; readonly text: string } | undefined {
    const reply = isReply(argument) ? argument : undefined;
    const thread = reply?.thread ?? argument;
    const id = typeof thread === 'string' ? thread : isThread(thread) ? threads.idOf(thread) : undefined;
    const found = id === undefined ? undefined : findings.find(id);
    return found && { found, text: reply?.text ?? '' };
  }

  const on = (act: (found: OpenFinding, text: string) => unknown) => async (argument: unknown) => {
    const target = targetOf(argument);
    if (target !== undefined) await act(target.found, target.text);
  };
  return {
    'k3.dismissFinding': on(({ id }) => findings.dismiss(id)),
    'k3.discussFinding': on((found, text) => once(found.id, text, () => discuss(deps, found, text))),
    'k3.proposeFinding': on((found) => propose(deps, found)),
  };
}

/** The number of lines before and after a finding that are sent when it is discussed. */
const CONTEXT_LINES = 20;

/**
 * Asks in the conversation of the finding, which also shows the answer. If an answer is running there, the question is queued. A
 * reply that can't be sent is put into the message box.
 */
async function discuss(
  { conversations, composers, findings, threads, log }: FindingActionsDeps,
  found: OpenFinding,
  reply: string,
): Promise<void> {
  const { id, conversationId, finding } = found;
  const text = reply.trim() === '' ? await askForText(finding.claim) : reply;
  if (text === undefined || text.trim() === '') return;
  let question: Question | undefined;
  try {
    // The user may have changed the file meanwhile.
    question = await allowedQuestion(findings.find(id) ?? found, text);
  } finally {
    // Also if the file is gone, because the editor has emptied the box.
    if (question === undefined) composers.compose(conversationId, text);
    conversations.open(conversationId);
    await vscode.commands.executeCommand('k3.focusChat');
  }
  if (question === undefined) return;
  const asking = askWithKeyPrompt((options) => conversations.ask(conversationId, question, options));
  const asked = await asking.catch((error: unknown) => {
    composers.compose(conversationId, text);
    throw error;
  });
  const isQueued = !asked.ok && asked.refusal.kind === 'running';
  if (isQueued) composers.enqueue(conversationId, question);
  else if (!asked.ok) composers.compose(conversationId, text);
  if (asked.ok || isQueued) threads.addReply(id, text);
  if (!isQueued) tellRefusal(log, asked);
}

/** The question about a finding; undefined if the user doesn't allow its file or its lines. */
async function allowedQuestion(found: OpenFinding, text: string): Promise<Question | undefined> {
  const { uri } = found;
  // The file was reviewed, but since then a link may have replaced it, or a key may have been typed.
  const toUnselected = await requestFiles([uri]);
  if (toUnselected === undefined) return undefined;
  const { question, code } = await toDiscussionQuestion(found, text);
  return (await requestLines([toUnselected({ uri, text: code.text })])) ? question : undefined;
}

/** The question about a finding, and the lines that are sent with it. */
export async function toDiscussionQuestion(
  { uri, startLine, endLine, finding }: OpenFinding,
  text: string,
): Promise<{ readonly question: Question; readonly code: SelectedCode }> {
  const document = await vscode.workspace.openTextDocument(uri);
  // The file may be shorter now.
  const first = Math.min(startLine, document.lineCount - 1) - CONTEXT_LINES;
  const code = linesOfDocument(document, Math.max(0, first), endLine + CONTEXT_LINES);
  const question: Question = {
    text: toDiscussion(text, finding, { ...code, lineCount: document.lineCount }),
    asked: toAsked(t('Discuss Finding'), text),
    images: [],
    origin: { uri: uri.toString(), startLine, endLine },
  };
  return { question, code };
}

export function askForText(claim: string): Thenable<string | undefined> {
  return askForInput({ title: t('Discuss Finding'), prompt: claim });
}

async function propose(
  { proposeEdits }: FindingActionsDeps,
  { uri, turnId, conversationId, finding: { edit }, startLine, endLine, stale }: OpenFinding,
): Promise<void> {
  const lines = stale ? undefined : { startLine, endLine };
  if (edit !== undefined) await proposeEdits({ uri, edits: [edit], lines, turnId, conversationId });
}
