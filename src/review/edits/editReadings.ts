/** Resolves edits that don't say which of their lines are to be replaced and which replace them: the text of the file decides. */
import { findLines } from './linePlaces.ts';
import type { ProposedEdit } from './proposalAnswer.ts';

/**
 * The only reading of an edit whose lines are in a text. Places where a separator line follows don't count, because the lines of a
 * longer reading are there. Undefined if no reading or several readings match.
 */
export function readIn(text: string, edit: ProposedEdit): ProposedEdit | undefined {
  if (edit.readings === undefined) return edit;
  const lines = text.replaceAll('\r\n', '\n');
  const found = edit.readings.filter(({ find }) => (find === '' ? text === '' : isIn(lines, find)));
  // For an edit without lines to replace, `placeEdits` gives the reason why it has no place.
  return found.length === 1 ? found[0] : edit.find === '' && found.length === 0 ? edit : undefined;
}

const isIn = (text: string, find: string): boolean =>
  findLines(text, find).some(({ to }) => !/^\n={5,9}[^\S\n]*(?:\n|$)/.test(text.slice(to, to + MOST)));

/** The most characters of a separator line in an edit, with white space. */
const MOST = 100;
