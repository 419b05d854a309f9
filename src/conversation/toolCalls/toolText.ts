/** Formats text results of tools. Their length is limited, and they say what was omitted. */
import { cutLines } from '../cutText.ts';

/**
 * As many complete lines of the result as fit, with a line about the rest.
 *
 * @param most the maximum length, in UTF-16 code units
 */
export function boundResult(text: string, hint: string, most: number): string {
  const cut = cutLines(text, most);
  if (cut.text.length === text.length) return text;
  const shown = cut.text.split('\n').length - (cut.text.endsWith('\n') ? 1 : 0);
  const lines = cut.linesInAll === undefined ? '' : `, ${shown} of ${cut.linesInAll} lines`;
  return `${cut.text.replace(/\n$/, '')}\n[Cut${lines} shown. ${hint}]`;
}

/** A list with one item per line, and the number of items that were omitted. */
export function toShortList(lines: readonly string[], most: number, what: string): string {
  const more = lines.length - most;
  const shown = lines.slice(0, most).join('\n');
  return more > 0 ? `${shown}\n[${most} of ${lines.length} ${what} shown.]` : shown;
}

/**
 * Lines of a file with line numbers.
 *
 * @param from the first line, counted from 1
 * @param to the last line, included
 */
export function toNumberedText(text: string, from: number, to: number): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const first = Math.max(1, from);
  const last = Math.min(to, lines.length);
  if (first > lines.length) return `[The file has ${lines.length} lines.]`;
  const shown = lines.slice(first - 1, last).map((line, index) => `${first + index}\t${line}`);
  const whole = first === 1 && last === lines.length;
  return [...shown, ...(whole ? [] : [`[Lines ${first} to ${last} of ${lines.length}.]`])].join('\n');
}

export interface LineMatch {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** Longer lines are cut around the match, in characters. */
const MAX_LINE_LENGTH = 300;

/**
 * The lines that contain a text, case-sensitive or not. The text is never a pattern, so a search always ends.
 */
export function findMatchingLines(
  text: string,
  wanted: string,
  matchCase: boolean,
  most: number,
): readonly LineMatch[] {
  const needle = matchCase ? wanted : wanted.toLowerCase();
  const matches: LineMatch[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const at = (matchCase ? line : line.toLowerCase()).indexOf(needle);
    if (at === -1) continue;
    matches.push({ line: index + 1, text: around(line, at) });
    if (matches.length >= most) break;
  }
  return matches;
}

/** The characters of words, first with those that only some languages allow in names, and then without them. */
const WORDS = [/[\p{L}\p{N}_$-]/u, /[\p{L}\p{N}_]/u];

/** The offset of a name on a line, if possible where it isn't part of a longer name. -1 if the line doesn't contain it. */
export function findName(line: string, name: string): number {
  const first = line.indexOf(name);
  for (const word of WORDS)
    for (let at = first; at !== -1; at = line.indexOf(name, at + 1)) {
      const end = at + name.length;
      const goesOn = (one: number) => word.test(line.charAt(one - 1)) && word.test(line.charAt(one));
      if (!goesOn(at) && !goesOn(end)) return at;
    }
  return first;
}

function around(line: string, at: number): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const from = Math.max(0, at - MAX_LINE_LENGTH / 3);
  const end = from + MAX_LINE_LENGTH;
  return `${from > 0 ? '…' : ''}${line.slice(from, end)}${end < line.length ? '…' : ''}`;
}

/** Elements that are nested more deeply are ignored. */
const MAX_DEPTH = 200;

/**
 * The text of a prompt element, as `@vscode/prompt-tsx` writes it for a tool's result: a tree of pieces whose
 * leaves have `text`. A piece can start on a new line.
 */
export function textOfPromptElement(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return '';
  if ('node' in value) return textOfPromptElement(value.node, depth + 1);
  if ('text' in value && typeof value.text === 'string') {
    return 'lineBreakBefore' in value && value.lineBreakBefore === true ? `\n${value.text}` : value.text;
  }
  if (!('children' in value) || !Array.isArray(value.children)) return '';
  return value.children.map((child: unknown) => textOfPromptElement(child, depth + 1)).join('');
}
