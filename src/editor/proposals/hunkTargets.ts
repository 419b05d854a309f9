/** Finds the hunk that a command applies to: the one passed to it, the one of a thread, or the one at the cursor. */
import * as vscode from 'vscode';
import type { AnchoredHunk } from '../../review/hunks/anchors.ts';
import { type FileProposal, isUndecidedHunk, type Proposal } from '../../review/proposals/proposal.ts';
import type { UnderReview } from '../../review/proposals/proposalSet.ts';
import { documentInFront, editorInFront } from '../base/lastEditor.ts';
import { notebookOf } from '../workspace/textSources.ts';
import { linesOfHunk } from './hunkLines.ts';
import { type ProposalDocuments, proposalIn } from './proposalDocuments.ts';
import type { Proposals } from './proposalList.ts';

/** The argument of a command that is run from a CodeLens or from the chat. */
export interface FileTarget {
  readonly proposalId: string;
  readonly uri: string;
}

export interface HunkTarget extends FileTarget {
  readonly hunkId: string;
}

/**
 * The argument of a command: undefined from the Command Palette, a thread from a comment thread, or a URI from the title of an
 * editor.
 */
export type CommandTarget = Partial<HunkTarget> | vscode.CommentThread | vscode.Uri | undefined;

export interface FoundHunk {
  readonly proposal: Proposal;
  readonly file: FileProposal;
  readonly one: AnchoredHunk;
}

type Source = Pick<Proposals, 'get' | 'ofFile' | 'underReview'>;

/**
 * The file that a command applies to: that of the target, or else that of the active editor. If several proposals change this file,
 * the proposal with the hunk at the cursor, or else the last one. If there is none, the first file under review.
 */
export function findTargetFile(
  proposals: Source,
  target: Partial<HunkTarget> | undefined,
): UnderReview | undefined {
  if (target?.proposalId !== undefined) {
    const proposal = proposals.get(target.proposalId);
    // If the file was renamed, another file of the proposal must not be used instead.
    const file = proposal?.files.find(({ uri }) => target.uri === undefined || uri === target.uri);
    return proposal && file && { proposal, file };
  }
  const inEditor = inActiveEditor(proposals);
  const atCursor = inEditor.flatMap((one) => {
    const found = hunkAtCursor(one.file);
    return found === undefined ? [] : [{ ...one, found }];
  });
  const here = atCursor.find(({ found }) => deletesLines(found)) ?? atCursor[0] ?? inEditor.at(-1);
  if (here !== undefined) return here;
  const open = proposals.underReview().filter(({ file }) => file.hunks.some(isUndecidedHunk));
  return open.find(({ file }) => !file.missing) ?? open[0];
}

/** The files under review in the editor in front: one for each proposal. */
function inActiveEditor(proposals: Pick<Source, 'ofFile'>): readonly UnderReview[] {
  const active = documentInFront()?.uri.toString();
  return active === undefined ? [] : proposals.ofFile(active);
}

/** The same, but for a cell, the files of all cells of its notebook: each cell is a file of its own, and the notebook is in front. */
function inActiveDocument(proposals: Pick<Source, 'ofFile'>): readonly UnderReview[] {
  const active = documentInFront()?.uri;
  const cells = active && notebookOf(active)?.getCells();
  if (cells === undefined) return inActiveEditor(proposals);
  return cells.flatMap(({ document }) => proposals.ofFile(document.uri.toString()));
}

/**
 * The files under review that the user has in front: those in the active editor or notebook, or else those of visible diffs. For a
 * diff of several files, the editor reports only those that are scrolled into view.
 */
export function inFront(
  proposals: Pick<Source, 'get' | 'ofFile'>,
  documents: Pick<ProposalDocuments, 'fileIn'>,
): readonly UnderReview[] {
  const active = inActiveDocument(proposals);
  if (active.length > 0) return active;
  const inputs = vscode.window.tabGroups.all.map(({ activeTab }) => activeTab?.input);
  const ofOneFile = new Set(
    inputs.flatMap((one) => {
      if (one instanceof vscode.TabInputText) return [`${one.uri}`];
      return one instanceof vscode.TabInputTextDiff ? [`${one.original}`, `${one.modified}`] : [];
    }),
  );
  const visible = vscode.window.visibleTextEditors.map(({ document }) => document.uri);
  return [...new Set(visible.flatMap((uri) => proposalIn(uri) ?? []))].flatMap((id) => {
    const proposal = proposals.get(id);
    if (proposal === undefined) return [];
    const shown = visible.filter((uri) => proposalIn(uri) === id);
    const isShown = (file: FileProposal) =>
      shown.some((uri) => documents.fileIn(uri)?.uri === file.uri || !ofOneFile.has(uri.toString()));
    return proposal.files.filter(isShown).map((file) => ({ proposal, file }));
  });
}

/** The hunk that a command applies to: that of the target, or without a target, the one at the cursor. */
export function findHunk(proposals: Source, target: Partial<HunkTarget> | undefined): FoundHunk | undefined {
  const found = findTargetFile(proposals, target);
  if (found === undefined) return undefined;
  const { proposal, file } = found;
  const one =
    target?.hunkId === undefined
      ? hunkAtCursor(file)
      : file.hunks.find(({ hunk }) => hunk.id === target.hunkId);
  return one && { proposal, file, one };
}

/**
 * The hunk at the cursor. A hunk that only adds lines is found from the lines before and after its place, unless another hunk has
 * that line.
 */
function hunkAtCursor(file: FileProposal): AnchoredHunk | undefined {
  const editor = editorInFront();
  if (editor?.document.uri.toString() !== file.uri) return undefined;
  const line = editor.selection.active.line;
  const found = file.hunks.filter(isUndecidedHunk).filter((one) => {
    const { start, end, inserts } = linesOfHunk(editor.document, one);
    return line >= (inserts ? start - 1 : start) && line <= end;
  });
  return found.find(deletesLines) ?? found[0];
}

const deletesLines = ({ hunk, from, to }: AnchoredHunk): boolean => from + hunk.lead < to;
