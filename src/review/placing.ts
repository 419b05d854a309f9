/** Puts proposed edits into the text of a file: exactly, or not at all. */
import { parsePatch } from 'diff';
import type { ProposedEdit } from './proposalForm.ts';

/**
 * Why an edit has no place: its text is not there, is there several times, or lies across another edit; its file is
 * not there, is there already, cannot be read, or the user did not allow it to be read.
 */
export type UnplacedEditReason =
  | 'not-there'
  | 'several'
  | 'overlaps'
  | 'file-missing'
  | 'file-exists'
  | 'unreadable'
  | 'refused';

export interface UnplacedEdit {
  readonly edit: ProposedEdit;
  readonly reason: UnplacedEditReason;
}

export interface PlacedEdits {
  /** The text with every edit that has a place. */
  readonly after: string;
  readonly unplaced: readonly UnplacedEdit[];
}

/** Characters of a text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type LineEnd = '\n' | '\r\n';

/** A text with one kind of line end. */
export function withLineEnd(text: string, end: LineEnd): string {
  const lines = text.replaceAll('\r\n', '\n');
  return end === '\n' ? lines : lines.replaceAll('\n', '\r\n');
}

/** The line end of a text, as editors give it: every line has the same. */
export const lineEndOf = (text: string): LineEnd => (text.includes('\r\n') ? '\r\n' : '\n');

/**
 * The text with the edits in it. Each must stand there exactly once; when it stands there several times, exactly once
 * in the lines that were asked about.
 */
export function placeEdits(text: string, edits: readonly ProposedEdit[], asked?: Span): PlacedEdits {
  const end = lineEndOf(text);
  const placed: (Span & { readonly replace: string })[] = [];
  const unplaced: UnplacedEdit[] = [];
  for (const edit of edits) {
    const found = findPlace(text, withLineEnd(edit.find, end), withLineEnd(edit.replace, end), asked);
    if (typeof found === 'string') unplaced.push({ edit, reason: found });
    else if (placed.some((other) => meet(found, other))) unplaced.push({ edit, reason: 'overlaps' });
    else placed.push(found);
  }
  const after = placed
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { from, to, replace }) => all.slice(0, from) + replace + all.slice(to), text);
  return { after, unplaced };
}

function findPlace(
  text: string,
  find: string,
  replace: string,
  asked: Span | undefined,
): UnplacedEditReason | (Span & { readonly replace: string }) {
  if (find === '') return text === '' ? { from: 0, to: 0, replace } : 'file-exists';
  const all = findAll(text, find);
  const inside = all.filter((at) => asked && at >= asked.from && at + find.length <= asked.to);
  const [at, ...more] = all.length > 1 && inside.length === 1 ? inside : all;
  if (at === undefined) return findLastLines(text, find, replace) ?? 'not-there';
  return more.length > 0 ? 'several' : withWholeLines(text, { from: at, to: at + find.length, replace });
}

/** The last line of a file may have no end, which nobody sees. */
function findLastLines(text: string, find: string, replace: string) {
  const lines = find.replace(/\r?\n$/, '');
  const from = text.length - lines.length;
  const isWhole = find !== lines && text.endsWith(lines) && (from === 0 || text[from - 1] === '\n');
  return isWhole ? { from, to: text.length, replace: replace.replace(/\r?\n$/, '') } : undefined;
}

function findAll(text: string, find: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(find); at !== -1; at = text.indexOf(find, at + 1)) places.push(at);
  return places;
}

/** Two places that share text, or where both would only insert, so that their order would be a guess. */
const meet = (a: Span, b: Span): boolean => (a.from < b.to && b.from < a.to) || a.from === b.from;

/**
 * Whether the last line of an edit carries its end is written now this way and now that. Where the edit is of whole
 * lines, it stays one of whole lines.
 */
function withWholeLines(text: string, place: Span & { readonly replace: string }) {
  const { from, to, replace } = place;
  const end = lineEndOf(text);
  const begins = from === 0 || text[from - 1] === '\n';
  const endsInside = text.slice(from, to).endsWith('\n');
  const endsBefore = text.startsWith(end, to);
  if (!begins || !(endsInside || endsBefore || to === text.length)) return place;
  if (endsInside)
    return replace === '' || replace.endsWith('\n') ? place : { ...place, replace: replace + end };
  if (replace === '' && endsBefore) return { ...place, to: to + end.length };
  return replace.endsWith('\n') ? { ...place, replace: replace.slice(0, -end.length) } : place;
}

/** Where lines stand that were sent: at the line they had, or where they stand exactly once. */
export function findSent(text: string, sent: string, line: number): Span | undefined {
  const lines = withLineEnd(sent, lineEndOf(text));
  if (lines === '') return text === '' ? { from: 0, to: 0 } : undefined;
  const there = offsetOfLine(text, line);
  if (there !== undefined && text.startsWith(lines, there)) return { from: there, to: there + lines.length };
  const [from, ...more] = findAll(text, lines);
  return from === undefined || more.length > 0 ? undefined : { from, to: from + lines.length };
}

function offsetOfLine(text: string, line: number): number | undefined {
  let at = 0;
  for (let passed = 0; passed < line; passed++) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return undefined;
  }
  return at;
}

/** The text with other lines in a place: they end as the lines did whose place they take. */
export function replaceSpan(text: string, { from, to }: Span, code: string): string {
  const end = lineEndOf(text);
  const body = withLineEnd(code, end).replace(/\r?\n$/, '');
  const hadEnd = text.slice(from, to).endsWith('\n');
  return text.slice(0, from) + body + (hadEnd ? end : '') + text.slice(to);
}

/**
 * The edits of a unified diff of one file. Line numbers in a diff that a model wrote are mostly wrong, so that its lines
 * have to stand in the file exactly once like those of any edit. A diff without heads is one edit.
 */
export function toEditsOfDiff(diff: string): readonly ProposedEdit[] {
  const lines = withLineEnd(diff, '\n');
  const hunks = parseHunks(lines) ?? [toLinesOfHunk(lines)];
  return hunks.map((hunk) => ({ find: sideOf(hunk, '-'), replace: sideOf(hunk, '+') }));
}

function parseHunks(diff: string): readonly (readonly string[])[] | undefined {
  try {
    const hunks = parsePatch(diff).flatMap((patch) => patch.hunks.map((hunk) => hunk.lines));
    return hunks.length === 0 ? undefined : hunks;
  } catch {
    // Heads that the library does not take: the lines count as they stand.
    return undefined;
  }
}

const toLinesOfHunk = (diff: string): readonly string[] =>
  diff
    .replace(/\n$/, '')
    .split('\n')
    .filter((line) => !/^(---|\+\+\+|@@|diff |index )/.test(line));

/** One side of a hunk. Lines of context belong to both; some are written without their space when they are empty. */
function sideOf(lines: readonly string[], sign: '-' | '+'): string {
  const mine = lines.filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign));
  return mine.map((line) => `${line.slice(1)}\n`).join('');
}
