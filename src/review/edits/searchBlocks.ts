/**
 * Reads code blocks with lines to search for and lines to replace them with, which models write instead of diffs: between `<<<<<<<
 * SEARCH`, `=======`, and `>>>>>>> REPLACE`.
 */
import type { ProposedEdit } from './proposalAnswer.ts';

export interface SearchBlock {
  /** The line above the first edit, such as the name of the file. Not trusted. */
  readonly title: string | undefined;
  /**
   * The edits in order. The last one can be the unread rest of the block: an incomplete edit, or everything from a line that belongs
   * to no edit. It has an empty list of readings.
   */
  readonly edits: readonly ProposedEdit[];
}

const SEARCH = /^<{5,9} ?SEARCH\s*$/;
const DIVIDER = /^={5,9}\s*$/;
const REPLACE = /^>{5,9} ?REPLACE\s*$/;

/** The most separator lines in an edit. An edit with more isn't read, because each of them gives a reading with all of its lines. */
const MOST_READINGS = 8;

/** The edits of a code block that starts with an edit, below at most one other line. Undefined for other code. */
export function readSearchBlock(code: string): SearchBlock | undefined {
  let title: string | undefined;
  const edits: ProposedEdit[] = [];
  /** The lines of the edit that is being read, or all lines from the first one that belongs to no edit. */
  let open: string[] = [];
  for (const line of code.replace(/\n$/, '').split('\n')) {
    if (open.length > 0) open.push(line);
    else if (SEARCH.test(line) || (edits.length > 0 && line.trim() !== '')) open = [line];
    else if (line.trim() === '') continue;
    else if (title !== undefined) return undefined;
    else title = line.trim();
    if (REPLACE.test(line) && SEARCH.test(open[0] ?? '')) {
      edits.push(toEdit(open));
      open = [];
    }
  }
  if (open.length > 0) edits.push(unread(open));
  return edits.length > 0 ? { title, edits } : undefined;
}

const unread = (lines: readonly string[]): ProposedEdit => ({
  ...{ find: toText(lines), replace: '' },
  readings: [],
});

/** The edit in lines with its markers. A line of the file can look like the separator between both parts. */
function toEdit(marked: readonly string[]): ProposedEdit {
  const lines = marked.slice(1, -1);
  const all = [...lines.keys()].filter((at) => DIVIDER.test(lines[at] ?? ''));
  const length = /^<*/.exec(marked[0] ?? '')?.[0].length;
  const asLong = all.filter((at) => lines[at]?.trimEnd().length === length);
  const dividers = asLong.length > 0 ? asLong : all;
  const isUnclear = dividers.length > 1 && lines.some((line) => SEARCH.test(line));
  const [edit, ...others] = isUnclear || dividers.length > MOST_READINGS ? [] : dividers.map(partAt);
  if (edit === undefined) return unread(marked);
  return others.length === 0 ? edit : { ...edit, readings: [edit, ...others] };

  function partAt(at: number): ProposedEdit {
    return { find: toText(lines.slice(0, at)), replace: toText(lines.slice(at + 1)) };
  }
}

const toText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
