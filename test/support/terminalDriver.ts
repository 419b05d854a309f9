/** Runs commands in a terminal of the workbench. */
import type { Workbench } from './workbench.ts';

/** Opens a terminal, runs a command that fails, and waits until the editor knows its end. */
export async function runFailing(
  { page, runCommand }: Pick<Workbench, 'page' | 'runCommand'>,
  command: string,
): Promise<void> {
  await runCommand('Terminal: Create New Terminal');
  // The line that stays at the top while one scrolls is a second one.
  await page.locator('.terminal-wrapper.active .xterm.focus').first().waitFor({ state: 'attached' });
  await page
    .locator('.terminal-wrapper.active .terminal-command-decoration')
    .first()
    .waitFor({ state: 'attached' });
  // The editor can miss the output of a command that ends before it has asked for it, which takes a busy machine longer than 0.2 s.
  await page.keyboard.type(`sleep 1; ${command}`);
  await page.keyboard.press('Enter');
  await page
    .locator('.terminal-wrapper.active .terminal-command-decoration.codicon-terminal-decoration-error')
    .first()
    .waitFor({ state: 'attached' });
}
