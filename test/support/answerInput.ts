/** Answers the lists and boxes of the editor. */
import { openInput } from './chatDriver.ts';
import { eventually } from './eventually.ts';
import { acceptInput } from './quickInput.ts';
import type { Workbench } from './workbench.ts';

/** For each step. */
const TRIED_MS = 8000;

/**
 * Opens a list or a box of the editor, enters a text, and accepts it, or the row that has the focus then. All of it is done again when
 * a focus that comes late closes it before.
 *
 * @param row words of that row
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
