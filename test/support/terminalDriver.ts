/** Runs commands in a terminal of the workbench. */
import type { Workbench } from './workbench.ts';

/** Opens a terminal, runs a command that fails, and waits until the editor has noticed its end. */
export async function runFailing(
  { page, runCommand }: Pick<Workbench, 'page' | 'runCommand'>,
  command: string,
): Promise<void> {
  await runCommand('Terminal: Create New Terminal');
  // Only one has the focus: the line that sticks to the top while scrolling is a second `.xterm`.
  await page.locator('.terminal-wrapper.active .xterm.focus').first().waitFor({ state: 'attached' });
  await page
    .locator('.terminal-wrapper.active .terminal-command-decoration')
    .first()
    .waitFor({ state: 'attached' });
  // The editor can miss the output of a command that ends before the editor has asked for the output. A busy machine needs more than 0.2 s.
  await page.keyboard.type(`sleep 1; ${command}`);
  await page.keyboard.press('Enter');
  await page
    .locator('.terminal-wrapper.active .terminal-command-decoration.codicon-terminal-decoration-error')
    .first()
    .waitFor({ state: 'attached' });
}
