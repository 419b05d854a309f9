/** Determines the lines of hunks in a document. */
import type * as vscode from 'vscode';
import type { AnchoredHunk } from '../../review/hunks/anchors.ts';

/** The line that shows a hunk's CodeLenses: the first deleted line, or the line before which lines are added. */
export function firstLineOfHunk(document: vscode.TextDocument, { hunk, from }: AnchoredHunk): number {
  return document.positionAt(from + hunk.lead).line;
}

export interface HunkLines {
  /** First and last deleted line, zero-based and inclusive. */
  readonly start: number;
  readonly end: number;
  /** The hunk deletes nothing: its lines are added before `start`. */
  readonly inserts: boolean;
}

/** The lines of a hunk in the current text. */
export function linesOfHunk(document: vscode.TextDocument, one: AnchoredHunk): HunkLines {
  const start = firstLineOfHunk(document, one);
  const from = one.from + one.hunk.lead;
  if (from >= one.to) return { start, end: start, inserts: true };
  const last = document.positionAt(one.to);
  const end = last.character === 0 && last.line > start ? last.line - 1 : last.line;
  return { start, end, inserts: false };
}
