/** Applies proposed edits to the text of a file. Edits must match exactly. */
import { parsePatch } from 'diff';
import type { ProposedEdit } from './proposalAnswer.ts';

/**
 * Why an edit can't be placed: its text is missing, occurs several times, or overlaps another edit; or its file is
 * missing, already exists, can't be read, or the user did not allow reading it.
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
  /** The text with all edits that could be placed. */
  readonly after: string;
  readonly unplaced: readonly UnplacedEdit[];
}

/** A range of characters in a text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type LineEnd = '\n' | '\r\n';

/** The text with all line ends replaced by one kind. */
export function withLineEnd(text: string, end: LineEnd): string {
  const lines = text.replaceAll('\r\n', '\n');
  return end === '\n' ? lines : lines.replaceAll('\n', '\r\n');
}

/** The line end of a text. In editors, all lines have the same one. */
export const lineEndOf = (text: string): LineEnd => (text.includes('\r\n') ? '\r\n' : '\n');

/**
 * Applies edits to a text. The text of each edit must occur exactly once; if it occurs several times, exactly once in
 * the lines that the question was about.
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

/** Finds lines at the end of a file whose last line has no line end. */
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

/** Whether two ranges overlap, or start at the same position, where the order of insertions would be a guess. */
const meet = (a: Span, b: Span): boolean => (a.from < b.to && b.from < a.to) || a.from === b.from;

/**
 * Models sometimes include the line end of an edit's last line and sometimes don't. An edit that matches complete lines
 * continues to replace complete lines.
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

/** The range of lines that were sent: at their original line, or else where they occur exactly once. */
export function findSentText(text: string, sent: string, line: number): Span | undefined {
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

/** Replaces a range. The last line keeps its line end, or none. */
export function replaceSpan(text: string, { from, to }: Span, code: string): string {
  const end = lineEndOf(text);
  const body = withLineEnd(code, end).replace(/\r?\n$/, '');
  const hadEnd = text.slice(from, to).endsWith('\n');
  return text.slice(0, from) + body + (hadEnd ? end : '') + text.slice(to);
}

/**
 * The edits of a unified diff for one file. Line numbers in diffs written by a model are usually wrong, so the lines
 * must occur exactly once, like those of any edit. A diff without headers is one edit.
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
    // The library doesn't accept the headers, so all lines are used as one hunk.
    return undefined;
  }
}

const toLinesOfHunk = (diff: string): readonly string[] =>
  diff
    .replace(/\n$/, '')
    .split('\n')
    .filter((line) => !/^(---|\+\+\+|@@|diff |index )/.test(line));

/** One side of a hunk. Context lines belong to both; empty ones may lack their leading space. */
function sideOf(lines: readonly string[], sign: '-' | '+'): string {
  const mine = lines.filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign));
  return mine.map((line) => `${line.slice(1)}\n`).join('');
}
