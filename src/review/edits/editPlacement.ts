/** Applies proposed edits to the text of a file. Edits must match exactly. */

import { toLines } from '../hunks/hunks.ts';
import { chooseOne, chooseWords, isInside } from './chosenPlace.ts';
import {
  isEditConflict,
  isSameReplacement,
  type Repetition,
  type Replacement,
  repetitionsOf,
  withoutUnchangedLines,
} from './editConflicts.ts';
import { readIn } from './editReadings.ts';
import {
  contains,
  findSavedLines,
  findTrimmedLines,
  indentBefore,
  type Span,
  withoutLastLineEnd,
} from './linePlaces.ts';
import type { ProposedEdit } from './proposalAnswer.ts';

/**
 * Why an edit can't be placed. `no-text`: the file is new, but has no text. `refused`: the user didn't allow reading the file.
 * `unclear`: see {@link ProposedEdit.readings}.
 */
export type UnplacedEditReason =
  | 'not-there'
  | 'part-of-line'
  | 'several'
  | 'overlaps'
  | 'file-missing'
  | 'file-exists'
  | 'no-text'
  /** The edit renames, copies, or deletes the file, or changes its mode or binary contents. */
  | 'whole-file'
  /** The edit would leave a single marker of the conflict that the question is about. */
  | 'marker-left'
  | 'unclear'
  /** Finding the places of the edits before this one has taken too long. */
  | 'too-many'
  | 'unreadable'
  | 'moved'
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

export type { Span };
export type LineEnd = '\n' | '\r\n';

/** The text with all line ends replaced by one kind, as editors do it when a text is inserted. */
export function withLineEnd(text: string, end: LineEnd): string {
  return text.replace(/\r\n|\r|\n/g, end);
}

/**
 * The line end of a text. In editors, all lines have the same one.
 *
 * @param otherwise the line end of its document, for a text of one line, which doesn't show it
 */
export function lineEndOf(text: string, otherwise: LineEnd = '\n'): LineEnd {
  if (!text.includes('\n')) return otherwise;
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The time limit for placing edits. A model can return thousands of edits, and each is searched for in the whole text. */
const TIMEOUT_MS = 2000;
/** This many edits are always placed, also if the machine was suspended meanwhile. */
const FEW_EDITS = 100;

/**
 * Applies edits to a text. The lines of each edit must occur exactly once; if they occur several times, exactly once in the lines
 * that the question was about. Equal edits get a place each if there are as many equal edits as places, in the file or in the lines
 * in question.
 *
 * @param question the lines that the question was about
 * @param lineEnd the line end of the document, for a text without one
 * @param sent the text that contained these lines when they were sent, if the file has changed since. Lines that occurred several
 * times in it aren't placed outside the lines in question, because the remaining occurrence is another one
 */
export function placeEdits(
  text: string,
  edits: readonly ProposedEdit[],
  question?: Span | readonly Span[],
  lineEnd?: LineEnd,
  sent?: string,
): PlacedEdits {
  const end = lineEndOf(text, lineEnd);
  const asked = question === undefined ? [] : 'from' in question ? [question] : question;
  const before = sent && withLineEnd(sent, end);
  const wasRepeated = (edit: ProposedEdit, among: Repetition | undefined) =>
    before !== undefined && findPlace(before, readIn(before, edit), [], end, among) === 'several';
  const placed: Replacement[] = [];
  const unplaced: UnplacedEdit[] = [];
  const repetitions = repetitionsOf(edits);
  const until = performance.now() + TIMEOUT_MS;
  for (const [at, edit] of edits.entries()) {
    if (at >= FEW_EDITS && performance.now() > until) {
      unplaced.push({ edit, reason: 'too-many' });
      continue;
    }
    const among = repetitions[at];
    const found = findPlace(text, readIn(text, edit), asked, end, among);
    const isAgain = among !== undefined && among.index > 0;
    // Models repeat edits, so a repeated one is skipped.
    if (typeof found === 'string' ? isAgain : placed.some((other) => isSameReplacement(found, other)))
      continue;
    if (typeof found === 'string') unplaced.push({ edit, reason: found });
    else if (!isInside(found, asked) && wasRepeated(edit, among)) unplaced.push({ edit, reason: 'unclear' });
    else if (placed.some((other) => isEditConflict(text, found, other)))
      unplaced.push({ edit, reason: 'overlaps' });
    else placed.push(found);
  }
  const after = placed
    .map((place) => ({ place, change: withoutUnchangedLines(text, place) }))
    .toSorted((a, b) => b.change.from - a.change.from || b.place.from - a.place.from)
    .reduce((all, { change: { from, to, replace } }) => all.slice(0, from) + replace + all.slice(to), text);
  return { after, unplaced };
}

function findPlace(
  text: string,
  edit: ProposedEdit | undefined,
  asked: readonly Span[],
  end: LineEnd,
  among: Repetition | undefined,
): UnplacedEditReason | Replacement {
  if (edit === undefined) return 'unclear';
  const [find, replace] = [withLineEnd(edit.find, end), withLineEnd(edit.replace, end)];
  if (text === '' && find === '') return { from: 0, to: 0, replace };
  const blank = find.trim() === '' ? blankLineOf(text, asked) : undefined;
  if (find === '' || blank?.from === text.length)
    return blank === undefined ? 'file-exists' : insertAt(blank.from, replace, end);
  const lines = chooseOne(findSavedLines(text, find), asked, among);
  if (lines === 'several' && blank !== undefined) return withNewLines(text, blank, replace);
  if (lines !== undefined) return typeof lines === 'string' ? lines : withNewLines(text, lines, replace);
  if (blank !== undefined) return withNewLines(text, blank, replace);
  const trimmed = chooseOne(findTrimmedLines(text, find), asked, among);
  if (typeof trimmed === 'string') return trimmed;
  if (trimmed !== undefined) {
    const lines = withoutIndent(text, trimmed, replace);
    return keepsIndent(text, trimmed, lines) ? withNewLines(text, trimmed, lines) : 'part-of-line';
  }
  const inside = chooseWords(text, find, asked, among);
  if (inside !== undefined) return typeof inside === 'string' ? inside : withNewWords(inside, find, replace);
  return contains(text, withoutLastLineEnd(find)) ? 'part-of-line' : 'not-there';
}

/** New lines above a line. */
const insertAt = (at: number, lines: string, end: LineEnd): Replacement => ({
  from: at,
  to: at,
  replace: lines === '' ? '' : withoutLastLineEnd(lines) + end,
});

/** The line in question without its line end, if it is a single blank line, which its text can't identify. */
function blankLineOf(text: string, [asked, ...more]: readonly Span[]): Span | undefined {
  if (asked === undefined || more.length > 0) return undefined;
  const [line = '', ...others] = toLines(text.slice(asked.from, asked.to));
  const isLine = asked.from === 0 || text[asked.from - 1] === '\n';
  if (line.trim() !== '' || others.length > 0 || !isLine) return undefined;
  return { from: asked.from, to: asked.from + withoutLastLineEnd(line).length };
}

/**
 * Whether new lines that replace a line sent without its indentation are indented. If one line becomes several, only the first of
 * them gets the indentation that is already in the text.
 */
function keepsIndent(text: string, { from, to }: Span, replace: string): boolean {
  const indent = indentBefore(text, from) ?? '';
  if (indent === '' || text.slice(from, to).includes('\n')) return true;
  const [, ...rest] = withoutLastLineEnd(replace).split('\n');
  return rest.every((line) => line.trim() === '' || line.startsWith(indent));
}

/** The new lines without the indentation of the first one, which the text already has, because the lines to find lack it. */
function withoutIndent(text: string, { from }: Span, replace: string): string {
  const indent = indentBefore(text, from) ?? '';
  return replace.startsWith(indent) ? replace.slice(indent.length) : replace;
}

/**
 * Replaces complete lines by complete lines. Models sometimes include the line end of the last line in an edit and sometimes don't,
 * so the text keeps its own. If there are no new lines, the old ones are deleted with their line end.
 */
function withNewLines(text: string, { from, to }: Span, replace: string): Replacement {
  const [rest] = /^[ \t]*(\r?\n)?/.exec(text.slice(to)) ?? [''];
  if (replace !== '') return { from, to: to + rest.length, replace: withoutLastLineEnd(replace) + rest };
  return { from: from - (indentBefore(text, from) ?? '').length, to: to + rest.length, replace };
}

/** Replaces words in a line by words. A line end behind the new words splits the line only if it is all that the edit adds. */
function withNewWords(place: Span, find: string, replace: string): Replacement {
  const words = withoutLastLineEnd(replace);
  return { ...place, replace: words === find ? replace : words };
}

/**
 * Replaces a range. The last line keeps its line end, or stays without one. For an empty range, such as the empty line at the end of
 * a text, complete lines are inserted.
 *
 * @param lineEnd the line end of the document, for a text without one
 */
export function replaceSpan(text: string, { from, to }: Span, code: string, lineEnd?: LineEnd): string {
  if (from === to) return insertLines(text, from, code, lineEnd);
  const end = lineEndOf(text, lineEnd);
  const body = withoutLastLineEnd(withLineEnd(code, end));
  const hadEnd = text.slice(from, to).endsWith('\n');
  return text.slice(0, from) + body + (hadEnd ? end : '') + text.slice(to);
}

/** Inserts code as complete lines. `at` is the start of a line, or the end of the text; `lineEnd` as above. */
export function insertLines(text: string, at: number, code: string, lineEnd?: LineEnd): string {
  const end = lineEndOf(text, lineEnd);
  const above = text.slice(0, at);
  const lines = withoutLastLineEnd(withLineEnd(code, end)) + end;
  return above + (above === '' || above.endsWith('\n') ? '' : end) + lines + text.slice(at);
}
