import type { Log } from './log.ts';

/**
 * Lets work run that nobody waits for. When it fails, the log says what it was. Messages to the reader need no such
 * care: `void vscode.window.showInformationMessage(…)` gives up when the window closes, and does not fail otherwise.
 *
 * @param what the work, like `keeping the remarks`
 */
export function inBackground(log: Pick<Log, 'warn'>, work: PromiseLike<unknown>, what: string): void {
  work.then(undefined, (error: unknown) => log.warn(`${what} failed: ${String(error)}`));
}
