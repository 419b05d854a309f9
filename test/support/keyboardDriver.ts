/** Drives a workbench with the keyboard alone, and says where the focus is. */
import assert from 'node:assert/strict';
import { eventually } from './eventually.ts';
import { pickRow } from './quickInput.ts';
import type { Workbench } from './workbench.ts';

const TYPED_WITHIN_MS = 10_000;
const OPENED_WITHIN_MS = 60_000;
const FOCUSED_WITHIN_MS = 60_000;
const COMMANDS_WITHIN_MS = 2000;

export interface Keyboard {
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Runs a command from the Command Palette, which opens with F1. */
  run(title: string): Promise<void>;
  /** Enters text in the open input, and picks the focused item, once it has these words. */
  pick(text: string, item: string): Promise<void>;
  /** Opens a file from Quick Open, and searches again if the file isn't found, because it may just have been written. */
  open(file: string): Promise<void>;
  /** Waits until the focus is at a place, see `focusOf`. */
  at(place: string | RegExp): Promise<void>;
}

export function createKeyboard(workbench: Workbench): Keyboard {
  const { page } = workbench;
  const input = page.locator('.quick-input-widget input:focus');
  const row = page.locator('.quick-input-list .monaco-list-row.focused');
  const keyboard: Keyboard = {
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    type: (text) => page.keyboard.insertText(text),
    async run(title) {
      // The focus comes before the first character. On a busy machine, a key was lost between two focused elements, and a
      // focus that came late closed the Command Palette, so nothing is typed that could go elsewhere.
      await eventually(async () => {
        if (!(await input.isVisible())) await page.keyboard.press('F1');
        else if (!(await input.inputValue()).startsWith('>')) await input.press('Escape');
        await eventually(
          async () => assert.match(await input.inputValue({ timeout: 100 }), /^>/),
          COMMANDS_WITHIN_MS,
        );
        await pickRow(page, `>${title}`, title, TYPED_WITHIN_MS);
      }, OPENED_WITHIN_MS);
    },
    async pick(text, item) {
      await input.waitFor({ timeout: OPENED_WITHIN_MS });
      await keyboard.type(text);
      await row.filter({ hasText: item }).waitFor({ timeout: OPENED_WITHIN_MS });
      await page.keyboard.press('Enter');
    },
    async open(file) {
      // Quick Open lists the files once, when it opens, so a longer wait would not find a file that was written later.
      await eventually(async () => {
        if (await input.isVisible()) await page.keyboard.press('Escape');
        await page.keyboard.press('Control+P');
        await pickRow(page, file, file, TYPED_WITHIN_MS);
      }, OPENED_WITHIN_MS);
      await keyboard.at(`editor: ${file}`);
    },
    at: (place) =>
      eventually(async () => {
        const now = await focusOf(workbench);
        if (typeof place === 'string') assert.equal(now, place);
        else assert.match(now, place);
      }, FOCUSED_WITHIN_MS),
  };
  return keyboard;
}

/**
 * What has the focus: `chat: Message` in a chat, `editor: a.js` in a text editor, `input: Rename Conversation` in a quick
 * input with its title, and so on; `nothing` if it was lost.
 */
export async function focusOf({ page }: Workbench): Promise<string> {
  const outer = await page.evaluate<string>(`(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return 'nothing';
    if (at.tagName === 'IFRAME') return 'page';
    const label = at.getAttribute('aria-label') ?? '';
    if (at.closest('.quick-input-widget'))
      return 'input: ' + (document.querySelector('.quick-input-title').textContent || label);
    if (at.closest('.review-widget')) return 'comment';
    if (at.closest('.settings-editor')) return 'settings: ' + at.className.split(' ')[0];
    if (at.closest('.monaco-dialog-box')) return 'dialog: ' + (at.textContent || label);
    if (at.closest('.editor-instance')) return 'editor: ' + label.split(',')[0];
    const pane = at.closest('.pane')?.querySelector('.pane-header')?.getAttribute('aria-label');
    return (pane ? 'view: ' + pane : 'elsewhere: ' + at.className);
  })()`);
  if (outer !== 'page') return outer;
  for (const frame of page.frames()) {
    const inner = await frame
      .evaluate<string>(`(() => {
        const { k3 } = document.body.dataset;
        const at = document.activeElement;
        if (k3 === undefined || at?.tagName === 'IFRAME' || !document.hasFocus()) return '';
        const name = at.ariaLabel ?? at.textContent.trim();
        return k3 + ': ' + (at === document.body ? 'nothing' : name);
      })()`)
      .catch(() => '');
    if (inner !== '') return inner;
  }
  return 'page';
}
