/** Makes text of the model safe for the editor's Markdown preview, which would otherwise load its images and render its HTML. */
import { fence } from '../../text/fences.ts';
import { fencesOf } from './codeBlocks.ts';
import { toPlainMarkdown } from './plainMarkdown.ts';
import { toPlainTable } from './plainTable.ts';

/**
 * The text with its paragraphs, headings, lists, quotes, tables, and code blocks. Links, images, and HTML are shown as they are
 * written. Info strings of code blocks are left out. Rows that aren't a table become a code block.
 */
export function toReadableMarkdown(markdown: string): string {
  const lines = markdown.split(/\r\n?|\n/);
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, code } of fencesOf(lines.join('\n'))) {
    parts.push(toReadableLines(lines.slice(at, from)), `\n${fence(code)}\n`);
    at = to;
  }
  return [...parts, toReadableLines(lines.slice(at))].join('\n');
}

const isRow = (line: string) => /^\s*\|.*\|\s*$/.test(line);

function toReadableLines(lines: readonly string[]): string {
  const read: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const start = at;
    const table = toPlainTable(lines, at);
    if (table !== undefined) {
      const indent = indentOf(lines[at] ?? '');
      read.push('', ...table.markdown.split('\n').map((row) => indent + row), '');
      at += table.lines;
      continue;
    }
    while (isRow(lines[at] ?? '')) at++;
    if (at > start + 1) read.push(`\n${fence(lines.slice(start, at).join('\n'))}\n`);
    else {
      at = start + 1;
      read.push(toReadableLine(lines[start] ?? ''));
    }
  }
  return read.join('\n');
}

/** The deepest indentation, in spaces. With four spaces, the line would be code. */
const MOST_INDENT = 3;

/** Keeps the indentation, so that nested list items stay nested. */
function toReadableLine(line: string): string {
  return indentOf(line) + toPlainMarkdown(line);
}

const indentOf = (line: string): string =>
  ' '.repeat(Math.min(/^ */.exec(line)?.[0].length ?? 0, MOST_INDENT));
