/** Keeps the editor's Git extension from searching for a repository in the folder of the workspace, which isn't one. */
import type * as Editor from 'vscode';

/**
 * Whenever a setting changes, the Git extension starts Git in each folder of the workspace that isn't a repository. Its own settings would
 * also turn it off for the repositories of the tests. Repositories inside the folder, and repositories that a test opens, are still found.
 *
 * @param vscode the object of the extension under test
 */
export async function leaveOutWorkspace(vscode: typeof Editor): Promise<void> {
  const git: unknown = await vscode.extensions.getExtension('vscode.git')?.activate();
  // This function isn't part of the extension's API. If it is missing, tests only take longer.
  const model = propertyOf(git, 'model');
  const open = propertyOf(model, 'openRepository');
  if (typeof model !== 'object' || model === null || typeof open !== 'function') return;
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  Object.assign(model, {
    openRepository: async (path: string, ...more: readonly unknown[]): Promise<unknown> =>
      folders.includes(path) ? undefined : Reflect.apply(open, model, [path, ...more]),
  });
}

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
