/** Code that is imported when it is first used, so that starting the extension doesn't compile it. */
import * as vscode from 'vscode';
import { messageOf } from '../../service/errorMessage.ts';
import { MISSING_FILE } from '../../service/transportError.ts';
import { inBackground } from './background.ts';
import type { Log } from './log.ts';
import { showError } from './notifications.ts';
import { ToldError } from './toldError.ts';

export interface FirstUse<Loaded> {
  /**
   * Does something with the code, which is loaded once. Calls while it loads go on in their order. Rejects when it can't be loaded,
   * with a message for the user if an update has replaced the files; the next call then tries again.
   *
   * @returns undefined, without doing anything, if this was disposed of meanwhile
   */
  run<Result>(use: (loaded: Loaded) => Result | PromiseLike<Result>): Promise<Result | undefined>;
  dispose(): void;
}

/**
 * @param load usually an `import()`, and what is created of it
 * @param end disposes of what was created
 */
export function atFirstUse<Loaded>(
  load: () => Promise<Loaded>,
  log: Pick<Log, 'warn'>,
  end: (loaded: Loaded) => void = () => undefined,
): FirstUse<Loaded> {
  let loading: Promise<Loaded> | undefined;
  let endLoaded: () => void = () => undefined;
  let disposed = false;

  async function loadOnce(): Promise<Loaded> {
    try {
      const loaded = await load();
      endLoaded = () => end(loaded);
      if (disposed) end(loaded);
      return loaded;
    } catch (error) {
      loading = undefined;
      log.warn(`loading a part of the extension failed: ${messageOf(error)}`);
      throw toShown(error);
    }
  }

  return {
    async run(use) {
      if (disposed) return undefined;
      loading ??= loadOnce();
      const loaded = await loading;
      return disposed ? undefined : use(loaded);
    },
    dispose() {
      if (!disposed) endLoaded();
      disposed = true;
    },
  };
}

/** Imports code when it is first used. Rejects with a message for the user if an update has replaced the files. */
export const importLater = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch((error: unknown) => {
    throw toShown(error);
  });

/**
 * Does what the user has asked for on a page without waiting for it, and logs when it fails. The user is told when the window has to be
 * reloaded, or the settings can't be written: the editor shows errors of commands only if it has run them itself.
 *
 * @param what the work, as the log names it
 */
export function actInBackground(log: Pick<Log, 'warn'>, work: Promise<unknown>, what: string): void {
  const told = work.catch((error: unknown) => {
    if (error instanceof ToldError) void showError(error.message);
    throw error;
  });
  inBackground(log, told, what);
}

/** A file is gone, or lacks what another expects of it. */
function toShown(error: unknown): unknown {
  const isGone = error instanceof Error && 'code' in error && error.code === MISSING_FILE;
  return isGone || error instanceof SyntaxError ? new ToldError(changedText(), { cause: error }) : error;
}

export const changedText = (): string =>
  vscode.l10n.t(
    'A file of K3 Chat is missing or has changed since this window was opened, for example because the extension was updated. Reload the window and try again.',
  );
