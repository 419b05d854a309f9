/** Text of the model for the editor's Markdown preview, which would load the images of an answer and show its HTML. */
import { fence } from '../../text/fences.ts';
import { fencesOf } from './codeBlocks.ts';
import { toPlainMarkdown } from './plainMarkdown.ts';
import { toPlainTable } from './plainTable.ts';

/**
 * The text with its paragraphs, headings, lists, quotes, tables, and code blocks. All else is shown as it is written: links, images,
 * HTML, and what follows the language of a code block. Rows that are no table are a code block.
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

/** Four spaces would make code of it. */
const MOST_INDENT = 3;

/** Items of a list in a list stay in it. */
function toReadableLine(line: string): string {
  return indentOf(line) + toPlainMarkdown(line);
}

const indentOf = (line: string): string =>
  ' '.repeat(Math.min(/^ */.exec(line)?.[0].length ?? 0, MOST_INDENT));
