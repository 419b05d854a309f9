import type { Log } from './log.ts';

/**
 * Runs work without waiting for it, and logs when it fails. Notifications don't need this:
 * `void showInformation(…)` is cancelled when the window closes and doesn't fail otherwise.
 *
 * @param what the work, as the log names it, for example `saving the comments`
 */
export function inBackground(log: Pick<Log, 'warn'>, work: PromiseLike<unknown>, what: string): void {
  work.then(undefined, (error: unknown) => log.warn(`${what} failed: ${String(error)}`));
}
