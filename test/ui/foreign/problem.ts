/** Fix with K3, from a problem of the editor, by keyboard. */
import type { Locator } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import type { Keyboard } from '../../support/keyboardDriver.ts';
import { workbench } from '../review/stage.ts';

/** Chooses the quick fix of the problem in the open file, and returns the thread of its edit. */
export async function fixFromProblem(keys: Keyboard, picture: string): Promise<Locator> {
  const { page } = workbench;
  await page.locator('.squiggly-error').first().waitFor();
  // From the problem's first character: quick fixes are those of the position.
  await keys.press('Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight');
  const fix = page.locator('.action-widget .monaco-list-row.focused', { hasText: 'Fix with K3' });
  // 250 ms after the cursor was moved, the editor asks for the quick fixes of its light bulb, and drops the request of the key, if
  // that is not answered by then.
  await eventually(async () => {
    if (!(await fix.isVisible())) await keys.press('Control+.');
    await fix.waitFor({ timeout: 15_000 });
  });
  await workbench.screenshot(`${picture}-quick-fix`);
  await keys.press('Enter');
  const thread = page.locator('.review-widget:visible', { hasText: 'Fix' }).first();
  await thread.waitFor();
  return thread;
}
