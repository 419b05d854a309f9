/** Repositories outside the workspace, which the editor's Git extension has to be told to open. */
import * as vscode from 'vscode';

/** In VS Code 1.103, the command opens no folder outside the workspace if the user doesn't want those opened at all. */
export async function openRepository(folder: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration('git');
  const set = (value: string | undefined) =>
    settings.update('openRepositoryInParentFolders', value, vscode.ConfigurationTarget.Global);
  const { globalValue } = settings.inspect<string>('openRepositoryInParentFolders') ?? {};
  await set('always');
  await vscode.commands.executeCommand('git.openRepository', folder);
  await set(globalValue);
}
