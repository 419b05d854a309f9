/** Makes the pages of a browser cheaper to test: nothing moves by itself, and messages arrive without detours. */
import type { Page } from 'playwright-core';

/**
 * Each picture of a spinner costs a drawing of the window. An adopted style sheet, because the policy of a webview allows
 * no others.
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

/** Turns off animations and transitions, and blobs for messages, in all frames that are opened from now on. */
export async function holdStill(page: Page): Promise<void> {
  await page.addInitScript(still);
  await page.addInitScript(withoutBlobs);
}
