/** Joins the parts of a JSON answer that was cut off and continued. */
import { overlapsOf, repeatedLength } from '../../text/seam.ts';
import { readCodeBlocks } from './codeBlocks.ts';
import { findOpenJson, readJsonPrefix } from './jsonPrefix.ts';

export interface JoinedJson {
  readonly text: string;
  /** The JSON is complete. Otherwise, it is valid up to its end. */
  readonly whole: boolean;
}

/** The incomplete JSON at the end of a text, possibly in a code block or below other text. Undefined if there is none. */
export function openJsonOf(text: string): string | undefined {
  const at = findOpenJson(text);
  return at === undefined ? undefined : text.slice(at);
}

/**
 * The two parts as one JSON text; undefined if they can't be joined to valid JSON. The model may repeat the text before the cut, put
 * the rest into a code block, or start again from the beginning.
 *
 * @param first a text for which `openJsonOf` is not undefined
 * @param complete whether the second part ended by itself, so that nothing is missing after it
 */
export function joinJson(first: string, second: string, complete = true): JoinedJson | undefined {
  const lead = first.slice(0, findOpenJson(first));
  const start = first.slice(lead.length);
  const rests = toRests(second);
  let open: JoinedJson | undefined;
  for (const { text, fenced } of rests) {
    for (const length of toLengths(start, text)) {
      const joined = start + text.slice(length);
      const read = readJsonPrefix(joined);
      // If a likelier join is still incomplete, this one counts only if nothing follows the JSON: text that overlaps by chance can
      // contain a bracket that closes a list too early.
      const mayBeWhole = (end: number) => open === undefined || (complete && isEnd(joined.slice(end)));
      if (read.state === 'whole' && mayBeWhole(read.end)) {
        const keeps = !fenced || lead.trim() !== '';
        return { text: lead + (keeps ? joined : joined.slice(0, read.end)), whole: true };
      }
      if (read.state === 'open') open ??= { text: lead + joined, whole: false };
    }
  }
  return rests.map(({ text }) => restart(start, text)).find((one) => one !== undefined) ?? open;
}

/**
 * The numbers of characters to leave out at the start of a rest, the likeliest first: a repetition, nothing, and overlaps that may
 * be chance.
 */
function toLengths(start: string, rest: string): ReadonlySet<number> {
  return new Set([repeatedLength(start, rest), 0, ...overlapsOf(start, rest).slice(0, MAX_TRIES)]);
}

/** The most overlaps to try. Each try reads all of the JSON. */
const MAX_TRIES = 8;

/** Whether nothing comes after the JSON but the end of its code block. */
const isEnd = (text: string) => /^[\s`~]*$/.test(text);

const OPENING = /^\s*(?:`{3}|~{3})[^\n]*\n/;
const LINE_BREAKS = /^[\r\n]+/;
/** Words of the model before the rest, such as “Here is the rest:”. */
const SENTENCE = /^[^\n]{1,300}[:.]\s*\n/;

/** The texts in the second part that can be the rest of the JSON, the likeliest first. */
function toRests(second: string): readonly { readonly text: string; readonly fenced: boolean }[] {
  const unfenced = second.replace(OPENING, '');
  const unspoken = second.replace(SENTENCE, '');
  const [block] = readCodeBlocks(second);
  return [
    { text: second, fenced: false },
    // If the cut is in a string, white space after the line breaks belongs to the string, so only the line breaks are removed here.
    { text: second.replace(LINE_BREAKS, ''), fenced: false },
    { text: second.trimStart(), fenced: false },
    ...(unfenced === second ? [] : [{ text: unfenced, fenced: true }]),
    ...(block === undefined ? [] : [{ text: block.code, fenced: true }]),
    ...(unspoken === second ? [] : [{ text: unspoken, fenced: false }]),
  ];
}

/** The JSON of a second part that starts again from the beginning of the first part. Undefined if it doesn't. */
function restart(start: string, second: string): JoinedJson | undefined {
  const text = second.trimStart();
  const read = readJsonPrefix(text);
  if (read.state === 'broken' || !startsAlike(start, text)) return undefined;
  return read.state === 'whole' ? { text: text.slice(0, read.end), whole: true } : { text, whole: false };
}

/** Whether two objects begin with the same key, or two lists with the same characters. */
function startsAlike(one: string, other: string): boolean {
  const key = firstKeyOf(other);
  if (key !== undefined) return key === firstKeyOf(one);
  return one.startsWith('[') && compact(other).startsWith(compact(one).slice(0, ALIKE_LENGTH));
}

/** How many characters at the start of two lists must be equal, not counting white space. */
const ALIKE_LENGTH = 24;

const compact = (text: string) => text.slice(0, 50 * ALIKE_LENGTH).replace(/\s+/g, '');

/** The first key of an object, up to its colon; undefined if the text ends before. */
const firstKeyOf = (text: string) => /^\{\s*("[^"\\]*(?:\\.[^"\\]*)*")\s*:/.exec(text)?.[1];
