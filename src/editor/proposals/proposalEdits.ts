/** Writes hunks of a proposal to their files: after confirmation, at their exact positions, as one undo step. */
import * as vscode from 'vscode';
import { type AnchoredHunk, type TextEdit, toEdit } from '../../review/anchors.ts';
import { type FileProposal, withCreated } from '../../review/proposal.ts';
import { withoutLinks } from '../base/notifications.ts';
import { confirmEdit, type PendingEdit } from './editConfirmation.ts';
import { readTarget } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';

const t = vscode.l10n.t;

export interface ProposalEdits {
  /** Shows all open hunks of a proposal in the Refactor Preview of the editor. */
  preview(proposalId: string): Promise<void>;
  /**
   * Applies the open hunks among those given. Shows a message when the file can't be written.
   *
   * @returns whether the hunks were written
   */
  accept(proposalId: string, uri: string, hunkIds: ReadonlySet<string>): Promise<boolean>;
}

export function createProposalEdits(proposals: Pick<Proposals, 'get' | 'change'>): ProposalEdits {
  const fileOf = (proposalId: string, uri: string) =>
    proposals.get(proposalId)?.files.find((file) => file.uri === uri);

  async function acceptNew(proposalId: string, file: FileProposal): Promise<boolean> {
    const uri = vscode.Uri.parse(file.uri);
    const parts = [{ before: '', after: file.after }];
    if (!(await confirmEdit({ uri, parts }))) return false;
    const document = await createFile(uri, file);
    if (document === undefined) return showNotWritten(file);
    proposals.change(proposalId, file.uri, (one) => withCreated(one, document.getText()));
    await vscode.window.showTextDocument(document, { preview: false });
    return true;
  }

  /** The preview or another program may have created a file that the proposal would create. */
  async function markCreated(proposalId: string, file: FileProposal | undefined): Promise<void> {
    if (file?.isNew !== true) return;
    const target = await readTarget(vscode.Uri.parse(file.uri)).catch(() => undefined);
    if (target?.exists) proposals.change(proposalId, file.uri, (one) => withCreated(one, target.text));
  }

  async function addPreview(
    edit: vscode.WorkspaceEdit,
    proposalId: string,
    file: FileProposal,
  ): Promise<void> {
    const uri = vscode.Uri.parse(file.uri);
    const open = file.hunks.filter(({ state }) => state === 'open');
    if (open.length === 0 || !(await confirmEdit({ uri, parts: partsOf(open) }))) return;
    const toMetadata = (label: string) => ({ needsConfirmation: true, label, description: file.label });
    if (file.isNew) {
      const contents = Buffer.from(file.after, 'utf8');
      edit.createFile(uri, { overwrite: false, contents }, toMetadata(t('New file')));
      return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    for (const [index, one] of (fileOf(proposalId, file.uri)?.hunks ?? []).entries()) {
      const replacement = toEdit(one);
      if (replacement === undefined) continue;
      const { from, to, text } = replacement;
      const range = new vscode.Range(document.positionAt(from), document.positionAt(to));
      edit.replace(uri, range, text, toMetadata(t('Hunk {0} of {1}', index + 1, file.hunks.length)));
    }
  }

  return {
    async preview(proposalId) {
      const edit = new vscode.WorkspaceEdit();
      for (const file of proposals.get(proposalId)?.files ?? []) await addPreview(edit, proposalId, file);
      if (edit.size > 0) await vscode.workspace.applyEdit(edit, { isRefactoring: true });
      for (const file of proposals.get(proposalId)?.files ?? []) await markCreated(proposalId, file);
    },
    async accept(proposalId, fileUri, hunkIds) {
      await markCreated(proposalId, fileOf(proposalId, fileUri));
      const first = fileOf(proposalId, fileUri);
      if (first === undefined) return false;
      if (first.replacedBy !== undefined) return showAlreadyReplaced();
      if (first.isNew) return acceptNew(proposalId, first);
      const uri = vscode.Uri.parse(fileUri);
      // Opening the document updates the anchors if the file has changed on disk.
      const document = await vscode.workspace.openTextDocument(uri);
      if (!(await confirmEdit({ uri, parts: partsOf(chosen(fileOf(proposalId, fileUri), hunkIds)) })))
        return false;
      // The file may have changed while the confirmation dialog was open.
      const file = fileOf(proposalId, fileUri);
      const edits = chosen(file, hunkIds)
        .map(toEdit)
        .filter((edit) => edit !== undefined);
      if (file === undefined || edits.length === 0) return false;
      const written = await vscode.workspace.applyEdit(toWorkspaceEdit(document, edits));
      return written || showNotWritten(file);
    },
  };
}

function chosen(file: FileProposal | undefined, hunkIds: ReadonlySet<string>): readonly AnchoredHunk[] {
  return (file?.hunks ?? []).filter(({ hunk, state }) => state === 'open' && hunkIds.has(hunk.id));
}

const partsOf = (hunks: readonly AnchoredHunk[]): PendingEdit['parts'] =>
  hunks.map(({ hunk: { before, after } }) => ({ before, after }));

/** Creates a new file, or an untitled document if the URI has the scheme `untitled`. */
async function createFile(uri: vscode.Uri, file: FileProposal): Promise<vscode.TextDocument | undefined> {
  if (uri.scheme === 'untitled') return vscode.workspace.openTextDocument({ content: file.after });
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { overwrite: false, contents: Buffer.from(file.after, 'utf8') });
  if (!(await vscode.workspace.applyEdit(edit))) return undefined;
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}

function toWorkspaceEdit(document: vscode.TextDocument, edits: readonly TextEdit[]): vscode.WorkspaceEdit {
  const workspaceEdit = new vscode.WorkspaceEdit();
  workspaceEdit.set(
    document.uri,
    edits.map(({ from, to, text }) =>
      vscode.TextEdit.replace(new vscode.Range(document.positionAt(from), document.positionAt(to)), text),
    ),
  );
  return workspaceEdit;
}

/** The file is read-only or no longer exists. The hunk stays open. */
function showNotWritten({ label }: FileProposal): false {
  void vscode.window.showWarningMessage(
    t(
      'Couldn’t change {0} because it is read-only or was just modified. The proposal is kept.',
      withoutLinks(label),
    ),
  );
  return false;
}

/** Another proposal can replace this one just before the user selects Accept. */
function showAlreadyReplaced(): false {
  void vscode.window.showInformationMessage(
    t('A later proposal replaced this one, so nothing was changed. Review the later proposal.'),
  );
  return false;
}
