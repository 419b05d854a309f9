/**
 * Formats added lines as HTML for the editor's Markdown: a green sign before each line, the background color of inserted lines, and
 * that of inserted text for changed words. The editor allows the styles of a `span` only in this order, and only theme colors or
 * hexadecimal ones. High contrast themes have no such backgrounds, so changed words are underlined, too.
 */
import type { Span } from '../edits/linePlaces.ts';
import { toLines } from './hunks.ts';

const SIGN = '<span style="color:var(--vscode-charts-green);">+</span>';
const LINE = '<span style="background-color:var(--vscode-diffEditor-insertedLineBackground);">';
const WORD = '<span style="background-color:var(--vscode-diffEditor-insertedTextBackground);">';

/**
 * @param added complete lines; all of it is escaped, so nothing in it is read as HTML or Markdown
 * @param words changed words, in order, in characters of `added`
 */
export function toAddedHtml(added: string, words: readonly Span[]): string {
  let offset = 0;
  let next = 0;
  const lines = toLines(added).map((whole) => {
    const line = whole.replace(/\r?\n$/, '');
    const end = offset + line.length;
    while (next < words.length && (words[next]?.to ?? 0) <= offset) next++;
    const inLine: Span[] = [];
    for (let at = next; at < words.length; at++) {
      const { from, to } = words[at] as Span;
      if (from >= end) break;
      inLine.push({ from: Math.max(from, offset) - offset, to: Math.min(to, end) - offset });
    }
    offset += whole.length;
    return `${SIGN}${LINE}${markWords(line, inLine)}</span>`;
  });
  // Markdown isn't parsed between these tags, not even after an empty line.
  return `<pre>${lines.join('\n')}</pre>`;
}

function markWords(line: string, words: readonly Span[]): string {
  let html = ' ';
  let at = 0;
  for (const { from, to } of words) {
    html += escapeHtml(line.slice(at, from));
    html += `<ins>${WORD}${escapeHtml(line.slice(from, to))}</span></ins>`;
    at = to;
  }
  return html + escapeHtml(line.slice(at));
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character);
