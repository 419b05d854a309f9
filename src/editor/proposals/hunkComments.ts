/** Creates the comments in the thread of a hunk: the added lines, and the remarks of the user. */
import * as vscode from 'vscode';
import type { Remark } from '../../review/comments/keptRemarks.ts';
import { toAddedHtml } from '../../review/hunks/addedHtml.ts';
import type { AnchoredHunk } from '../../review/hunks/anchors.ts';
import { addedLinesOf, deletedLinesOf, toLines } from '../../review/hunks/hunks.ts';
import { toWordChanges } from '../../review/hunks/wordChanges.ts';
import { findNewHidden, showHidden } from '../../text/hiddenCharacters.ts';
import { MAX_MARKDOWN } from '../base/markdownLimit.ts';
import { describeHidden } from '../workspace/accessDialog.ts';
import { linesOfHunk } from './hunkLines.ts';

const t = vscode.l10n.t;

/** A comment that shows a remark, with the ID of the remark. */
export interface RemarkComment extends vscode.Comment {
  readonly remarkId: string;
}

/** The lines that a comment on a hunk is about: the deleted lines, or the line below which lines are added. */
export function hunkRange(document: vscode.TextDocument, one: AnchoredHunk): vscode.Range {
  const { start, end, inserts } = linesOfHunk(document, one);
  const last = Math.min(inserts ? Math.max(0, start - 1) : end, document.lineCount - 1);
  return new vscode.Range(inserts ? last : start, 0, last, 0);
}

/**
 * The range of a thread, which is shown below it: only the last line of the hunk, because the editor paints all lines of a thread in
 * its own color, over the color of deleted lines.
 */
export function threadPlace(document: vscode.TextDocument, one: AnchoredHunk): vscode.Range {
  const { end } = hunkRange(document, one);
  return new vscode.Range(end, end);
}

/** Whether the setting for screen readers is on. If the editor only detected a screen reader, extensions aren't told. */
export const isForScreenReader = (): boolean =>
  vscode.workspace.getConfiguration('editor').get('accessibilitySupport') === 'on';

/**
 * The comment with the added lines in green, each with a sign, with changed words marked and invisible characters shown as codes.
 * Plain text if the lines are too long for that.
 *
 * @param isPlain whether to use plain text with the removed lines, because screen readers read the tags of the colors aloud
 */
export function toHunkComment({ hunk, state }: AnchoredHunk, isPlain: boolean): vscode.Comment {
  const added = showHidden(addedLinesOf(hunk));
  const deleted = deletedLinesOf(hunk);
  const addedCount = toLines(added).length;
  const hidden = findNewHidden(hunk.before, hunk.after);
  const notes = [
    ...(state === 'stale' ? [t('These lines have changed, so this hunk can’t be applied.')] : []),
    ...(hidden.length > 0 ? [describeHidden(hidden)] : []),
  ];
  const colored = isPlain ? undefined : toColored(notes, deleted, added);
  const isWhole = colored !== undefined && colored.value.length <= MAX_MARKDOWN;
  return {
    author: { name: 'svc-k3' },
    label: t('−{0} +{1}', toLines(deleted).length, addedCount),
    // The removed lines are only in the plain text; otherwise the editor shows them in their color.
    body: isWhole ? colored : toPlain(notes, isPlain ? deleted : '', added),
    mode: vscode.CommentMode.Preview,
    contextValue: 'proposed',
  };
}

function toColored(notes: readonly string[], deleted: string, added: string): vscode.MarkdownString {
  const body = new vscode.MarkdownString();
  // HTML is used only for colors. All text is escaped, and the editor removes scripts and commands.
  body.supportHtml = true;
  for (const note of notes) body.appendText(`${note}\n\n`);
  if (added === '') body.appendText(t('These lines will be removed.'));
  else body.appendMarkdown(toAddedHtml(added, toWordChanges(deleted, added).added));
  return body;
}

function toPlain(notes: readonly string[], deleted: string, added: string): string {
  const signed = (sign: string, lines: string) =>
    toLines(lines).map((line) => `${sign} ${line.replace(/\r?\n$/, '')}`);
  return [...notes, ...signed('-', showHidden(deleted)), ...signed('+', added)].join('\n');
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
