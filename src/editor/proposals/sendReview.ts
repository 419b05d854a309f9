/** Send Review (`k3.sendReview`): sends all remarks with their hunks as one question. */
import * as vscode from 'vscode';
import { toAsked } from '../../chat/asked.ts';
import type { CodeLines } from '../../chat/codePrompts.ts';
import type { Origin, Question } from '../../chat/question.ts';
import { type CommentText, toReviewPrompt } from '../../chat/reviewPrompts.ts';
import type { Turn } from '../../chat/turn.ts';
import type { HunkState } from '../../review/anchors.ts';
import { withTextNow } from '../../review/fileChanges.ts';
import { addedLinesOf, deletedLinesOf, type Hunk, toLines, toSignedLines } from '../../review/hunks.ts';
import type { Remark } from '../../review/keptRemarks.ts';
import { type FileProposal, isUndecided, type Proposal } from '../../review/proposal.ts';
import type { UnderReview } from '../../review/proposalSet.ts';
import { filesOfAll, isOnFile, reviewedProposals } from '../../review/reviewedFiles.ts';
import {
  doneOf,
  type EndedTurn,
  type SentRemarks,
  settleRemarks,
  withRenamedSent,
} from '../../review/sentRemarks.ts';
import { toWholeAnswer } from '../../turns/wholeAnswer.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { showInformation } from '../base/notifications.ts';
import { askWithKeyPrompt, showRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { freeConversation, isFree } from '../conversations/freeConversation.ts';
import { newConversation, nextConversation, type Preview } from '../conversations/previews.ts';
import { linesOfDocument } from '../workspace/selectedCode.ts';
import { requestFiles, requestLines } from '../workspace/sentLines.ts';
import type { MissingFiles } from './missingFiles.ts';
import type { MovedFiles } from './movedFiles.ts';
import { lineEndIn } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';
import type { Remarks } from './remarks.ts';

const t = vscode.l10n.t;

export interface SendReviewDeps {
  readonly conversations: Pick<
    Conversations,
    'front' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask' | 'find' | 'onDidChange'
  >;
  readonly proposals: Pick<Proposals, 'get' | 'underReview'>;
  readonly remarks: Remarks;
  readonly missing: Pick<MissingFiles, 'isMissing'>;
  readonly moved: Pick<MovedFiles, 'follow'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Sent remarks are removed from the editor, and restored if their answer doesn't become complete. */
export function registerSendReview(deps: SendReviewDeps): vscode.Disposable {
  const { conversations, remarks } = deps;
  let sent: SentRemarks = new Map();
  let sending = false;

  async function send(): Promise<void> {
    const made = await makeReview(deps, requestLines);
    // The comments stay where they are.
    if (made === undefined) return;
    const { question, written, wanted } = made;
    const conversationId = freeConversation(conversations, wanted);
    await vscode.commands.executeCommand('k3.focusChat', conversationId);
    const asked = await askWithKeyPrompt((options) => conversations.ask(conversationId, question, options));
    if (asked.ok) {
      sent = new Map([...sent, [asked.turnId, written]]);
      remarks.remove(new Set(written.map(({ id }) => id)));
    }
    await showRefusal(asked);
  }

  const rename = (from: vscode.Uri, to: vscode.Uri) => {
    sent = withRenamedSent(sent, from.toString(), to.toString());
  };
  deps.moved.follow({ files: () => [...sent.values()].flat(), move: rename });

  return vscode.Disposable.from(
    vscode.commands.registerCommand('k3.sendReview', async (reply: unknown) => {
      // Prevents sending twice when the button is double-clicked.
      if (sending) return;
      sending = true;
      // Includes the text of an open comment box.
      if (hasText(reply)) await vscode.commands.executeCommand('k3.addRemark', reply);
      await send().finally(() => {
        sending = false;
      });
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) rename(oldUri, newUri);
    }),
    conversations.onDidChange((change) => {
      if (change.type !== 'turn' || change.turn.outcome === undefined) return;
      const settled = settleRemarks(sent, toEnded(change.turn, conversations.find(change.turn.id)));
      sent = settled.sent;
      for (const remark of settled.back) remarks.put(remark);
      const done = doneOf(remarks.list(), settled.done);
      if (done.length > 0) remarks.remove(new Set(done.map(({ id }) => id)));
    }),
  );
}

/** What Send Review would ask. Keys in the lines are shown, because nothing is sent. */
export const toReviewPreview = (deps: ReviewDeps & Pick<SendReviewDeps, 'conversations'>): Preview => ({
  title: t('Send Review'),
  async make() {
    const made = await makeReview(deps, async () => true);
    if (made === undefined) return undefined;
    const { question, wanted } = made;
    const { conversations } = deps;
    const known =
      wanted !== undefined && isFree(conversations, wanted) ? conversations.get(wanted) : undefined;
    const other = wanted === undefined ? nextConversation(conversations) : newConversation();
    return { conversation: known ?? other, question };
  },
});

type ReviewDeps = Pick<SendReviewDeps, 'proposals' | 'missing' | 'log'> & {
  readonly remarks: Pick<Remarks, 'list'>;
};

interface MadeReview {
  readonly question: Question;
  readonly written: readonly Remark[];
  /** The conversation of the proposal, if there is one. */
  readonly wanted: string | undefined;
}

/** @param mayHave whether lines may be in the question */
async function makeReview(deps: ReviewDeps, mayHave: typeof requestLines): Promise<MadeReview | undefined> {
  const { remarks, proposals } = deps;
  if (remarks.list().length === 0) {
    inBackground(deps.log, offerComment(), 'offering to comment on a line');
    return undefined;
  }
  await openFiles(remarks.list());
  const written = remarks.list();
  const reviewed = reviewedProposals(proposals.underReview(), written);
  const question = await toReviewQuestion(await withoutDeleted(deps, reviewed), written, mayHave);
  return question && { question, written, wanted: reviewed[0]?.conversationId };
}

async function offerComment(): Promise<void> {
  const comment = t('Comment on Line');
  // With a button, the editor shows a message of this length completely.
  const chosen = await showInformation(
    t('There are no comments to send. Add some with “Comment” above a hunk, or on a line.'),
    comment,
  );
  if (chosen === comment) await vscode.commands.executeCommand('k3.commentLine');
}

function toEnded(turn: Turn, found: Found | undefined): EndedTurn {
  const { id, outcome } = turn;
  if (found === undefined) return { id, continues: undefined, whole: outcome === 'complete' };
  const { conversation, exchange } = found;
  const { fits } = toWholeAnswer(conversation.exchanges, exchange.question, turn);
  return { id, continues: exchange.question.continues, whole: outcome === 'complete' && fits };
}

const hasText = (reply: unknown): boolean =>
  typeof reply === 'object' &&
  reply !== null &&
  'text' in reply &&
  typeof reply.text === 'string' &&
  reply.text.trim() !== '';

/** Opens the files of comments, so that these are placed in their text as it is now. */
async function openFiles(remarks: readonly Remark[]): Promise<void> {
  const uris = [...new Set(remarks.map(({ uri }) => uri))];
  // A file that can't be opened any more keeps its comments where they were.
  await Promise.allSettled(uris.map((uri) => vscode.workspace.openTextDocument(vscode.Uri.parse(uri))));
}

/** The files under review, without those that were deleted: there is nothing of them to revise. Their comments are sent. */
async function withoutDeleted(
  { proposals, missing }: ReviewDeps,
  reviewed: readonly Proposal[],
): Promise<readonly UnderReview[]> {
  const deleted = new Set<string>();
  for (const { uri, isNew } of reviewed.flatMap(({ files }) => files))
    if (!isNew && (await missing.isMissing(uri))) deleted.add(uri);
  return filesOfAll(reviewed.map((one) => proposals.get(one.id) ?? one)).filter(
    ({ file }) => !deleted.has(file.uri),
  );
}

async function toReviewQuestion(
  files: readonly UnderReview[],
  remarks: readonly Remark[],
  mayHave: typeof requestLines,
): Promise<Question | undefined> {
  const code = await currentCode(
    files.map(({ file }) => file),
    remarks,
    mayHave,
  );
  if (code === undefined) return undefined;
  const labels = (wanted: HunkState) =>
    files.flatMap(({ file }) =>
      file.hunks
        .filter(({ state }) => state === wanted)
        .map(({ hunk, from }) => toLabel(file, from + hunk.lead, hunk.after)),
    );
  const text = toReviewPrompt({
    remarks: remarks.map((remark) => toRemarkText(remark, files)),
    open: toOpenHunks(files, remarks),
    accepted: labels('accepted'),
    rejected: labels('rejected'),
    code: code.map(({ lines }) => lines),
  });
  return {
    text,
    asked: toAsked(t('Send Review'), remarks.map((remark) => remark.text.trim()).join('\n')),
    images: [],
    origin: code[0]?.origin,
    ...(code.length > 1 && { more: code.slice(1).map(({ origin }) => origin) }),
    ...(code.length === 0 || files[0] === undefined
      ? {}
      : { purpose: 'proposal' as const, revises: files[0].proposal.id }),
  };
}

/** The open hunks without remarks. The revised proposal replaces them, too. */
function toOpenHunks(files: readonly UnderReview[], remarks: readonly Remark[]) {
  const undecided = files.filter(({ file }) => isUndecided(file));
  return undecided.flatMap((one) => {
    const { file } = one;
    return file.hunks
      .filter(
        ({ hunk, state }) =>
          state === 'open' &&
          !remarks.some((remark) => isOnFile(remark, one) && remark.hunk?.hunkId === hunk.id),
      )
      .map(({ hunk, from, to }) => {
        const startLine = toLines(file.text.slice(0, from + hunk.lead)).length;
        const lines = toLines(file.text.slice(from + hunk.lead, to)).length;
        return {
          path: file.label,
          startLine,
          endLine: startLine + Math.max(0, lines - 1),
          diff: toDiffText(hunk),
        };
      });
  });
}

function toRemarkText(remark: Remark, files: readonly UnderReview[]): CommentText {
  const file = files.find(({ file: { uri } }) => uri === remark.uri)?.file;
  const one = files
    .find((found) => isOnFile(remark, found))
    ?.file.hunks.find(({ hunk }) => hunk.id === remark.hunk?.hunkId);
  const { startLine, endLine, quote, text } = remark;
  return {
    path: file?.label ?? vscode.workspace.asRelativePath(vscode.Uri.parse(remark.uri)),
    startLine,
    endLine,
    diff: one ? toDiffText(one.hunk) : undefined,
    quote,
    text,
  };
}

const toDiffText = (hunk: Hunk): string =>
  [...toSignedLines(deletedLinesOf(hunk), '-'), ...toSignedLines(addedLinesOf(hunk), '+')].join('\n');

function toLabel({ label, text }: FileProposal, offset: number, after: string): string {
  const line = toLines(text.slice(0, offset)).length + 1;
  const [first = ''] = toLines(after);
  // For the model.
  return `${label}, line ${line} (\`${first.trim().slice(0, 60).replaceAll('`', "'")}\`)`;
}

interface CurrentCode {
  readonly lines: CodeLines;
  readonly origin: Origin;
}

/** The number of lines to send at most. Of a longer part of a file, only the lines around the remarks are sent. */
const MAX_LINES = 1500;
const LINES_AROUND = 200;

/**
 * The code of each file that a revision may change: first those with remarks, then those with undecided hunks. Undefined
 * if the user doesn't allow a file, or keys in it: what was decided when the proposal was made may no longer hold.
 */
async function currentCode(
  all: readonly FileProposal[],
  remarks: readonly Remark[],
  mayHave: typeof requestLines,
): Promise<readonly CurrentCode[] | undefined> {
  const isRemarked = ({ uri }: FileProposal) => remarks.some((remark) => remark.uri === uri);
  const files = [...all.filter(isRemarked), ...all.filter((file) => !isRemarked(file) && isUndecided(file))];
  const wanted = files.length > 0 ? files : all.slice(0, 1);
  const uriOf = ({ uri }: Pick<FileProposal, 'uri'>) => vscode.Uri.parse(uri);
  if (!(await requestFiles(wanted.filter(({ isNew }) => !isNew).map(uriOf)))) return undefined;
  const sameFiles = [...new Set(wanted.map(({ uri }) => uri))].map((uri) =>
    wanted.filter((file) => file.uri === uri),
  );
  const found = await Promise.all(sameFiles.map((some) => codeOfFile(some, remarks)));
  const code = found.filter((one) => one !== undefined);
  const sent = code.map(({ lines, origin }) => ({ uri: uriOf(origin), text: lines.text }));
  const quoted = remarks.map((remark) => ({ uri: uriOf(remark), text: remark.quote }));
  return (await mayHave([...sent, ...quoted])) ? code : undefined;
}

/**
 * The current lines of a file, which several proposals may change, from the first to the last hunk or line that was asked
 * about. Undefined if it is new.
 */
async function codeOfFile(
  files: readonly FileProposal[],
  remarks: readonly Remark[],
): Promise<CurrentCode | undefined> {
  const [file] = files;
  if (file === undefined || file.isNew) return undefined;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file.uri)).then(
    (opened) => opened,
    // It can't be read as text any more. The other files are still sent.
    () => undefined,
  );
  if (document === undefined) return undefined;
  const spans = files
    .map((one) => withTextNow(one, document.getText(), lineEndIn(document)))
    .flatMap(({ hunks, asked }) => [...hunks, ...(asked === undefined ? [] : [asked])]);
  if (spans.length === 0) return undefined;
  let start = document.positionAt(Math.min(...spans.map(({ from }) => from))).line;
  const last = document.positionAt(Math.max(...spans.map(({ to }) => to)));
  let end = last.character === 0 && last.line > start ? last.line - 1 : last.line;
  if (end - start > MAX_LINES) {
    const lines = remarks
      .filter(({ uri }) => uri === file.uri)
      .flatMap((one) => [one.startLine, one.endLine]);
    start = Math.max(start, Math.min(...lines, end) - LINES_AROUND);
    end = Math.min(end, Math.max(...lines, start) + LINES_AROUND);
  }
  const code = linesOfDocument(document, start, end);
  const { startLine, endLine, text } = code;
  return { lines: code, origin: { uri: file.uri, startLine, endLine, text } };
}
