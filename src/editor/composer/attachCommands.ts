/** The commands Add File, Selection, and Problems to Chat. */
import * as vscode from 'vscode';
import { activeEditor, type LastEditor } from '../base/lastEditor.ts';
import { toHeldSelection } from '../context/contextItems.ts';
import type { HeldReference } from '../context/contextResult.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ContextAttaching } from './contextAttaching.ts';

const t = vscode.l10n.t;

export interface AttachCommandsDeps {
  readonly attaching: Pick<ContextAttaching, 'add'>;
  readonly conversations: Pick<Conversations, 'front'>;
  readonly lastEditor: LastEditor;
}

export function registerAttachCommands({
  attaching,
  conversations,
  lastEditor,
}: AttachCommandsDeps): vscode.Disposable {
  async function add(references: readonly HeldReference[]): Promise<void> {
    if (references.length === 0) return;
    const { id } = conversations.front();
    // At the same time, because the chat shows the context while it is read.
    await Promise.all([attaching.add(id, references), vscode.commands.executeCommand('k3.focusChat', id)]);
  }

  return vscode.Disposable.from(
    // The Explorer passes the clicked item and all selected ones. An editor tab passes its file.
    vscode.commands.registerCommand('k3.attachFile', async (clicked: unknown, selected: unknown) => {
      const uris = toUris(clicked, selected) ?? shownFile(lastEditor) ?? (await pickFiles());
      await add(uris.map((uri) => ({ kind: 'file', uri: uri.toString() })));
    }),
    vscode.commands.registerCommand('k3.attachSelection', () => {
      const editor = activeEditor(lastEditor);
      return add([editor === undefined ? { kind: 'selection' } : toHeldSelection(editor)]);
    }),
    vscode.commands.registerCommand('k3.attachProblems', () => {
      // Without an active editor, the problems of all files.
      const editor = vscode.window.activeTextEditor && activeEditor(lastEditor);
      const uri = editor?.document.uri.toString();
      return add([uri === undefined ? { kind: 'problems' } : { kind: 'problems', uri }]);
    }),
  );
}

/**
 * The files that the Explorer passes to a command: all selected ones, or the one that was clicked. Undefined if it passes
 * none, as from the Command Palette.
 */
export function toUris(clicked: unknown, selected: unknown): readonly vscode.Uri[] | undefined {
  const several = Array.isArray(selected) ? selected.filter((one) => one instanceof vscode.Uri) : [];
  if (several.length > 0) return several;
  return clicked instanceof vscode.Uri ? [clicked] : undefined;
}

/**
 * The file of the active tab; for the chat's own tab, that of the last active editor. Documents of a conversation are left
 * out, because the conversation already contains their text.
 */
function shownFile(lastEditor: LastEditor): readonly vscode.Uri[] | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isFile =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom;
  const uris = [isFile ? input.uri : undefined, lastEditor.get()?.document.uri];
  const uri = uris.find((one) => one !== undefined && !/^k3-(conversation|reasoning)$/.test(one.scheme));
  return uri && [uri];
}

async function pickFiles(): Promise<readonly vscode.Uri[]> {
  const picked = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: t('Add File to Chat'),
    openLabel: t('Add'),
  });
  return picked ?? [];
}
