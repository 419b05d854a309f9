/** Answers the lists and boxes of the editor. */
import { openInput } from './chatDriver.ts';
import { eventually } from './eventually.ts';
import { acceptInput } from './quickInput.ts';
import type { Workbench } from './workbench.ts';

/** Time limit of each step, in milliseconds. */
const TRIED_MS = 8000;

/**
 * Opens a list or an input box of the editor, enters a text, and accepts it, or the row that then has the focus. If another element gets
 * the focus late and so closes the list or box, everything is done again.
 *
 * @param row words of the row to accept
 */
export async function answerInput(
  workbench: Workbench,
  title: string,
  open: () => Promise<unknown>,
  { text, row }: { readonly text: string; readonly row?: string },
): Promise<void> {
  await eventually(async () => {
    const input = await openInput(workbench, title, open);
    await input.locator('input[type="text"]').first().fill(text, { timeout: TRIED_MS });
    const focused = input.locator('.monaco-list-row.focused', { hasText: row ?? '' });
    if (row !== undefined) await focused.first().waitFor({ timeout: TRIED_MS });
    await acceptInput(workbench.page);
  });
}
