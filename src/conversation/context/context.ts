/** The context of a question: files, selections, problems, and changes, as text that was read once. */
import { fence } from '../../text/fences.ts';
import type { LineRange } from '../../text/lineRange.ts';
import { estimateTokens } from '../usage/tokens.ts';

export type ContextKind =
  | 'file'
  | 'folder'
  | 'symbol'
  | 'selection'
  | 'problems'
  | 'changes'
  | 'terminal'
  /** A file with instructions of the project. The user didn't add it. */
  | 'instructions';

/** One text of an item: a file in a folder, a notebook cell, or a selected range. */
export interface ContextPart {
  /** Where the text is from, as the model sees it: usually a path in the workspace. */
  readonly label: string;
  readonly range?: LineRange;
  /** The editor's id of the language, used in the fence. */
  readonly language?: string;
  readonly text: string;
  /** The number of lines of the complete text, if its end is omitted here. */
  readonly linesInAll?: number;
  /** Only for instructions: the files that they are for, as globs or as a folder. */
  readonly appliesTo?: string;
}

export type OmitReason =
  | 'ignored'
  | 'binary'
  | 'too-large'
  | 'over-budget'
  | 'too-many'
  | 'outside'
  | 'unreadable'
  | 'untracked'
  | 'secret';

/**
 * A part of an item that was omitted. A folder's path ends in `/` and stands for everything in the folder.
 */
export interface OmittedPart {
  readonly label: string;
  readonly why: OmitReason;
}

export interface ContextItem {
  readonly kind: ContextKind;
  /** The label of the item's chip. */
  readonly label: string;
  /** The address from which the item can be read again. Problems and changes of the whole workspace, and terminal output, have none. */
  readonly uri?: string;
  readonly parts: readonly ContextPart[];
  readonly omitted?: readonly OmittedPart[];
  /** The number of omitted parts that aren't in the list. */
  readonly omittedMore?: number;
  /** The file has changed since the item was added, and the item still has the old text. */
  readonly older?: true;
  /** Only for instructions: an earlier message has them with another text. */
  readonly replaces?: true;
  /** Only for instructions: earlier messages have them, but they no longer apply. The item has no parts. */
  readonly ended?: true;
}

/** The fields of a question that its message is made of. */
interface WithContext {
  readonly text: string;
  readonly context?: readonly ContextItem[];
  readonly preset?: { readonly prompt?: string };
}

/**
 * The text of a question's message: its context, the instruction of its preset, then its text. The same item gives the same bytes, whatever
 * the display language is (R11).
 */
export function toAskedText({ text, context = [], preset }: WithContext): string {
  const items = context.map((item) => (hasTwin(item, context) ? makeItemText(item, true) : toItemText(item)));
  return [...items, preset?.prompt ?? '', text].filter((one) => one !== '').join('\n\n');
}

/** Whether another file has the same path. Several folders of the workspace can have the same name. */
const hasTwin = (item: ContextItem, context: readonly ContextItem[]): boolean =>
  isOfFile(item) &&
  context.some(
    (one) => isOfFile(one) && one.uri !== item.uri && one.parts[0]?.label === item.parts[0]?.label,
  );

/** Whether an item is a file on the disk. An earlier version of a file isn't: its path on this machine would be sent needlessly. */
const isOfFile = ({ kind, uri }: ContextItem): boolean =>
  (kind === 'file' || kind === 'selection' || kind === 'symbol') && uri?.startsWith('file:') === true;

const texts = new WeakMap<ContextItem, string>();

/** An item as the model sees it. Items never change, so the text is cached. */
export function toItemText(item: ContextItem): string {
  const known = texts.get(item);
  if (known !== undefined) return known;
  const text = makeItemText(item);
  texts.set(item, text);
  return text;
}

/** @param isAddressed whether to add the address of the file, because its path is not enough to find it */
function makeItemText(item: ContextItem, isAddressed = false): string {
  const heading = item.kind === 'folder' ? [`Folder ${onOneLine(item.label)}, ${counted(item)}:`] : [];
  const ended = item.ended ? [`${NAMES[item.kind]} ${onOneLine(item.label)} no longer apply.`] : [];
  const parts = item.parts.map((part) => toPartText(part, item, isAddressed));
  return [...heading, ...ended, ...parts].join('\n\n');
}

const tokens = new WeakMap<ContextItem, number>();

/** The estimated tokens of an item as it is sent. */
export function contextTokens(item: ContextItem): number {
  const known = tokens.get(item);
  if (known !== undefined) return known;
  const counted = Math.round(estimateTokens(toItemText(item)));
  tokens.set(item, counted);
  return counted;
}

/** Tells the model what was omitted, so that it doesn't draw wrong conclusions. */
function counted({ parts, omitted = [], omittedMore = 0 }: ContextItem): string {
  const left = omitted.length + omittedMore;
  const files = parts.length === 1 ? '1 file' : `${parts.length} files`;
  return `${files}${left === 0 ? '' : `, ${left} entries left out`}`;
}

function toPartText(
  { label, range, language, text, linesInAll, appliesTo }: ContextPart,
  item: ContextItem,
  isAddressed: boolean,
): string {
  const notes = [
    ...(isAddressed && item.uri !== undefined ? [onOneLine(item.uri)] : []),
    ...(appliesTo === undefined ? [] : [`for ${onOneLine(appliesTo)}`]),
    ...(range === undefined ? [] : [linesOf(range)]),
    ...(linesInAll === undefined ? [] : [`the beginning of ${linesInAll} lines`]),
    ...(item.older === true ? ['as it was when it was added; it has changed since'] : []),
    ...(item.replaces === true ? ['changed; these replace the earlier ones'] : []),
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
  terminal: 'Output of the terminal command',
  instructions: 'Project instructions in',
} as const satisfies Record<ContextKind, string>;

function linesOf({ startLine, endLine }: LineRange): string {
  return startLine === endLine ? `line ${startLine + 1}` : `lines ${startLine + 1}-${endLine + 1}`;
}

/** A path can contain line breaks, which must not end its line. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** Whether two versions of the same item have the same text. */
export function isSameContext(one: ContextItem, other: ContextItem): boolean {
  return toItemText(one) === toItemText(other);
}

/** Whether an item is about lines of a file, which can move. */
export const hasLines = ({ kind }: ContextItem): boolean => kind === 'selection' || kind === 'symbol';

/**
 * Compares an attached item with its source, which was read again as `newest`. Returns the item to keep, and whether the user is
 * told that it has changed. Lines that only moved get their new place; a file keeps its text here, because its current text is
 * read when it is sent.
 */
export function compareWithSource(
  item: ContextItem,
  newest: ContextItem,
): { readonly item: ContextItem; readonly changed: boolean } {
  const lines = hasLines(item);
  if (newest.older === true)
    return { item: lines || item.older === true ? item : { ...item, older: true }, changed: true };
  if (lines) return { item: newest, changed: false };
  const { older, ...known } = item;
  const same = older === true ? known : item;
  return { item: same, changed: !isSameContext(same, newest) };
}
