/** The user's comments on lines, as they are stored until a review is sent. */
import * as v from 'valibot';
import { type Decoder, decode, type Fields, orUndefined, type WrongField } from '../validation/decode.ts';
import { isAtOrBelow, renamedUri } from './fileChanges.ts';

/** A comment on the lines of a hunk, or of any file. */
export interface Remark {
  readonly id: string;
  /** The URI of the file. */
  readonly uri: string;
  /** The hunk that it is about; undefined for lines of a file. */
  readonly hunk: { readonly proposalId: string; readonly hunkId: string } | undefined;
  /** Line numbers when the comment was written, counted from 0. The last line is included. */
  readonly startLine: number;
  readonly endLine: number;
  /** The text of these lines when the comment was written. */
  readonly quote: string;
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
  text,
} satisfies Fields<Remark>);

/** The comments after a file or folder was renamed; the same list if none is on it. */
export function withRenamedFile(remarks: readonly Remark[], from: string, to: string): readonly Remark[] {
  if (!remarks.some(({ uri }) => isAtOrBelow(uri, from))) return remarks;
  return remarks.map((one) => ({ ...one, uri: renamedUri(one.uri, from, to) ?? one.uri }));
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
