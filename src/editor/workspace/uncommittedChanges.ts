/** Whether a Git repository of the window has changes since its last commit. */
import * as vscode from 'vscode';
import type { Log } from '../base/log.ts';
import { changesOf } from './changes.ts';
import { findGit, type Git, type Repository } from './git.ts';

export interface AnyChanges extends vscode.Disposable {
  get(): boolean;
  /** Fires when the result may have changed. */
  readonly onDidChange: vscode.Event<void>;
}

/** Follows the Git extension, even if it is only enabled later, because the folder is trusted then. */
export function followChanges(log: Pick<Log, 'warn'>): AnyChanges {
  const changed = new vscode.EventEmitter<void>();
  const following: vscode.Disposable[] = [changed];
  let git: Git | undefined;
  let disposed = false;

  function follow({ state }: Repository): void {
    following.push(state.onDidChange(() => changed.fire()));
    changed.fire();
  }

  async function start(): Promise<void> {
    const found = await findGit();
    if (found === undefined || git !== undefined || disposed) return;
    git = found;
    following.push(
      found.onDidOpenRepository(follow),
      found.onDidCloseRepository(() => changed.fire()),
    );
    found.repositories.forEach(follow);
  }

  const tryToStart = () =>
    void start().catch((error: unknown) => log.warn(`The Git extension could not be started: ${error}`));
  following.push(vscode.extensions.onDidChange(tryToStart));
  tryToStart();
  return {
    get: () => git?.repositories.some((repository) => changesOf(repository, 'all').length > 0) ?? false,
    onDidChange: changed.event,
    dispose() {
      disposed = true;
      vscode.Disposable.from(...following).dispose();
    },
  };
}
