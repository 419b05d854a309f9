/** The user's comments on lines, as they are stored until a review is sent. */
import * as v from 'valibot';
import { splitLines } from '../../text/lineEnds.ts';
import type { LineRange } from '../../text/lineRange.ts';
import { type Decoder, decode, type Fields, orUndefined, type WrongField } from '../../validation/decode.ts';
import { type LineChange, shiftLines } from '../findings/findingPlacement.ts';
import { findSentText } from '../findings/sentText.ts';
import { isAtOrBelow, renamedUri } from '../proposals/fileChanges.ts';
import { type CellMark, cellMark } from '../proposals/renumberedCells.ts';

/** A comment on the lines of a hunk, or of any file. */
export interface Remark {
  readonly id: string;
  /** The URI of the file. */
  readonly uri: string;
  /** The hunk that the comment is about; undefined if it is about lines of a file. */
  readonly hunk: { readonly proposalId: string; readonly hunkId: string } | undefined;
  /** Line numbers as the text is now, counted from 0. The last line is included. */
  readonly startLine: number;
  readonly endLine: number;
  /** The text of these lines when the comment was written. */
  readonly quote: string;
  /** The same lines occurred elsewhere in the file when the comment was written. */
  readonly isRepeated?: true;
  /** The notebook cell of the comment, as the cell was when the comment was stored. */
  readonly cell?: CellMark;
  readonly text: string;
}

const text = v.string();
const line = v.pipe(v.number(), v.integer(), v.minValue(0));

const remark: Decoder<Remark> = v.object({
  id: text,
  uri: text,
  hunk: orUndefined(v.object({ proposalId: text, hunkId: text })),
  startLine: line,
  endLine: line,
  quote: text,
  isRepeated: v.exactOptional(v.literal(true)),
  cell: v.exactOptional(cellMark),
  text,
} satisfies Fields<Remark>);

/** The files of the comments, without the texts of the comments, which would be taken for the texts of the files. */
export const filesOfRemarks = (remarks: readonly Remark[]): readonly Pick<Remark, 'uri'>[] =>
  remarks.map(({ uri }) => ({ uri }));

/** The comments after a file or folder was renamed; the same list if none is on it. */
export function withRenamedFile(remarks: readonly Remark[], from: string, to: string): readonly Remark[] {
  if (!remarks.some(({ uri }) => isAtOrBelow(uri, from))) return remarks;
  return remarks.map((one) => ({ ...one, uri: renamedUri(one.uri, from, to) ?? one.uri }));
}

/**
 * The comments after files got other URIs. All files move at once, because a file can get the previous URI of another. The same list
 * if no comment is in them.
 */
export function withMovedFiles(
  remarks: readonly Remark[],
  now: ReadonlyMap<string, string>,
): readonly Remark[] {
  if (!remarks.some(({ uri }) => now.has(uri))) return remarks;
  return remarks.map((one) => ({ ...one, uri: now.get(one.uri) ?? one.uri }));
}

/**
 * The stored comments that can be read. Another version of the extension may have written them.
 *
 * @param stored undefined when nothing is stored
 * @param onWrong called for each comment that is left out
 */
export function decodeRemarks(stored: unknown, onWrong: (wrong: WrongField) => void): readonly Remark[] {
  if (stored === undefined) return [];
  const list = decode(v.array(v.unknown()), stored);
  if (!list.ok) {
    onWrong(list.wrong);
    return [];
  }
  return list.value.flatMap((one) => {
    const decoded = decode(remark, one);
    if (decoded.ok) return [decoded.value];
    onWrong(decoded.wrong);
    return [];
  });
}

/** The comments after changes of the text of a file; the same list if none moved. */
export function withChangedText(
  remarks: readonly Remark[],
  uri: string,
  changes: readonly LineChange[],
  text: string,
): readonly Remark[] {
  const now = splitLines(text);
  // From the last change to the first, so that no change moves the lines of the changes that follow in this order.
  const sorted = changes.toSorted((one, other) => other.startLine - one.startLine);
  return withLines(remarks, uri, (remark) => {
    const shifted = sorted.reduce<LineRange>(shiftLines, remark);
    if (isAt(now, remark.quote, shifted.startLine)) return linesOf(remark, shifted.startLine);
    // The lines were deleted earlier, or are being moved: the comment follows to where they are inserted.
    return (
      sorted.map((change, at) => whereInserted(remark, change, sorted.slice(at + 1), now)).find(Boolean) ??
      shifted
    );
  });
}

/** The comments of a file at the places of their quotes in the text, which may have changed unobserved. The same list if none moved. */
export const placedIn = (remarks: readonly Remark[], uri: string, text: string): readonly Remark[] =>
  withLines(remarks, uri, (remark) => {
    const { quote, startLine, isRepeated } = remark;
    const found = quote.trim() === '' ? undefined : findSentText(text, quote, startLine, isRepeated);
    return found === undefined ? remark : linesOf(remark, splitLines(text.slice(0, found.from)).length - 1);
  });

/**
 * The lines at which a change inserts the quote of a comment; undefined if it doesn't.
 *
 * @param earlier the changes above this one, which move the inserted lines
 */
function whereInserted(
  remark: Remark,
  change: LineChange,
  earlier: readonly LineChange[],
  now: readonly string[],
): LineRange | undefined {
  const { quote } = remark;
  const [first = ''] = splitLines(quote);
  if (quote.trim() === '') return undefined;
  const { startLine } = earlier.reduce<LineRange>(shiftLines, {
    startLine: change.startLine,
    endLine: change.startLine,
  });
  const inserted = splitLines(change.text);
  const places = inserted.flatMap((line, at) =>
    line !== '' && first.endsWith(line) && isAt(now, quote, startLine + at) ? [at] : [],
  );
  // The editor reports changes by another program as one change, which includes the unchanged lines in between. So the quote can
  // occur in it several times, and the occurrence closest to the previous place counts.
  const [above, below] = [remark.startLine - change.startLine, change.endLine - remark.startLine];
  const away = (at: number) => Math.min(Math.abs(at - above), Math.abs(inserted.length - 1 - at - below));
  const [nearest] = places.toSorted((one, other) => away(one) - away(other));
  return nearest === undefined ? undefined : linesOf(remark, startLine + nearest);
}

const linesOf = ({ quote }: Remark, startLine: number): LineRange => ({
  startLine,
  endLine: startLine + splitLines(quote).length - 1,
});

const isAt = (lines: readonly string[], quote: string, line: number): boolean =>
  splitLines(quote).every((one, at) => lines[line + at] === one);

function withLines(
  remarks: readonly Remark[],
  uri: string,
  place: (remark: Remark) => LineRange,
): readonly Remark[] {
  const next = remarks.map((remark) => {
    if (remark.uri !== uri) return remark;
    const { startLine, endLine } = place(remark);
    const isSame = startLine === remark.startLine && endLine === remark.endLine;
    return isSame ? remark : { ...remark, startLine, endLine };
  });
  return next.every((remark, at) => remark === remarks[at]) ? remarks : next;
}
