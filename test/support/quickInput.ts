/** Picks rows of the list at the top of the window, and answers its boxes. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from './eventually.ts';

/** Presses Enter if the focused row has that name, otherwise Arrow Down, because the first row is not always the right one. */
const pressFor = (name: string) => `(() => {
  const nameOf = (row) => row?.querySelector('.label-name')?.textContent.replace(/\\s+/g, ' ').trim();
  const input = [...document.querySelectorAll('.quick-input-widget input[type="text"]')].find((one) => one.checkVisibility());
  const widget = input?.closest('.quick-input-widget');
  const names = [...(widget?.querySelectorAll('.monaco-list-row') ?? [])].map(nameOf);
  if (!names.includes(${JSON.stringify(name)})) return names.join(' · ');
  const [key, keyCode] =
    nameOf(widget.querySelector('.monaco-list-row.focused')) === ${JSON.stringify(name)} ? ['Enter', 13] : ['ArrowDown', 40];
  input.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, keyCode, bubbles: true, cancelable: true }));
  return key;
})()`;

/**
 * Enters a text into the open list, and picks a row. It doesn't click: while the list is filtered, the rows move, and their elements are
 * used for other rows, so that a click on a busy machine can pick another row. The keys are sent only to the list, because they would
 * change a file if an editor got the focus meanwhile.
 *
 * @param name the whole name of the row, without its description
 * @param timeout for each step, in milliseconds
 */
export async function pickRow(page: Page, text: string, name: string, timeout: number): Promise<void> {
  const input = page.locator('.quick-input-widget:visible input[type="text"]:visible').first();
  await input.fill(text, { timeout });
  await eventually(async () => {
    const pressed = await page.evaluate<string>(pressFor(name));
    assert.equal(pressed, 'Enter', `“${name}” is not picked. The list has: ${pressed}`);
  }, timeout);
}

/** Presses Enter in the open list or input box, if there is one. */
const pressEnter = `(() => {
  const inputs = [...document.querySelectorAll('.quick-input-widget input')];
  const input = inputs.find((one) => one.type !== 'checkbox' && one.checkVisibility());
  const enter = { key: 'Enter', code: 'Enter', keyCode: 13, bubbles: true, cancelable: true };
  input?.dispatchEvent(new KeyboardEvent('keydown', enter));
  return input !== undefined;
})()`;

/**
 * Accepts the open list or input box. The key is sent only to the list or box: if it was closed because another element got the focus
 * late, the key would send a message or change a file.
 */
export async function acceptInput(page: Page): Promise<void> {
  assert.ok(
    await page.evaluate<boolean>(pressEnter),
    'No list and no box is open: another focus has closed it.',
  );
}
