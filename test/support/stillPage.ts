/** Reduces the processor time of pages in tests: without animations, and with fewer steps for messages. */
import type { Page } from 'playwright-core';

/**
 * Turns animations off, because each frame of a spinner is a drawing of the window. This is an adopted style sheet, because the
 * policy of a webview allows no others.
 */
const still = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important; }');
  document.adoptedStyleSheets.push(sheet);
})()`;

/**
 * The workbench takes messages of its server as blobs and reads each with a \`FileReader\`, which asks the main process of
 * the browser twice. As array buffers, they are there already.
 */
const withoutBlobs = `(() => {
  const read = FileReader.prototype.readAsArrayBuffer;
  FileReader.prototype.readAsArrayBuffer = function (data) {
    if (data instanceof ArrayBuffer) this.onload?.({ target: { result: data } });
    else read.call(this, data);
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.binaryType = 'arraybuffer';
    }
  };
})()`;

/** The parts of the workbench around its editors and the side bar. */
const aroundPages = [
  ...['titlebar', 'banner', 'activitybar', 'auxiliarybar', 'panel', 'statusbar'].map(
    (part) => `.part.${part}`,
  ),
  '.notifications-toasts',
].join();

/** The side bar as well, and the pages of extensions, which lie above. */
const aroundEditors = `${aroundPages},.part.sidebar,.webview`;

const inWindow = (rules: string) => `(() => {
  if (top !== globalThis) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(${JSON.stringify(rules)});
  document.adoptedStyleSheets.push(sheet);
})()`;

/**
 * Hides these parts in tests that don't look at the page, because their style and layout are a fifth of its work. The pages of extensions
 * still run, and editors are laid out, because CodeLenses, comments, and the focus depend on the layout.
 */
const without = (parts: string) => inWindow(`${parts} { display: none !important; }`);

/** Shows only editors, for tests in the extension host without a driver of the page. */
export async function showOnlyEditors(page: Page): Promise<void> {
  await page.addInitScript(without(aroundEditors));
}

/** Shows only editors, and the pages of extensions with all that they load, for a driver that reads these. */
export async function showOnlyPages(page: Page): Promise<void> {
  await page.addInitScript(without(aroundPages));
}

/**
 * Keeps the browser from painting the page in tests that don't look at it. Unlike with `display: none`, the page is laid out, can have the
 * focus, and gets clicks.
 */
export async function paintNothing(page: Page): Promise<void> {
  await page.addInitScript(inWindow('html { opacity: 0 !important; }'));
}

/** Styles for a picture of a page that isn't painted. */
export const PAINTED = 'html:root { opacity: 1 !important; }';

/** Ignores titles of the page, because the browser draws its tab and toolbar again for each new title, such as for each editor. */
const withoutTitle = `(() => {
  if (top !== globalThis) return;
  let title = '';
  Object.defineProperty(document, 'title', { get: () => title, set: (text) => (title = String(text)) });
})()`;

/** Turns off animations and transitions, blobs for messages, and titles of the page, in all frames that are opened from now on. */
export async function holdStill(page: Page): Promise<void> {
  await page.addInitScript(still);
  await page.addInitScript(withoutBlobs);
  await page.addInitScript(withoutTitle);
}
