/** Acts as the user in the window of the hostile workspaces and reads it, while the tests run in the extension host. */
import { writeFile } from 'node:fs/promises';

const everyMs = 250;

/**
 * Trusts the workspace once a test has opened the page for that, and writes what the chat shows to the file
 * K3_TEST_CHAT_PAGE, as JSON: of each page its text, what its elements load, and where its links lead.
 * @param {import('playwright-core').Page} page
 */
export function drive(page) {
  const trust = page
    .locator('.workspace-trust-buttons .monaco-button')
    .filter({ hasText: /^Trust(?! Parent)/ });
  trust
    .first()
    .click({ timeout: 0 })
    .catch(() => undefined);
  void watchChat(page, process.env['K3_TEST_CHAT_PAGE'] ?? '');
}

async function watchChat(/** @type {import('playwright-core').Page} */ page, /** @type {string} */ file) {
  for (let last = ''; !page.isClosed(); await new Promise((resolve) => setTimeout(resolve, everyMs))) {
    // A page of the chat is inside frames of the editor, and has no frames itself.
    const frames = page.frames().filter((frame) => frame.parentFrame() && frame.childFrames().length === 0);
    const shown = await Promise.all(frames.map(shownIn));
    const json = JSON.stringify(shown.filter((one) => one !== null));
    if (json === last) continue;
    await writeFile(file, json);
    last = json;
  }
}

/** The content of a page of the chat; null for other frames. */
function shownIn(/** @type {import('playwright-core').Frame} */ frame) {
  const shown = frame.evaluate(`(() => {
    if (document.body?.dataset.k3 !== 'chat' || document.querySelector('iframe')) return null;
    const loading = ['src', 'srcset', 'srcdoc', 'poster', 'data', 'action', 'style', 'background', 'onerror'];
    const elements = [...document.querySelectorAll('*')];
    const values = (element) => loading.map((name) => element.getAttribute(name) ?? '');
    const others = document.querySelectorAll('link, image, use, base, script, style, meta[http-equiv=refresh]');
    return {
      text: document.body.textContent,
      loads: [...elements.flatMap(values), ...[...others].map((one) => one.outerHTML)].filter(Boolean),
      links: elements.flatMap((one) => (one.matches('a, area') ? [one.getAttribute('href') ?? ''] : [])),
    };
  })()`);
  return shown.catch(() => null);
}
