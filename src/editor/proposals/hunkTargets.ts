/** Which hunk a command means: the one that it is called with, the one of a thread, or the one at the cursor. */
import * as vscode from 'vscode';
import type { AnchoredHunk } from '../../review/anchors.ts';
import type { FileProposal, Proposal } from '../../review/proposal.ts';
import { linesOfHunk } from './hunkLines.ts';
import type { Proposals, UnderReview } from './proposalList.ts';

/** What a command is called with, from a CodeLens or from the chat. */
export interface FileTarget {
  readonly proposalId: string;
  readonly uri: string;
}

export interface HunkTarget extends FileTarget {
  readonly hunkId: string;
}

/** From the palette nothing, from a comment thread the thread, whose target is looked up. */
export type CommandTarget = Partial<HunkTarget> | vscode.CommentThread | undefined;

export interface FoundHunk {
  readonly proposal: Proposal;
  readonly file: FileProposal;
  readonly one: AnchoredHunk;
}

type Source = Pick<Proposals, 'get' | 'ofFile' | 'underReview'>;

/** The file that a command is about: the named one, the one of the active editor, or the first under review. */
export function findFile(
  proposals: Source,
  target: Partial<HunkTarget> | undefined,
): UnderReview | undefined {
  if (target?.proposalId !== undefined) {
    const proposal = proposals.get(target.proposalId);
    const file = proposal?.files.find(({ uri }) => uri === target.uri) ?? proposal?.files[0];
    return proposal && file && { proposal, file };
  }
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const inEditor = active === undefined ? undefined : proposals.ofFile(active);
  return inEditor ?? proposals.underReview().find(({ file }) => file.hunks.some(isUndecided));
}

/** The hunk that a command is about; without a target, the one at the cursor. */
export function findHunk(proposals: Source, target: Partial<HunkTarget> | undefined): FoundHunk | undefined {
  const found = findFile(proposals, target);
  if (found === undefined) return undefined;
  const { proposal, file } = found;
  const one =
    target?.hunkId === undefined
      ? hunkAtCursor(file)
      : file.hunks.find(({ hunk }) => hunk.id === target.hunkId);
  return one && { proposal, file, one };
}

const isUndecided = ({ state }: AnchoredHunk): boolean => state === 'open' || state === 'stale';

/** The hunk whose lines the cursor is on; where lines only come, on one of the two that they come between. */
function hunkAtCursor(file: FileProposal): AnchoredHunk | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() !== file.uri) return undefined;
  const line = editor.selection.active.line;
  return file.hunks.filter(isUndecided).find((one) => {
    const { start, end, inserts } = linesOfHunk(editor.document, one);
    return line >= (inserts ? start - 1 : start) && line <= end;
  });
}
