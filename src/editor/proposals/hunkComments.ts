/** The comments in the thread of a hunk: the added lines, and the remarks of the user. */
import * as vscode from 'vscode';
import { findNewHidden, showHidden } from '../../access/hiddenCharacters.ts';
import { toFenced } from '../../chat/document.ts';
import type { AnchoredHunk } from '../../review/anchors.ts';
import { addedLinesOf, deletedLinesOf, toLines } from '../../review/hunks.ts';
import type { Remark } from '../../review/keptRemarks.ts';
import { describeHidden } from '../workspace/accessDialog.ts';
import { linesOfHunk } from './hunkLines.ts';

const t = vscode.l10n.t;

/** A comment that shows a remark, with the ID of the remark. */
export interface RemarkComment extends vscode.Comment {
  readonly remarkId: string;
}

/** The range of a thread. It opens below the last deleted line, or below the line after which lines are added. */
export function threadRange(document: vscode.TextDocument, one: AnchoredHunk): vscode.Range {
  const { start, end, inserts } = linesOfHunk(document, one);
  const last = Math.min(inserts ? Math.max(0, start - 1) : end, document.lineCount - 1);
  return new vscode.Range(inserts ? last : start, 0, last, 0);
}

/** The added lines, with syntax highlighting and with invisible characters shown as codes. */
export function toHunkComment(document: vscode.TextDocument, { hunk, state }: AnchoredHunk): vscode.Comment {
  const added = addedLinesOf(hunk);
  const deletedCount = toLines(deletedLinesOf(hunk)).length;
  const addedCount = toLines(added).length;
  const hidden = findNewHidden(hunk.before, hunk.after);
  const body = new vscode.MarkdownString();
  if (state === 'stale')
    body.appendText(`${t('These lines have changed, so this hunk can’t be applied.')}\n\n`);
  if (hidden.length > 0) body.appendText(`${describeHidden(hidden)}\n\n`);
  if (addedCount === 0) body.appendText(t('Hunk will be deleted.'));
  else body.appendMarkdown(toFenced(showHidden(added), document.languageId).text);
  return {
    author: { name: 'svc-k3' },
    label: t('−{0} +{1}', deletedCount, addedCount),
    body,
    mode: vscode.CommentMode.Preview,
    contextValue: 'proposed',
  };
}

/** The remark as plain text. */
export function toRemarkComment({ id, text }: Remark): RemarkComment {
  return {
    remarkId: id,
    author: { name: t('You') },
    body: text,
    mode: vscode.CommentMode.Preview,
    contextValue: 'remark',
  };
}
