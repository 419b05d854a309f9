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
   * Passes the loaded code to `use`. The code is loaded once, and calls that are made while it loads run in their order afterwards.
   * Rejects if the code can't be loaded, with a message for the user if an update has replaced the files. The next call tries again.
   *
   * @returns undefined, without calling `use`, if this was disposed of in the meantime
   */
  run<Result>(use: (loaded: Loaded) => Result | PromiseLike<Result>): Promise<Result | undefined>;
  dispose(): void;
}

/**
 * @param load usually an `import()`, after which something is created from the module
 * @param end disposes of the created object
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
 * Runs an action that the user has requested on a page. Doesn't wait for it, and logs an error. A `ToldError` is also shown to the
 * user, for example if the window has to be reloaded or the settings can't be written: the editor shows errors of commands only if it
 * has run the command itself.
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

/**
 * Turns the error of an import into a message for the user if a file is missing, or has no export of the expected name (`SyntaxError`).
 */
function toShown(error: unknown): unknown {
  const isGone = error instanceof Error && 'code' in error && error.code === MISSING_FILE;
  return isGone || error instanceof SyntaxError ? new ToldError(changedText(), { cause: error }) : error;
}

export const changedText = (): string =>
  vscode.l10n.t(
    'A file of K3 Chat is missing or has changed since this window was opened, for example because the extension was updated. Reload the window and try again.',
  );
