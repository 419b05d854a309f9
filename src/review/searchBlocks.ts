/**
 * Reads code with the lines to search for and those that replace them, as models write it instead of a diff: between
 * `<<<<<<< SEARCH`, `=======`, and `>>>>>>> REPLACE`.
 */
import type { ProposedEdit } from './proposalAnswer.ts';

export interface SearchBlock {
  /** What stands alone above the first edit, such as the name of the file. Not trusted. */
  readonly title: string | undefined;
  readonly edits: readonly ProposedEdit[];
}

const SEARCH = /^<{5,9} ?SEARCH\s*$/;
const DIVIDER = /^={5,9}\s*$/;
const REPLACE = /^>{5,9} ?REPLACE\s*$/;

/**
 * The edits of a code block. Undefined if there is anything else in it, if they aren't complete, or if a line of the file looks
 * like the one between both parts, because where they part would be a guess.
 */
export function readSearchBlock(code: string): SearchBlock | undefined {
  let title: string | undefined;
  const edits: ProposedEdit[] = [];
  /** The parts of the edit that is being read. */
  let parts: [find: string, replace?: string] | undefined;
  for (const line of code.replace(/\n$/, '').split('\n')) {
    if (parts === undefined && SEARCH.test(line)) parts = [''];
    else if (parts === undefined) {
      if (line.trim() === '') continue;
      if (title !== undefined || edits.length > 0) return undefined;
      title = line.trim();
    } else if (DIVIDER.test(line)) {
      if (parts.length > 1) return undefined;
      parts = [parts[0], ''];
    } else if (REPLACE.test(line)) {
      const [find, replace] = parts;
      if (replace === undefined) return undefined;
      edits.push({ find, replace });
      parts = undefined;
    } else {
      const [find, replace] = parts;
      parts = replace === undefined ? [`${find + line}\n`] : [find, `${replace + line}\n`];
    }
  }
  return parts === undefined && edits.length > 0 ? { title, edits } : undefined;
}
