/** What becomes of proposals and comments when their files are opened, deleted, or renamed. */
import type { LineEnd } from '../edits/editPlacement.ts';
import { NO_STEPS } from '../hunks/undoSteps.ts';
import { isAsProposed } from './lastLineEnd.ts';
import { type FileProposal, type Proposal, toNewAgain, withFile } from './proposal.ts';
import { withCreated, withText } from './proposalTextChanges.ts';

/**
 * The file as it is in the editor or on the disk now. A proposed file may have been created by someone else. `lineEnd` is
 * that of the document, for a text without one.
 */
export const withTextNow = (file: FileProposal, text: string, lineEnd?: LineEnd): FileProposal =>
  file.isNew ? withCreated(file, text, lineEnd) : withText(file, text, lineEnd);

/** The file when it was deleted, or is back. A file that the proposal creates is never missing. */
export function withMissing(file: FileProposal, missing: boolean): FileProposal {
  return file.isNew || file.missing === missing ? file : { ...file, missing };
}

/**
 * The file when it is gone from the editor: if an accepted hunk has created it and nobody has changed it since, the hunk can be
 * accepted again. Undo deletes such a file.
 */
export const withGone = (file: FileProposal): FileProposal =>
  file.created === true && isAsProposed(file.text, file.after) ? toNewAgain(file) : file;

/** Whether a URI is this file or folder, or is below this folder. */
export const isAtOrBelow = (uri: string, place: string): boolean =>
  uri === place || uri.startsWith(`${place}/`);

/** The URI after a file or folder was renamed; undefined if it isn't part of that. */
export const renamedUri = (uri: string, from: string, to: string): string | undefined =>
  isAtOrBelow(uri, from) ? to + uri.slice(from.length) : undefined;

/**
 * The proposal after its file, or a folder above it, was renamed. The changes of a file that it has replaced are dropped:
 * its text is gone.
 *
 * @param label the new name of that file or folder for the user
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
 * The proposal after an untitled document was closed: its text is gone, so its hunks stay, but not under its name, which the next
 * untitled document can get.
 *
 * @param id makes the URI a different one
 */
export const withClosed = (proposal: Proposal, uri: string, id: string): Proposal =>
  withFile(proposal, uri, (file) =>
    file.isNew ? file : { ...file, uri: `${file.uri}?${id}`, missing: true, steps: NO_STEPS },
  );
