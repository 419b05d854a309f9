/** Updates proposals and comments when their files are opened, deleted, or renamed. */
import type { LineEnd } from '../edits/editPlacement.ts';
import { NO_STEPS } from '../hunks/undoSteps.ts';
import { isAsProposed } from './lastLineEnd.ts';
import { type FileProposal, type Proposal, toNewAgain, withFile } from './proposal.ts';
import { withCreated, withText } from './proposalTextChanges.ts';

/**
 * The file with its current text in the editor or on disk. A file that is proposed as new may have been created by someone else.
 * `lineEnd` is that of the document, for a text without one.
 */
export const withTextNow = (file: FileProposal, text: string, lineEnd?: LineEnd): FileProposal =>
  file.isNew ? withCreated(file, text, lineEnd) : withText(file, text, lineEnd);

/** The file after it was deleted or came back. A file that the proposal creates is never missing. */
export function withMissing(file: FileProposal, missing: boolean): FileProposal {
  return file.isNew || file.missing === missing ? file : { ...file, missing };
}

/**
 * The file after it was deleted. If an accepted hunk created the file and its text is still the proposed one, the hunk can be
 * accepted again. Undo deletes such a file.
 */
export const withGone = (file: FileProposal): FileProposal =>
  file.created === true && isAsProposed(file.text, file.after) ? toNewAgain(file) : file;

/** Whether a URI is this file or folder, or is below this folder. */
export const isAtOrBelow = (uri: string, place: string): boolean =>
  uri === place || uri.startsWith(`${place}/`);

/** The URI after a file or folder was renamed; undefined if it is neither that nor below it. */
export const renamedUri = (uri: string, from: string, to: string): string | undefined =>
  isAtOrBelow(uri, from) ? to + uri.slice(from.length) : undefined;

/**
 * The proposal after a file or folder was renamed. If the new name is that of another file of the proposal, the changes of the
 * overwritten file are dropped, because its text is gone.
 *
 * @param label the new name of the file or folder, as the user sees it
 */
export function withRenamed(proposal: Proposal, from: string, to: string, label: string): Proposal {
  if (!proposal.files.some(({ uri }) => isAtOrBelow(uri, from))) return proposal;
  const targets = new Set(proposal.files.map(({ uri }) => renamedUri(uri, from, to)));
  const files = proposal.files.flatMap((file) => {
    const uri = renamedUri(file.uri, from, to);
    if (uri === undefined) return targets.has(file.uri) ? [] : [file];
    return [{ ...file, uri, label: label + decodeURIComponent(file.uri.slice(from.length)), missing: false }];
  });
  return { ...proposal, files };
}

/**
 * The proposal after an untitled document was closed. Its text is gone, so the hunks stay under another URI, because the next
 * untitled document can get the name.
 *
 * @param id added to the URI to make it different
 */
export const withClosed = (proposal: Proposal, uri: string, id: string): Proposal =>
  withFile(proposal, uri, (file) =>
    file.isNew ? file : { ...file, uri: `${file.uri}?${id}`, missing: true, steps: NO_STEPS },
  );
