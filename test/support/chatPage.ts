/** The built page of the chat alone in a browser, driven by messages of the host. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { chromiumSwitches } from '../../scripts/lib/editorServer.mjs';
import type { HostMessage, PageMessage } from '../../src/panel/messages.ts';
import type { Unnumbered } from './views.ts';

const ORIGIN = 'http://panel.test';
const VIEWPORT = { width: 400, height: 600 };
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

export interface ChatPage {
  readonly page: Page;
  /** Sends messages of the host, and waits until the page has drawn them. */
  send(...messages: readonly Unnumbered<HostMessage>[]): Promise<void>;
  /** What the page has sent to the host since the last call. */
  posted(): Promise<readonly PageMessage['message'][]>;
  close(): Promise<void>;
}

/** Opens a browser for pages of the chat. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureChromium(), args: chromiumSwitches });
}

/** @param colors the colors of a theme, as `--vscode-…` variables */
export async function openChatPage(
  browser: Browser,
  colors: Readonly<Record<string, string>> = {},
): Promise<ChatPage> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const theme = Object.entries(colors).map(([name, color]) => `--vscode-${name}: ${color};`);
  const html = `<!DOCTYPE html><html lang="en" style="${theme.join(' ')}"><head><meta charset="utf-8">
<link rel="stylesheet" href="/webview.css"></head><body data-k3="chat"><div id="app"></div><script>
  const posted = [];
  globalThis.takePosted = () => posted.splice(0);
  globalThis.acquireVsCodeApi = () => ({ postMessage: (one) => posted.push(one), getState() {}, setState() {} });
</script><script src="/webview.js"></script></body></html>`;
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') await route.fulfill({ contentType: 'text/html', body: html });
    else await route.fulfill({ path: join(dist, pathname) });
  });
  await page.goto(ORIGIN);
  let seq = 0;
  return {
    page,
    async send(...messages) {
      const numbered = messages.map((message) => {
        seq = message.type === 'snapshot' ? 1 : seq + 1;
        return { ...message, seq };
      });
      await page.evaluate(`new Promise((resolve) => {
        for (const message of ${JSON.stringify(numbered)}) postMessage(message, '*');
        // The page draws when the frame after the last message begins, or after a pause.
        setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), 60);
      })`);
    },
    posted: async () =>
      (await page.evaluate<readonly PageMessage[]>('takePosted()')).map(({ message }) => message),
    close: () => context.close(),
  };
}
