/** The edits that the Refactor Preview of the editor shows for a file of a proposal. */
import * as vscode from 'vscode';
import { toTextEdit } from '../../review/hunks/anchors.ts';
import { withTextNow } from '../../review/proposals/fileChanges.ts';
import type { FileProposal } from '../../review/proposals/proposal.ts';
import { type CurrentFile, openCurrent } from './currentFile.ts';
import { encodeText } from './fileDocuments.ts';
import { lineEndIn } from './proposalFiles.ts';
import { toRange } from './textEdits.ts';

const t = vscode.l10n.t;

/** The target of a preview: the bytes of a new file, or the document of an existing one. */
type PreviewTarget = Uint8Array | vscode.TextDocument | undefined;

export async function toTarget(current: CurrentFile): Promise<PreviewTarget> {
  const file = current();
  if (file?.isNew === true) return encodeText(vscode.Uri.parse(file.uri), file.after);
  return (await openCurrent(current))?.document;
}

/** Adds the hunks with these IDs, or the new file, to the edit of a preview. */
export function addPreview(
  edit: vscode.WorkspaceEdit,
  file: FileProposal,
  hunkIds: ReadonlySet<string>,
  target: PreviewTarget,
): void {
  const uri = vscode.Uri.parse(file.uri);
  const toMetadata = (label: string) => ({ needsConfirmation: true, label, description: file.label });
  if (target === undefined || 'byteLength' in target) {
    if (file.isNew && target)
      edit.createFile(uri, { overwrite: false, contents: target }, toMetadata(t('New file')));
    return;
  }
  for (const [index, one] of withTextNow(file, target.getText(), lineEndIn(target)).hunks.entries()) {
    const replacement = hunkIds.has(one.hunk.id) ? toTextEdit(one) : undefined;
    if (replacement === undefined) continue;
    const label = t('Hunk {0} of {1}', index + 1, file.hunks.length);
    edit.replace(uri, toRange(target, replacement), replacement.text, toMetadata(label));
  }
}
