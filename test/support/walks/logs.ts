/** Errors of the pages, and warnings of the extension. */
import type { Page } from 'playwright-core';
import type { LoggedExtension } from './loggedExtension.ts';

/** Scripts of the extension, among those of the editor. */
const OWN_SCRIPTS = /\/dist\/|webview\.js|usage\.js|math\.js/;

/** Expected warnings: about faults of the service, changes of another window, and a database that another program has locked. */
const EXPECTED: readonly RegExp[] = [/^turn \S+: /, /database is locked/];

export function watchPage(page: Page, onFault: (fault: string) => void): void {
  page.on('pageerror', (error) => {
    if (OWN_SCRIPTS.test(error.stack ?? ''))
      onFault(`an error in a page: ${error.message} ${error.stack?.slice(0, 400)}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && OWN_SCRIPTS.test(message.location().url))
      onFault(`an error in the console of a page: ${message.text().slice(0, 400)}`);
  });
}

/** The warnings of the extension that the actions of a walk don't explain. */
export const unexpectedWarnings = ({ warnings }: LoggedExtension): readonly string[] =>
  warnings().filter((line) => !EXPECTED.some((pattern) => pattern.test(line)));
