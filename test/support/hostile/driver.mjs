/** What the user's hand and eye do in the window of the hostile workspaces, beside the tests in the extension host. */
import { writeFile } from 'node:fs/promises';

const everyMs = 250;

/**
 * Trusts the workspace once a test has opened the page for that, and writes what the chat shows to the file
 * K3_TEST_CHAT_PAGE, as HTML.
 * @param {import('playwright-core').Page} page
 */
export function drive(page) {
  const trust = page.locator('.workspace-trust-buttons .monaco-button').filter({ hasText: /^Trust(?! Parent)/ });
  trust
    .first()
    .click({ timeout: 0 })
    .catch(() => undefined);
  void watchChat(page, process.env['K3_TEST_CHAT_PAGE'] ?? '');
}

async function watchChat(/** @type {import('playwright-core').Page} */ page, /** @type {string} */ file) {
  for (let last = ''; !page.isClosed(); await new Promise((resolve) => setTimeout(resolve, everyMs))) {
    const pages = await Promise.all(page.frames().map(htmlOf));
    const html = pages.join('\n');
    if (html === last) continue;
    await writeFile(file, html);
    last = html;
  }
}

/** The HTML of a page of the extension; empty for other frames. */
function htmlOf(/** @type {import('playwright-core').Frame} */ frame) {
  const html = frame.evaluate(
    `document.body?.dataset.k3 === 'chat' && !document.querySelector('iframe') ? document.documentElement.outerHTML : ''`,
  );
  return html.then(String, () => '');
}
