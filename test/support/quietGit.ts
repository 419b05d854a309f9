/** Keeps the editor's Git extension from looking for a repository in the folder of the workspace, which is none. */
import type * as Editor from 'vscode';

/**
 * Whenever any setting changes, that extension starts Git in each folder of the workspace that is no repository. Its own settings turn
 * it off for the repositories of the tests as well. Repositories inside of the folder, and those that a test opens, are found as before.
 *
 * @param vscode the object of the extension under test
 */
export async function leaveOutWorkspace(vscode: typeof Editor): Promise<void> {
  const git: unknown = await vscode.extensions.getExtension('vscode.git')?.activate();
  // Not part of its API. Without it, tests take longer.
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
