/** What a question carries besides its words: files, selections, problems, changes, as text that was taken once. */
import { fence } from '../text/fences.ts';
import { estimateTokens } from './tokens.ts';

export type ContextKind = 'file' | 'folder' | 'symbol' | 'selection' | 'problems' | 'changes';

/** Lines counted from 0, the last one included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** One text of an item: a file of a folder, a cell of a notebook, a range that was selected. */
export interface ContextPart {
  /** Where the text is from, as the model reads it: a path in the workspace, mostly. */
  readonly label: string;
  readonly range?: LineRange;
  /** The editor's id of the language, which the fence carries. */
  readonly language?: string;
  readonly text: string;
  /** Lines that the whole text has, when the end of it is left out here. */
  readonly linesInAll?: number;
}

export type OmitReason =
  | 'ignored'
  | 'binary'
  | 'too-large'
  | 'over-budget'
  | 'outside'
  | 'unreadable'
  | 'untracked'
  | 'secret';

/** What was left out of an item. A folder's path ends in `/` and stands for all that is in it. */
export interface OmittedPart {
  readonly label: string;
  readonly why: OmitReason;
}

export interface ContextItem {
  readonly kind: ContextKind;
  /** The name on its chip. */
  readonly label: string;
  /** Where it is taken from anew; problems and changes of everything have none. */
  readonly uri?: string;
  readonly parts: readonly ContextPart[];
  readonly omitted?: readonly OmittedPart[];
  /** What was left out beyond the list. */
  readonly omittedMore?: number;
  /** The place has changed since and the text is as it was when it was added. */
  readonly older?: true;
}

/** A question as far as its message is made of it. */
interface WithContext {
  readonly text: string;
  readonly context?: readonly ContextItem[];
}

/**
 * The text of a question's message: its context, then its words. The same item gives the same bytes, whatever the
 * reader's language is (R11).
 */
export function toAskedText({ text, context = [] }: WithContext): string {
  return [...context.map(toItemText), text].filter((one) => one !== '').join('\n\n');
}

const texts = new WeakMap<ContextItem, string>();

/** An item as the model reads it. An item never changes, so it is put together once. */
export function toItemText(item: ContextItem): string {
  const known = texts.get(item);
  if (known !== undefined) return known;
  const heading = item.kind === 'folder' ? [`Folder ${onOneLine(item.label)}, ${counted(item)}:`] : [];
  const text = [...heading, ...item.parts.map((part) => toPartText(part, item))].join('\n\n');
  texts.set(item, text);
  return text;
}

const tokens = new WeakMap<ContextItem, number>();

/** Tokens of an item as it is sent, estimated. */
export function contextTokens(item: ContextItem): number {
  const known = tokens.get(item);
  if (known !== undefined) return known;
  const counted = Math.round(estimateTokens(toItemText(item)));
  tokens.set(item, counted);
  return counted;
}

/** The model is told what it does not see, so that it draws no conclusions from it. */
function counted({ parts, omitted = [], omittedMore = 0 }: ContextItem): string {
  const left = omitted.length + omittedMore;
  const files = parts.length === 1 ? '1 file' : `${parts.length} files`;
  return `${files}${left === 0 ? '' : `, ${left} entries left out`}`;
}

function toPartText({ label, range, language, text, linesInAll }: ContextPart, item: ContextItem): string {
  const notes = [
    ...(range === undefined ? [] : [linesOf(range)]),
    ...(linesInAll === undefined ? [] : [`the beginning of ${linesInAll} lines`]),
    ...(item.older === true ? ['as it was when it was added; it has changed since'] : []),
  ];
  const heading = `${NAMES[item.kind]} ${onOneLine(label)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}:`;
  return `${heading}\n${fence(text, onOneLine(language ?? ''))}`;
}

const NAMES = {
  file: 'File',
  folder: 'File',
  symbol: 'Symbol in',
  selection: 'Selection in',
  problems: 'Problems in',
  changes: 'Changes in',
} as const satisfies Record<ContextKind, string>;

function linesOf({ startLine, endLine }: LineRange): string {
  return startLine === endLine ? `line ${startLine + 1}` : `lines ${startLine + 1}-${endLine + 1}`;
}

/** A path may hold anything, and must not end its line. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** Whether two takings of the same item read the same. */
export function isSameContext(one: ContextItem, other: ContextItem): boolean {
  return toItemText(one) === toItemText(other);
}

/** More than one line is taken as whole lines, so it is found as such. */
const isWholeLines = (whole: string, start: number, end: number) =>
  (start === 0 || whole[start - 1] === '\n') && (end === whole.length || whole[end] === '\n');

/**
 * A part with the lines on which its text stands in a text now: the nearest to where it stood. Undefined when the text
 * is not there any more.
 */
export function relocatePart(whole: string, part: ContextPart): ContextPart | undefined {
  const { text, range } = part;
  if (range === undefined || text === '') return undefined;
  let nearest: number | undefined;
  let line = 0;
  let counted = 0;
  for (let at = whole.indexOf(text); at !== -1; at = whole.indexOf(text, at + 1)) {
    if (text.includes('\n') && !isWholeLines(whole, at, at + text.length)) continue;
    for (; counted < at; counted++) if (whole.charCodeAt(counted) === 10) line++;
    if (nearest === undefined || Math.abs(line - range.startLine) < Math.abs(nearest - range.startLine))
      nearest = line;
  }
  if (nearest === undefined) return undefined;
  return { ...part, range: { startLine: nearest, endLine: nearest + range.endLine - range.startLine } };
}
