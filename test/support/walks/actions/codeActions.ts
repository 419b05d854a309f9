/** Commands on code, edits in the code, and findings. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Action, action, NONE, openFile } from './action.ts';

export const codeActions: readonly Action[] = [
  ...(['K3: Explain', 'K3: Document', 'K3: Review File', 'K3: Fix'] as const).map((command) =>
    action(command, command === 'K3: Explain' ? 2 : 1, async (_, at) => {
      await openFile(at, 'timetable.ts');
      await at.page.keyboard.press('Control+a');
      await at.run(command);
      return 'timetable.ts';
    }),
  ),
  action('Review Changes', 1, async (world, at) => {
    appendFileSync(join(at.folder, 'src/fares.js'), `// ${world.newText('Changed')}\n`);
    await at.run('K3: Review Changes');
    return 'src/fares.js';
  }),
  action('Edit Here', 2, async (world, at) => {
    await openFile(at, 'fares.js');
    const { page } = at;
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('j');
    await page.locator('.review-widget .monaco-editor.focused').first().waitFor();
    const text = world.newText('Make it modern');
    await page.keyboard.insertText(text);
    await page.keyboard.press('Enter');
    return text;
  }),
  action('end the edit', 1, async (_, at) => {
    if ((await at.page.locator('.review-widget:visible').count()) === 0) return NONE;
    await at.run('K3: End Edit');
    return 'ended';
  }),
  action('decide about a finding', 2, async (world, at) => {
    const button = at.page.locator(
      '.review-widget:visible [aria-label^="Dismiss"], .review-widget:visible [aria-label^="Create Proposal"]',
    );
    const count = await button.count();
    if (count === 0) {
      const glyphs = at.page.locator('.comment-range-glyph.comment-thread:visible');
      if ((await glyphs.count()) === 0) return NONE;
      await glyphs.nth(world.random.below(await glyphs.count())).click();
      return 'opened';
    }
    await button.nth(world.random.below(count)).click();
    return 'decided';
  }),
];
