/** Creates excerpts of texts in scripts that don't separate words, with the found terms marked. */
import { parseJson } from '../service/json.ts';
import { MATCH_MARKS, stringsOf, withoutJsonForm } from './searchSnippet.ts';
import { type Term, type Token, tokensOf } from './unspacedTokens.ts';

/** The length of an excerpt before the first match, and from its start on, in UTF-16 code units. */
const BEFORE = 24;
const AFTER = 96;

/**
 * An excerpt around the first term that is found. In JSON, only values are searched.
 *
 * @returns undefined if no term is found, or only in names of fields
 */
export function toUnspacedSnippet(text: string, terms: readonly Term[]): string | undefined {
  if (!/^\s*[{[]/.test(text)) return cutAround(text, terms);
  const value = parseJson(text);
  if (value === undefined) {
    const cut = cutAround(text, terms);
    return cut === undefined ? undefined : withoutJsonForm(cut);
  }
  for (const one of stringsOf(value)) {
    const cut = cutAround(one, terms);
    if (cut !== undefined) return cut;
  }
  return undefined;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function cutAround(text: string, terms: readonly Term[]): string | undefined {
  const seen: Token[] = [];
  const found: Range[] = [];
  for (const token of tokensOf(text)) {
    if (found[0] !== undefined && token.end > found[0].start + AFTER) break;
    seen.push(token);
    for (const term of terms) {
      const range = rangeAtEnd(seen, term);
      if (range !== undefined) found.push(range);
    }
  }
  const ranges = merge(found);
  const [first] = ranges;
  const [begin] = seen;
  const last = seen.at(-1);
  if (first === undefined || begin === undefined || last === undefined) return undefined;
  const from = seen.find(({ start }) => start >= first.start - BEFORE) ?? begin;
  const start = from === begin ? 0 : Math.min(from.start, first.start);
  const isWhole = tokensOf(text.slice(last.end)).next().done === true;
  const end = isWhole ? text.length : last.end;
  return `${start > 0 ? '…' : ''}${mark(text, ranges, { start, end }).trim()}${end < text.length ? '…' : ''}`;
}

/** The range of a term that ends with the last token; undefined if none does. */
function rangeAtEnd(tokens: readonly Token[], { tokens: wanted, prefix }: Term): Range | undefined {
  const from = tokens.length - wanted.length;
  if (from < 0) return undefined;
  const fits = wanted.every((text, index) => {
    const token = tokens[from + index]?.text ?? '';
    return prefix && index === wanted.length - 1 ? token.startsWith(text) : token === text;
  });
  const [first, last] = [tokens[from], tokens.at(-1)];
  if (!fits || first === undefined || last === undefined) return undefined;
  return { start: first.start, end: prefix && last.kind === 'pair' ? last.firstEnd : last.end };
}

/** The ranges in order, with overlapping ones joined. */
function merge(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || range.start > last.end) merged.push(range);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return merged;
}

function mark(text: string, ranges: readonly Range[], { start, end }: Range): string {
  let out = '';
  let at = start;
  for (const range of ranges) {
    if (range.start < at || range.end > end) continue;
    out += `${text.slice(at, range.start)}${MATCH_MARKS.start}${text.slice(range.start, range.end)}${MATCH_MARKS.end}`;
    at = range.end;
  }
  return out + text.slice(at, end);
}
