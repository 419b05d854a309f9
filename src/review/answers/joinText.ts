/** Joins the parts of a Markdown answer that was cut off and continued. */
import { repeatedLength, SEAM_LENGTH } from '../../text/seam.ts';
import { parseBlocks } from './markdownBlocks.ts';

/** A text that was cut off, and whether it ends in a code block. */
export interface CutText {
  readonly text: string;
  /** The marks that opened the code block in which the text ends; undefined if it ends in none. */
  readonly fence: string | undefined;
}

export function toCutText(text: string): CutText {
  const last = parseBlocks(text)
    .filter(({ type }) => type === 'fence')
    .at(-1);
  if (last?.map == null) return { text, fence: undefined };
  const [from, to] = last.map;
  const lines = (last.content.match(/\n/g)?.length ?? 0) + (/[^\n]$/.test(last.content) ? 1 : 0);
  // A closed block has two more lines than its content: its fences. An open block ends with the text.
  return { text, fence: to - from > lines + 1 ? undefined : last.markup };
}

/** The opening line of a code block, with the lines above it if they are blank. */
const OPENING = /^\s*(?<marks>`{3,}|~{3,})(?<info>(?:[^`~\n][^`\n]*)?)(?:\n|$)/;

/**
 * The two parts as one text. The model may repeat the words before the cut, open the code block again, or repeat the head of a
 * table. Such repetitions are left out. Otherwise, the text is appended as it is.
 *
 * @param complete whether the second part is complete
 */
export function joinText(first: CutText, second: string, complete: boolean): string {
  const repeated = repeatedLength(first.text, second);
  if (repeated > 0) return first.text + second.slice(repeated);
  const rest = withoutOpening(first, second, complete) ?? second;
  for (const start of [rest, rest.trimStart()]) {
    const length = repeatedLength(first.text, start);
    if (length > 0) return first.text + start.slice(length);
  }
  return first.fence === undefined ? withRows(first.text, rest) : first.text + rest;
}

/** The second part without the line that opens the code block of the first part again; undefined if it has none. */
function withoutOpening({ text, fence }: CutText, second: string, complete: boolean): string | undefined {
  const opening = OPENING.exec(second);
  const { marks, info } = opening?.groups ?? {};
  if (opening === null || fence === undefined || marks === undefined) return undefined;
  if (marks[0] !== fence[0] || marks.length < fence.length) return undefined;
  const rest = second.slice(opening[0].length);
  if (info !== undefined && info.trim() !== '') return LANGUAGE.test(info.trimStart()) ? rest : undefined;
  // A fence without a language can also close the block. In that case, a later fence wouldn't close a block.
  const ends = !isOpen(text + opening[0]);
  const opens = !ends || (complete && isOpen(text + second) && !isOpen(text + rest));
  return opens || (complete && repeatedLength(text, rest) > 0) ? rest : undefined;
}

/** An info string with a language or a path, and not the rest of a line of code. */
const LANGUAGE = /^[\w+#./:@-]+(?:\s|$)/;

const isOpen = (text: string) => toCutText(text).fence !== undefined;

const DELIMITERS = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;

/** Appends a second part that continues a table: leaves out a repeated head, and adds the line end that the last row lacks. */
function withRows(first: string, second: string): string {
  const [head, ...rows] = tableAtEnd(first);
  if (head === undefined) return first + second;
  const lines = second.trimStart().split('\n');
  const repeats = lines[0]?.trim() === head.trim() && DELIMITERS.test(lines[1] ?? '');
  const rest = repeats ? lines.slice(2).join('\n') : second;
  const last = rows.at(-1) ?? '';
  // After a repeated head, the model repeats the row in which the first part ends from its start.
  if (repeats && last !== '' && rest.startsWith(last)) return first.trimEnd() + rest.slice(last.length);
  const isWhole =
    /^\s*\|.*\|[ \t]*$/.test(last) && countCells(last) === countCells(head) && !first.endsWith('\n');
  return first + (isWhole && rest.startsWith('|') ? '\n' : '') + rest;
}

const countCells = (row: string) => row.match(/(?<!\\)\|/g)?.length ?? 0;

/** The lines of the table in which a text ends, its head first. Empty if it ends in no table. */
function tableAtEnd(text: string): readonly string[] {
  const lines = text.slice(-SEAM_LENGTH).trimEnd().split('\n');
  const from = lines.findLastIndex((line) => !line.includes('|')) + 1;
  const table = lines.slice(from);
  return /\n[^\S\n]*\n$/.test(text) || !DELIMITERS.test(table[1] ?? '') ? [] : table;
}

/**
 * Whether the way in which the second part is joined to the first is certain, whatever text follows. Until then, the start of the
 * second part may be a repetition.
 */
export function isSeamKnown({ text }: CutText, second: string): boolean {
  const end = text.slice(-SEAM_LENGTH);
  const rest = OPENING.exec(second);
  return [second, ...(rest === null ? [] : [second.slice(rest[0].length)])].every((part) => {
    const start = part.trimStart();
    if (start === '' || end.includes(start.slice(0, SEAM_LENGTH)) || text.startsWith(start)) return false;
    if (/^[`~]/.test(start)) return start.includes('\n');
    return !start.startsWith('|') || start.split('\n').length > 2;
  });
}
