/** Saves files where the user selects. */
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { isProtected } from '../../access/protectedPaths.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { offerCommands, showError, showInformation, withoutLinks } from './notifications.ts';

const t = vscode.l10n.t;

/**
 * The suggested location of a save dialog: the first folder of the workspace. A title that others have written can be the name of a
 * protected file, such as that of the instructions of a project, which Enter would write.
 */
export function toDefaultUri(name: string): Pick<vscode.SaveDialogOptions, 'defaultUri'> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined) return {};
  const own = isProtected(name) ? `k3-${name.replace(/\.(?=.*\.)/g, '-')}` : name;
  // The first folder of a workspace file can be `.vscode` itself.
  const isSafe = !isProtected(`${posix.basename(folder.path)}/${own}`);
  return isSafe ? { defaultUri: vscode.Uri.joinPath(folder, own) } : {};
}

/** Writes a file, or shows why it couldn't be written. Returns whether it was written. */
export async function writeFile(target: vscode.Uri, bytes: Uint8Array): Promise<boolean> {
  try {
    await vscode.workspace.fs.writeFile(target, bytes);
    return true;
  } catch (error) {
    const why = withoutLinks(messageOf(error));
    void showError(t('Couldn’t write the file: {0}', why));
    return false;
  }
}

export const offerToOpen = (message: string, file: vscode.Uri): Promise<void> =>
  offerCommands(showInformation, message, [t('Open File'), 'vscode.open', file]);
