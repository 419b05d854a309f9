/** Saves files and closes editors after a test. */
import * as vscode from 'vscode';

/**
 * Closes all editors, if there are any.
 *
 * @param keeps tabs that stay
 */
export async function closeEditors(keeps: (tab: vscode.Tab) => boolean = () => false): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const others = tabs.filter((tab) => !keeps(tab));
  if (others.length === 0) return;
  if (others.length < tabs.length) await vscode.window.tabGroups.close(others);
  else await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Saves all files with changes, also those without an editor, which `saveAll` leaves out. */
export async function saveFiles(): Promise<void> {
  const changed = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri, isClosed }) => isDirty && !isClosed && uri.scheme === 'file',
  );
  await Promise.allSettled(changed.map((document) => document.save()));
  await vscode.workspace.saveAll();
}
