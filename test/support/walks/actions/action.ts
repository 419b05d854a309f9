/** The type of an action of a walk, and functions for buttons and lists of the editor. */
import type { Frame, Locator } from 'playwright-core';
import { eventually } from '../../eventually.ts';
import type { Random } from '../random.ts';
import { TRIED_MS, type WalkWindow } from '../walkWindow.ts';
import type { World } from '../world.ts';

/** An action in a window, which returns a description of what it did. */
export type Act = (world: World, at: WalkWindow) => Promise<string>;

export interface Action {
  readonly name: string;
  /** How often the action is chosen, compared with others. */
  readonly weight: number;
  readonly act: Act;
}

export const action = (name: string, weight: number, act: Act): Action => ({ name, weight, act });

/** Time limit for elements that exist but may be covered, in milliseconds. */
const CLICKED_MS = 1000;

/** The result of an action that has nothing to act on. */
export const NONE = '-';

export const messageBox = (chat: Frame): Locator => chat.locator('.composer textarea');

/** Clicks one of the buttons with this name, wherever it is scrolled to. Returns its name, undefined if there is none. */
export async function clickOne(
  { random }: { readonly random: Random },
  within: Frame | Locator,
  name: string | RegExp,
): Promise<string | undefined> {
  const all = within.getByRole('button', { name, exact: typeof name === 'string', disabled: false });
  const count = await all.count();
  if (count === 0) return undefined;
  const one = all.nth(random.below(count));
  const label = (await one.getAttribute('aria-label')) ?? (await one.textContent()) ?? '';
  // Wherever it is scrolled to, and also if it is only shown under the pointer.
  await one.dispatchEvent('click');
  return label.trim();
}

/** Notes that the user replaces the text of a box. Texts that could not be sent are lines of its draft. */
export async function forget(world: World, box: Locator): Promise<void> {
  const replaced = (await box.inputValue()).split('\n');
  for (const text of replaced) world.sent.delete(text);
}

/** Writes into the message box. If this replaces a refused text, the user has removed that text, so it doesn't count as lost. */
export async function write(world: World, chat: Frame, text: string): Promise<void> {
  await forget(world, messageBox(chat));
  await messageBox(chat).fill(text);
}

export async function send(world: World, chat: Frame, text: string): Promise<string> {
  await write(world, chat, text);
  world.sent.add(text);
  await messageBox(chat).press('Enter');
  return text;
}

/** Picks one of the first rows of an open list of the editor, or closes it. Returns the row. */
export async function pickRow({ random }: World, { page }: WalkWindow, search = ''): Promise<string> {
  const list = page.locator('.quick-input-widget:visible');
  const rows = list.locator('.monaco-list-row');
  try {
    if (search !== '') await list.locator('input[type="text"]').first().fill(search);
    await rows.first().waitFor({ timeout: TRIED_MS });
  } catch {
    await page.keyboard.press('Escape');
    return 'an empty list';
  }
  if (random.chance(0.15)) {
    await page.keyboard.press('Escape');
    return 'closed';
  }
  const row = rows.nth(random.below(Math.min(await rows.count(), 4)));
  const label = (await row.getAttribute('aria-label')) ?? '';
  await row.click();
  return label.slice(0, 60);
}

/** Enters a text in an open box of the editor. */
export async function enter({ page }: WalkWindow, text: string): Promise<void> {
  const input = page.locator('.quick-input-widget:visible input[type="text"]').first();
  await input.waitFor();
  await input.fill(text);
  await input.press('Enter');
}

/** Answers a dialog of the editor, if there is one, and returns a description. */
export async function answerDialog({ page }: WalkWindow, buttons: RegExp): Promise<string> {
  const button = page.locator('.monaco-dialog-box:visible .monaco-button', { hasText: buttons }).first();
  if (!(await button.isVisible())) return '';
  const text = await page.locator('.monaco-dialog-box:visible').innerText();
  await button.click();
  return `answered “${text.slice(0, 60)}”`;
}

/** Opens a file of the folder, and puts the cursor into it. */
export async function openFile({ page }: WalkWindow, name: string): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+P');
    const input = page.locator('.quick-input-widget:visible input[type="text"]').first();
    await input.fill(name, { timeout: TRIED_MS });
    const row = page.locator(`.quick-input-list .monaco-list-row[aria-label*="${name}"]`).first();
    await row.click({ timeout: TRIED_MS });
    await page.locator(`.tab.active[aria-label^="${name}"]`).first().waitFor({ timeout: TRIED_MS });
    // The editor already has the focus, unless the list was closed in between. The first line may be scrolled out of view.
    await page
      .locator('.editor-group-container.active .monaco-editor .view-line')
      .first()
      .click({ timeout: CLICKED_MS })
      .catch(() => undefined);
  });
}

/** Returns whether a conversation that isn't deleted has the text. */
export async function openByText(at: WalkWindow, words: string): Promise<boolean> {
  await at.run('K3: Search Conversations…');
  const list = at.page.locator('.quick-input-widget:visible');
  await list.locator('input[type="text"]').first().fill(words);
  const row = list.locator('.monaco-list-row', { hasText: words.split(' ').at(-1) ?? words }).first();
  const found = await row.waitFor().then(
    () => true,
    () => false,
  );
  if (found) await row.click();
  else await at.page.keyboard.press('Escape');
  return found;
}
