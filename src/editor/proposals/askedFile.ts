/**
 * Finds the file that an answer changes. If the answer names no file, or only one that doesn't exist, it is about the lines in
 * question if nothing else can be meant.
 */
import * as vscode from 'vscode';
import { type Origin, originsOf, type Question } from '../../conversation/question.ts';
import { placeEdits, type Span, withLineEnd } from '../../review/edits/editPlacement.ts';
import { findLines } from '../../review/edits/linePlaces.ts';
import type { ProposedEdit, ProposedFile } from '../../review/edits/proposalAnswer.ts';
import { shiftLines } from '../../review/findings/findingPlacement.ts';
import { changesBetween } from '../../review/findings/followedLines.ts';
import { findSentText, spanOf } from '../../review/findings/sentText.ts';
import { isConflict } from '../../text/conflicts.ts';
import type { LineRange } from '../../text/lineRange.ts';
import { isWritable } from '../workspace/fileKinds.ts';
import { findInOnlyFolder } from '../workspace/onlyFolder.ts';
import { toPath } from '../workspace/selectedCode.ts';
import { type FindOptions, findTarget, readAsked, type TargetFile } from './proposalFiles.ts';

const t = vscode.l10n.t;

/** The lines of a question, with the text of their document when the question was asked, if known. */
export interface AskedLines extends Origin {
  readonly whole?: string;
}

/** The current range of the lines that were sent; undefined if they have changed. */
export function findAskedSpan(text: string, asked: AskedLines): Span | undefined {
  const { text: sent, whole, startLine } = asked;
  if (sent === undefined) return undefined;
  const isRepeated = whole !== undefined && findLines(toPlain(whole), sent).length > 1;
  return findSentText(text, sent, linesNow(text, asked)?.startLine ?? startLine, isRepeated);
}

/** The current range of lines that may have changed; undefined if the text of their document isn't known. */
export function findChangedSpan(text: string, asked: AskedLines): Span | undefined {
  const lines = linesNow(text, asked);
  return lines && spanOf(text, lines);
}

const linesNow = (text: string, { whole, startLine, endLine }: AskedLines): LineRange | undefined =>
  whole === undefined
    ? undefined
    : changesBetween(whole, text).reduce<LineRange>(shiftLines, { startLine, endLine });

const toPlain = (text: string): string => withLineEnd(text, '\n');

/** Whether a question is about exactly one merge conflict. Its resolution is neither a new file nor an insertion. */
export const isAboutConflict = ({ text }: Origin): boolean => text !== undefined && isConflict(text);

/** The text that replaces a whole conflict: that of a single edit that doesn't say which lines it replaces. Undefined otherwise. */
export function wholeAnswerTo(edits: readonly ProposedEdit[], origin: Origin): string | undefined {
  const [edit, ...more] = edits;
  if (edit === undefined || more.length > 0 || edit.find.trim() !== '' || edit.replace.trim() === '')
    return undefined;
  return edit.readings === undefined && isAboutConflict(origin) ? edit.replace : undefined;
}

/**
 * The lines that code without edits replaces. Undefined if the question has several parts of the file, because the answer doesn't
 * say which one is meant.
 */
export const replacedLines = ({ origin, more = [] }: Question): Origin | undefined =>
  more.some(({ uri }) => uri === origin?.uri) ? undefined : origin;

export const isFileThere = ({ exists, unread, isBlocked }: TargetFile): boolean =>
  exists || (unread !== undefined && isBlocked !== true);

/** The only file of a question whose path ends with the given one. Models leave out folders. */
export function shortenedIn(path: string, question: Question): vscode.Uri | undefined {
  const end = path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(\.?\/)*/, '/');
  const uris = [...originsOf(question), ...(question.context ?? [])].flatMap(({ uri }) => uri ?? []);
  const [only, ...others] = [...new Set(uris)]
    .map((uri) => vscode.Uri.parse(uri))
    .filter((uri) => uri.path.endsWith(end));
  return others.length === 0 ? only : undefined;
}

/** The file that is meant by a path that doesn't exist. Edits without lines to find are for a new file, so there is none. */
export async function findShortened(
  path: string,
  edits: readonly ProposedEdit[],
  question: Question,
  show: FindOptions['show'],
): Promise<TargetFile | undefined> {
  if (edits.length === 0 || edits.some(({ find }) => find === '')) return undefined;
  const uri = shortenedIn(path, question) ?? (await findInOnlyFolder(path.trim().replace(/^\.\//, '')));
  if (uri === undefined) return undefined;
  const target = await findTarget(toPath({ uri }), question, { show });
  return isFileThere(target) ? target : undefined;
}

/**
 * The file that edits belong to. Undefined if the answer doesn't say which of several files that is.
 *
 * @param isOnly whether the answer changes no other file
 */
export async function findEdited(
  { path, edits }: ProposedFile,
  question: Question,
  isOnly: boolean,
  show: FindOptions['show'],
): Promise<TargetFile | undefined> {
  const { origin, purpose } = question;
  const parts = originsOf(question);
  // A long file can be sent in parts.
  const asked = parts.every(({ uri }) => uri === origin?.uri) ? origin : undefined;
  if (path.trim() === '') return asked && readAsked(vscode.Uri.parse(asked.uri));
  const target = await findTarget(path, question, { show });
  if (isFileThere(target)) return target;
  const meant = await findShortened(path, edits, question, show);
  if (meant !== undefined || !isOnly || asked === undefined || purpose !== 'proposal') return meant ?? target;
  const other = await readAsked(vscode.Uri.parse(asked.uri));
  return parts.some((part) => belongTo(edits, other, part)) ? other : target;
}

/** Whether edits are about the lines in question: their lines must be in them word for word. */
function belongTo(edits: readonly ProposedEdit[], { text, lineEnd }: TargetFile, origin: Origin): boolean {
  const asked = findAskedSpan(text, origin);
  if (asked === undefined || edits.length === 0) return false;
  if (wholeAnswerTo(edits, origin) !== undefined) return true;
  const lines = text.slice(asked.from, asked.to);
  return (
    edits.every(({ find }) => find.trim() !== '') &&
    placeEdits(lines, edits, undefined, lineEnd).unplaced.length === 0
  );
}

/** The new file for tests without a path: beside the tested file. */
export async function findTestFile(origin: Origin): Promise<TargetFile> {
  const tested = vscode.Uri.parse(origin.uri);
  // No file can be created beside a notebook cell, a Git version of a file, or an untitled document.
  if (!isWritable(tested)) {
    const label = t('Tests');
    return { uri: vscode.Uri.from({ scheme: 'untitled', path: label }), label, exists: false, text: '' };
  }
  const [, stem, ending] = /^(.*?)(\.[^./]+)?$/.exec(tested.path) ?? [];
  for (let count = 1; ; count++) {
    const path = `${stem ?? tested.path}.test${count === 1 ? '' : count}${ending ?? ''}`;
    const target = await readAsked(tested.with({ path, fragment: '' }));
    if (!isFileThere(target)) return target;
  }
}
