/** The page of a workbench in a new browser. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page, type ViewportSize } from 'playwright-core';
import { chromiumSwitches } from '../../scripts/lib/editorServer.mjs';
import { withFewerFrames } from './fewerFrames.ts';

interface OpenPage {
  readonly page: Page;
  /** Closes the browser. */
  close(): Promise<void>;
}

/**
 * Opens a page in a new browser.
 *
 * @param options.everyFrame for measurements: the browser draws as often as it does for users
 * @param options.profile a folder for a browser whose pages of extensions can have sites of their own (`setPagesApart`):
 *   without a profile, it doesn't let pages of other sites have service workers
 */
export async function openPage(
  executablePath: string,
  {
    viewport,
    everyFrame,
    profile,
  }: { readonly viewport: ViewportSize; readonly everyFrame: boolean; readonly profile?: string },
): Promise<OpenPage> {
  const context = { viewport, reducedMotion: 'reduce' } as const;
  if (profile === undefined) {
    const program = everyFrame ? { executablePath } : withFewerFrames(executablePath);
    const browser = await chromium.launch({ ...program, args: chromiumSwitches });
    return { page: await browser.newPage(context), close: () => browser.close() };
  }
  await mkdir(join(profile, 'Default'), { recursive: true });
  await writeFile(
    join(profile, 'Default/Preferences'),
    JSON.stringify({ profile: { cookie_controls_mode: 0, block_third_party_cookies: false } }),
  );
  const browser = await chromium.launchPersistentContext(profile, {
    ...context,
    executablePath,
    args: [...chromiumSwitches, '--site-per-process'],
    bypassCSP: true,
  });
  return { page: await browser.newPage(), close: () => browser.close() };
}

const PAGES = '/out/vs/workbench/contrib/webview/browser/pre/';

/**
 * Lets the workbench show each page of an extension from a site of its own, as the desktop editor does: in a browser, the server shows them from its own. It is a subdomain of
 * `localhost`, which the browser resolves to this machine. With `--site-per-process`, each has a process of its own.
 *
 * @param server the address of the workbench
 */
export async function setPagesApart(page: Page, server: string): Promise<void> {
  const { port } = new URL(server);
  await page.addInitScript(`(() => {
    const read = Element.prototype.getAttribute;
    Element.prototype.getAttribute = function (name) {
      const value = read.call(this, name);
      if (name !== 'data-settings' || !value?.includes('webviewEndpoint')) return value;
      const { webviewEndpoint, ...settings } = JSON.parse(value);
      const folder = webviewEndpoint.slice(0, webviewEndpoint.indexOf(${JSON.stringify(PAGES.slice(0, -1))}));
      const address = 'http://{{uuid}}.localhost:${port}' + new URL(folder, location.href).pathname + ${JSON.stringify(PAGES)};
      const productConfiguration = { ...settings.productConfiguration, webviewContentExternalBaseUrlTemplate: address };
      return JSON.stringify({ ...settings, productConfiguration });
    };
  })()`);
}
