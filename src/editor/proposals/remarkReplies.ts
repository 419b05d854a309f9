/** Converts what the user writes in the threads of hunks and lines to comments for the next review. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Remark } from '../../review/comments/keptRemarks.ts';
import { findLines } from '../../review/edits/linePlaces.ts';
import type { AnchoredHunk } from '../../review/hunks/anchors.ts';
import { isUndecidedHunk } from '../../review/proposals/proposal.ts';
import { findDocument, normalizeText } from '../workspace/textSources.ts';
import { hunkRange } from './hunkComments.ts';
import type { HunkTarget } from './hunkTargets.ts';
import type { Proposals } from './proposalList.ts';

type Files = Pick<Proposals, 'ofFile'>;

/** Where a thread is, or would be. */
export type ThreadPlace = Pick<vscode.CommentThread, 'uri' | 'range'>;

/**
 * Converts a reply in a thread to a comment. `shown` is the hunk that the thread shows; the comment is about its lines. If the user
 * started the thread, the comment is about the lines of the thread, and about the hunk on them, if there is one.
 */
export function toRemark(
  { thread, text }: { readonly thread: ThreadPlace; readonly text: string },
  shown: HunkTarget | undefined,
  proposals: Files,
): Remark {
  const document = findDocument(thread.uri);
  const target = shown ?? hunkAt(thread, document, proposals);
  const range = rangeOfHunk(shown, document, proposals) ?? thread.range ?? new vscode.Range(0, 0, 0, 0);
  const quote = normalizeText(
    document?.getText(range.with(range.start.with({ character: 0 }), lineEnd(document, range.end.line))) ??
      '',
  );
  const isRepeated = findLines(normalizeText(document?.getText() ?? ''), quote).length > 1;
  return {
    id: randomUUID(),
    uri: thread.uri.toString(),
    hunk: target && { proposalId: target.proposalId, hunkId: target.hunkId },
    startLine: range.start.line,
    endLine: range.end.line,
    quote,
    ...(isRepeated && { isRepeated }),
    text,
  };
}

/** All lines of a hunk. The thread itself is only on the last line. */
function rangeOfHunk(
  target: HunkTarget | undefined,
  document: vscode.TextDocument | undefined,
  proposals: Files,
): vscode.Range | undefined {
  if (target === undefined || document === undefined) return undefined;
  const found = proposals.ofFile(target.uri).find(({ proposal }) => proposal.id === target.proposalId);
  const one = found?.file.hunks.find(({ hunk }) => hunk.id === target.hunkId);
  return one && hunkRange(document, one);
}

/** The undecided hunk on whose lines the user started a thread. */
function hunkAt(
  { uri, range }: ThreadPlace,
  document: vscode.TextDocument | undefined,
  proposals: Files,
): HunkTarget | undefined {
  if (document === undefined || range === undefined) return undefined;
  const isThere = (hunk: AnchoredHunk) => {
    const { start, end } = hunkRange(document, hunk);
    return isUndecidedHunk(hunk) && range.start.line <= end.line && range.end.line >= start.line;
  };
  return proposals
    .ofFile(uri.toString())
    .flatMap(({ proposal, file }) =>
      file.hunks
        .filter(isThere)
        .map(({ hunk }) => ({ proposalId: proposal.id, uri: file.uri, hunkId: hunk.id })),
    )[0];
}

const lineEnd = (document: vscode.TextDocument, line: number) =>
  document.lineAt(Math.min(line, document.lineCount - 1)).range.end;
