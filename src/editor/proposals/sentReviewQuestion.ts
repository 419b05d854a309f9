/** Creates the question of Send Review: all comments with their hunks, the other hunks, and the current code. */
import * as vscode from 'vscode';
import type { CodeLines } from '../../conversation/prompts/codePrompts.ts';
import { type CommentText, toReviewPrompt } from '../../conversation/prompts/reviewPrompts.ts';
import type { Origin, Question } from '../../conversation/question.ts';
import { toAsked } from '../../conversation/shownQuestion.ts';
import { commentedLines } from '../../review/comments/commentedLines.ts';
import type { Remark } from '../../review/comments/keptRemarks.ts';
import { filesOfAll, isOnFile } from '../../review/comments/reviewedFiles.ts';
import type { HunkState } from '../../review/hunks/anchors.ts';
import { addedLinesOf, deletedLinesOf, type Hunk, toLines, toSignedLines } from '../../review/hunks/hunks.ts';
import { withTextNow } from '../../review/proposals/fileChanges.ts';
import { type FileProposal, isUndecided, type Proposal } from '../../review/proposals/proposal.ts';
import type { UnderReview } from '../../review/proposals/proposalSet.ts';
import { linesOfDocument, toPath } from '../workspace/selectedCode.ts';
import { requestFiles, type requestLines } from '../workspace/sentLines.ts';
import { isCell, readText } from '../workspace/textSources.ts';
import { currentFile, openCurrent } from './currentFile.ts';
import type { MissingFiles } from './missingFiles.ts';
import { lineEndIn } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';
import { showBinary } from './reviewNotes.ts';

const t = vscode.l10n.t;

/**
 * Opens the files of comments, so that the comments move to their current lines. If a file can't be opened, its comments stay where
 * they were.
 */
export async function openRemarkFiles(remarks: readonly Remark[]): Promise<void> {
  // For a closed untitled document, the editor would open a new one.
  const uris = [...new Set(remarks.map(({ uri }) => uri))].filter((uri) => !uri.startsWith('untitled:'));
  await Promise.allSettled(uris.map((uri) => vscode.workspace.openTextDocument(vscode.Uri.parse(uri))));
}

/**
 * Opens the cells of these proposals, so that their URIs stay the same while the question is created: when a cell is opened, its notebook
 * is opened as well, and all its cells get other URIs. Cells that can't be opened are left out.
 */
export async function openReviewedCells(
  proposals: Pick<Proposals, 'get'>,
  reviewed: readonly Proposal[],
): Promise<void> {
  const cells = reviewed.flatMap(({ id, files }) =>
    files
      .filter(({ uri }) => isCell(vscode.Uri.parse(uri)))
      .map(({ uri }) => currentFile(proposals, id, uri)),
  );
  for (const current of cells) await openCurrent(current);
}

interface FilesUnderReview {
  readonly proposals: Pick<Proposals, 'get'>;
  readonly missing: Pick<MissingFiles, 'isMissing'>;
}

/** The files under review, without deleted ones, of which nothing can be revised. Comments on them are still sent. */
export async function withoutDeleted(
  { proposals, missing }: FilesUnderReview,
  reviewed: readonly Proposal[],
): Promise<readonly UnderReview[]> {
  const deleted = new Set<string>();
  for (const { uri, isNew } of reviewed.flatMap(({ files }) => files))
    if (!isNew && (await missing.isMissing(uri))) deleted.add(uri);
  return filesOfAll(reviewed.map((one) => proposals.get(one.id) ?? one)).filter(
    ({ file }) => !deleted.has(file.uri),
  );
}

/**
 * One question with all comments, their hunks, and the current code. Undefined if the user doesn't allow a file or its lines.
 *
 * @param mayHave returns whether lines may be in the question
 */
export async function toReviewQuestion(
  reviewed: readonly UnderReview[],
  remarks: readonly Remark[],
  mayHave: typeof requestLines,
): Promise<Question | undefined> {
  const files = reviewed.map((one) => ({ ...one, file: withOwnLabel(one.file, reviewed) }));
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

/**
 * The file with a label that is unique among the files under review. If other files have the same label, because their folders have
 * the same name, the label gets the names of the folders above.
 */
function withOwnLabel(file: FileProposal, reviewed: readonly UnderReview[]): FileProposal {
  const { uri, label } = file;
  const others = reviewed.map((one) => one.file).filter((one) => one.label === label && one.uri !== uri);
  const pathOf = (one: Pick<FileProposal, 'uri'>) => vscode.Uri.parse(one.uri).path;
  const [path, end] = [pathOf(file), `/${label}`];
  if (others.length === 0 || !path.endsWith(end)) return file;
  const above = path.slice(0, -end.length).split('/');
  const names = above.map((_, at) => `${above.slice(at).join('/')}${end}`);
  const own = names.findLast((name) => !others.some((one) => pathOf(one).endsWith(`/${name}`)));
  return { ...file, label: own ?? label };
}

/** The open hunks without comments. They are part of the question, because the revised proposal replaces them, too. */
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
    path: file?.label ?? toPath({ uri: vscode.Uri.parse(remark.uri) }),
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
  // Not translated, because this is for the model.
  return `${label}, line ${line} (\`${first.trim().slice(0, 60).replaceAll('`', "'")}\`)`;
}

interface CurrentCode {
  readonly lines: CodeLines;
  readonly origin: Origin;
}

/**
 * The code of each file that a revision may change: first files with comments, then files with undecided hunks. Undefined if the
 * user doesn't allow a file, or keys in it, because decisions from the creation of the proposal may no longer hold. Also undefined
 * if a file is no longer text, which is shown in a message.
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
  const toUnselected = await requestFiles(wanted.filter(({ isNew }) => !isNew).map(uriOf));
  if (toUnselected === undefined) return undefined;
  const sameFiles = [...new Set(wanted.map(({ uri }) => uri))].map((uri) =>
    wanted.filter((file) => file.uri === uri),
  );
  for (const { uri, label, isNew } of wanted) {
    const read = isNew ? undefined : await readText(vscode.Uri.parse(uri));
    if (read?.ok === false && read.why === 'binary') return void showBinary({ label });
  }
  const found = await Promise.all(sameFiles.map((some) => codeOfFile(some, remarks)));
  const code = found.flat();
  const sent = code.map(({ lines, origin }) => toUnselected({ uri: uriOf(origin), text: lines.text }));
  const quoted = remarks.map((remark) => ({ uri: uriOf(remark), text: remark.quote }));
  return (await mayHave([...sent, ...quoted])) ? code : undefined;
}

/**
 * The current lines of a file, which several proposals may change: from the first to the last hunk or line in question, or parts of
 * them. None if the file is new.
 */
async function codeOfFile(
  files: readonly FileProposal[],
  remarks: readonly Remark[],
): Promise<readonly CurrentCode[]> {
  const [file] = files;
  if (file === undefined || file.isNew) return [];
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file.uri)).then(
    (opened) => opened,
    // The file can no longer be read as text. The other files are still sent.
    () => undefined,
  );
  if (document === undefined) return [];
  const now = files.map((one) => withTextNow(one, document.getText(), lineEndIn(document)));
  const spans = now.flatMap(({ hunks, asked }) => [...hunks, ...(asked === undefined ? [] : [asked])]);
  if (spans.length === 0) return [];
  const start = document.positionAt(Math.min(...spans.map(({ from }) => from))).line;
  const last = document.positionAt(Math.max(...spans.map(({ to }) => to)));
  const end = last.character === 0 && last.line > start ? last.line - 1 : last.line;
  const comments = remarks.filter(({ uri }) => uri === file.uri);
  const open = now.flatMap(({ hunks }) => hunks.filter(({ state }) => state === 'open'));
  const others = open.map(({ from, to }) => ({
    startLine: document.positionAt(from).line,
    endLine: document.positionAt(to).line,
  }));
  return commentedLines({ startLine: start, endLine: end }, comments, others).map((part) => {
    const code = linesOfDocument(document, part.startLine, part.endLine);
    const path = file.label.endsWith(`/${code.path}`) ? file.label : code.path;
    const { startLine, endLine, text } = code;
    return { lines: { ...code, path }, origin: { uri: file.uri, startLine, endLine, text, path } };
  });
}
