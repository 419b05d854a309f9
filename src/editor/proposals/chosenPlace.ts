/** Asks where to put a code block in a file, if neither the block nor the question says so. */
import * as vscode from 'vscode';
import { insertLines, replaceSpan, type Span } from '../../review/edits/editPlacement.ts';
import { type FileProposal, toFileProposal } from '../../review/proposals/proposal.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import { showInformation } from '../base/notifications.ts';
import { isReadOnlyKind } from '../workspace/fileKinds.ts';
import { linesOfRange } from '../workspace/selectedCode.ts';
import { readOrTell } from './proposalFiles.ts';

const t = vscode.l10n.t;

/** The text editor that was active last. Shows a message if there is none, or if it is read-only, such as that of a reasoning. */
export function editorFor(lastEditor: LastEditor): vscode.TextEditor | undefined {
  const editor = lastEditor.get();
  if (editor !== undefined && !isReadOnlyKind(editor.document.uri)) return editor;
  showNoEditor();
  return undefined;
}

export function showNoEditor(): void {
  void showInformation(t('Open the file this code belongs to and try again.'));
}

interface SpanItem extends vscode.QuickPickItem {
  readonly span: Span;
}

/**
 * The proposal with the code at the place that the user chooses. If several editors show the file, the cursor is that of the one
 * that was active last. Undefined if the user cancels, or if the file can't be read, which is reported.
 */
export async function placeByHand(
  uri: vscode.Uri,
  code: string,
  lastEditor: LastEditor,
): Promise<FileProposal | undefined> {
  const read = await readOrTell(uri);
  if (read === undefined) return undefined;
  const { label, text, lineEnd } = read;
  const editor = [lastEditor.get(), ...vscode.window.visibleTextEditors].find(
    (one) => one?.document.uri.toString() === uri.toString(),
  );
  const items: SpanItem[] = [
    ...(editor === undefined ? [] : spanItemsOf(editor)),
    { label: t('Replace the Entire File'), span: { from: 0, to: text.length } },
    { label: t('Insert at the End'), span: { from: text.length, to: text.length } },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Apply to {0}', label),
    placeHolder: t('Where should this code go? You can review the change before it is applied.'),
  });
  if (chosen === undefined) return undefined;
  const { span } = chosen;
  const after =
    span.from === span.to
      ? insertLines(text, span.from, code, lineEnd)
      : replaceSpan(text, span, code, lineEnd);
  return toFileProposal({
    uri: uri.toString(),
    label,
    isNew: false,
    before: text,
    after,
    asked: span,
    unplaced: [],
    lineEnd,
  });
}

function spanItemsOf({ document, selection }: vscode.TextEditor): readonly SpanItem[] {
  const { start, end } = linesOfRange(selection);
  const from = document.offsetAt(new vscode.Position(start, 0));
  const to = document.offsetAt(document.lineAt(end).rangeIncludingLineBreak.end);
  return [
    ...(selection.isEmpty
      ? []
      : [
          {
            label: t('Replace the Selection'),
            description: start === end ? t('line {0}', start + 1) : t('lines {0}–{1}', start + 1, end + 1),
            span: { from, to },
          },
        ]),
    {
      // Says “selection”, because the cursor can be at either end of it.
      label: selection.isEmpty ? t('Insert Above the Cursor') : t('Insert Above the Selection'),
      description: t('line {0}', start + 1),
      span: { from, to: from },
    },
  ];
}
