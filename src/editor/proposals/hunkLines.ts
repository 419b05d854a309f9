/** Where hunks stand in a document, in lines. */
import type * as vscode from 'vscode';
import type { AnchoredHunk } from '../../review/anchors.ts';

/** The line above which a hunk's commands stand: its first line that goes, or the one before which lines come. */
export function firstLineOfHunk(document: vscode.TextDocument, { hunk, from }: AnchoredHunk): number {
  return document.positionAt(from + hunk.lead).line;
}

export interface HunkLines {
  /** The first and the last line that go, counted from 0; equal numbers are one line. */
  readonly start: number;
  readonly end: number;
  /** Nothing goes: the lines come before `start`. */
  readonly inserts: boolean;
}

/** The lines that a hunk is about, as the text is now. */
export function linesOfHunk(document: vscode.TextDocument, one: AnchoredHunk): HunkLines {
  const start = firstLineOfHunk(document, one);
  const from = one.from + one.hunk.lead;
  if (from >= one.to) return { start, end: start, inserts: true };
  const last = document.positionAt(one.to);
  const end = last.character === 0 && last.line > start ? last.line - 1 : last.line;
  return { start, end, inserts: false };
}
