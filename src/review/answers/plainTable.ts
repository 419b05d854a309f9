/** Converts tables of the model to Markdown that shows nothing but words. */
import { toPlainWords } from './plainMarkdown.ts';

export interface PlainTable {
  readonly markdown: string;
  /** The number of lines that the table has in the text. */
  readonly lines: number;
}

/** The table that begins with a line; undefined if there is none. */
export function toPlainTable(lines: readonly string[], at: number): PlainTable | undefined {
  const [head, rule] = [cellsOf(lines[at]), cellsOf(lines[at + 1])];
  if (head === undefined || rule?.length !== head.length || !rule.every((cell) => /^:?-+:?$/.test(cell)))
    return undefined;
  const rows = [head];
  for (;;) {
    const row = cellsOf(lines[at + 1 + rows.length]);
    if (row === undefined) break;
    rows.push(row);
  }
  const [first, ...others] = rows.map((row) => toRow(head.map((_, index) => toCell(row[index] ?? ''))));
  return { markdown: [first, toRow(rule), ...others].join('\n'), lines: rows.length + 1 };
}

/** The cells of a row; undefined if the line is no row. */
function cellsOf(line = ''): readonly string[] | undefined {
  if (!line.includes('|')) return undefined;
  const inside = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

const toRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Escapes the bars in a cell, also those in code. */
const toCell = (text: string): string =>
  toPlainWords(text.replaceAll('\\|', '|')).replace(/(?<!\\)\|/g, '\\|');
