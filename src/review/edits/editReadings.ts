/** Edits that don't say which of their lines are to be replaced, and which replace them: the file decides. */
import { findLines } from './linePlaces.ts';
import type { ProposedEdit } from './proposalAnswer.ts';

/**
 * The reading of an edit whose lines are in a text, where they don't go on as those of a longer reading do. Undefined if there is
 * none, or several of them.
 */
export function readIn(text: string, edit: ProposedEdit): ProposedEdit | undefined {
  if (edit.readings === undefined) return edit;
  const lines = text.replaceAll('\r\n', '\n');
  const found = edit.readings.filter(({ find }) => (find === '' ? text === '' : isIn(lines, find)));
  // Without lines to replace, it is said elsewhere why it has no place.
  return found.length === 1 ? found[0] : edit.find === '' && found.length === 0 ? edit : undefined;
}

const isIn = (text: string, find: string): boolean =>
  findLines(text, find).some(({ to }) => !/^\n={5,9}[^\S\n]*(?:\n|$)/.test(text.slice(to, to + MOST)));

/** The characters of a line that can part an edit, with white space. */
const MOST = 100;
