/** What a thread on a hunk shows: what comes, and what the reader remarked on it. */
import * as vscode from 'vscode';
import { findNewHidden, showHidden } from '../../access/hiddenCharacters.ts';
import { toFenced } from '../../chat/document.ts';
import type { AnchoredHunk } from '../../review/anchors.ts';
import { addedLinesOf, deletedLinesOf, toLines } from '../../review/hunks.ts';
import { describeHidden } from '../workspace/accessDialog.ts';
import { linesOfHunk } from './hunkPlaces.ts';
import type { Remark } from './remarks.ts';

const t = vscode.l10n.t;

/** A remark as a comment, which knows the remark that it shows. */
export interface RemarkComment extends vscode.Comment {
  readonly remarkId: string;
}

/** The thread opens below the last line that goes, or below the one after which lines come. */
export function threadRange(document: vscode.TextDocument, one: AnchoredHunk): vscode.Range {
  const { start, end, inserts } = linesOfHunk(document, one);
  const last = Math.min(inserts ? Math.max(0, start - 1) : end, document.lineCount - 1);
  return new vscode.Range(inserts ? last : start, 0, last, 0);
}

/** What comes, in the colours of its language; what one cannot see in it, shown as a code. */
export function toHunkComment(document: vscode.TextDocument, { hunk, state }: AnchoredHunk): vscode.Comment {
  const coming = addedLinesOf(hunk);
  const removed = toLines(deletedLinesOf(hunk)).length;
  const added = toLines(coming).length;
  const hidden = findNewHidden(hunk.before, hunk.after);
  const body = new vscode.MarkdownString();
  if (state === 'stale')
    body.appendText(`${t('These lines have changed, so this hunk can’t be applied.')}\n\n`);
  if (hidden.length > 0) body.appendText(`${describeHidden(hidden)}\n\n`);
  if (added === 0) body.appendText(t('Hunk will be deleted.'));
  else body.appendMarkdown(toFenced(showHidden(coming), document.languageId).text);
  return {
    author: { name: 'svc-k3' },
    label: t('−{0} +{1}', removed, added),
    body,
    mode: vscode.CommentMode.Preview,
    contextValue: 'proposed',
  };
}

/** What the reader wrote, as plain text. */
export function toRemarkComment({ id, text }: Remark): RemarkComment {
  return {
    remarkId: id,
    author: { name: t('You') },
    body: text,
    mode: vscode.CommentMode.Preview,
    contextValue: 'remark',
  };
}
