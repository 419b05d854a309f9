/** Keeps the pages of a browser from moving by themselves: each picture of a spinner costs a drawing of the window. */
import type { Page } from 'playwright-core';

/** An adopted style sheet, because the policy of a webview allows no others. */
const still = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important; }');
  document.adoptedStyleSheets.push(sheet);
})()`;

/** Turns off animations and transitions in all frames that are opened from now on. */
export async function holdStill(page: Page): Promise<void> {
  await page.addInitScript(still);
}
