/** Errors of the page, and warnings of the extension in the logs of the editor. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Scripts of the extension, among those of the editor. */
const OWN_SCRIPTS = /\/dist\/|webview\.js|usage\.js|math\.js/;

/** What the faults of the service lead to, and what another window does. */
const EXPECTED = [
  /turn .*: (\S+)$/,
  /request|response|status|retry|connection|ECONN/i,
  /another window/,
  /has no findings/,
];

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

/** The warnings and errors of the extension that nothing in a walk explains, and errors of its host about it. */
export function unexpectedLines(dataFolder: string): readonly string[] {
  const folder = join(dataFolder, 'data/logs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(K3|exthost|remoteexthost)[^/]*\.log$/i.test(name))
    .flatMap((name) => {
      const isOwn = /K3[^/]*\.log$/.test(name);
      return readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => (isOwn ? /\[(warning|error)\]/ : /\[error\].*k3/i).test(line))
        .filter((line) => !EXPECTED.some((pattern) => pattern.test(line)));
    });
}
