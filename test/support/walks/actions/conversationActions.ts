/** Conversations: opened, renamed, deleted, restored, exported, and imported. */
import { join } from 'node:path';
import { type Action, action, answerDialog, enter, NONE, pickRow } from './action.ts';

export const conversationActions: readonly Action[] = [
  action('new conversation', 3, async (_, at) => {
    await at.run('K3: New Conversation');
    return 'new';
  }),
  action('open a conversation', 5, async (world, at) => {
    await at.run('K3: Search Conversations…');
    return pickRow(world, at, world.random.pick(['Question', 'Edited', 'Queued', 'departure']));
  }),
  action('rename', 1, async (world, at) => {
    await at.run('K3: Rename Conversation…');
    const title = world.newText('Title');
    await enter(at, title);
    return title;
  }),

  action('delete', 2, async (world, at) => {
    await at.run('K3: Delete Conversation');
    if (world.random.chance(0.4)) return 'deleted';
    await at.run('Notifications: Show Notifications');
    const undo = at.page.locator('.notifications-center').getByText('Undo', { exact: true }).first();
    // An empty conversation is deleted without a message.
    if (!(await undo.isVisible())) {
      await at.page.keyboard.press('Escape');
      return 'deleted, without Undo';
    }
    await undo.click();
    return 'deleted, then undone';
  }),
  action('restore', 2, async (world, at) => {
    await at.run('K3: Restore Deleted Conversation…');
    return pickRow(world, at);
  }),
  action('export and import', 2, async (world, at) => {
    const file = join(at.folder, `${world.newText('export').replace(' ', '-')}.json`);
    await at.run('K3: Export Conversation…');
    const { page } = at;
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: 'JSON' }).first();
    if (
      !(await row.waitFor().then(
        () => true,
        () => false,
      ))
    ) {
      await page.keyboard.press('Escape');
      return NONE;
    }
    await row.click();
    await enterPath(at, file);
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await at.run('K3: Import Conversation…');
    await enterPath(at, file);
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    return answerDialog(at, /OK|Import|Copy/);
  }),
];

/** Enters a path in the editor's own dialog, which first shows a path of its own. */
async function enterPath({ page }: Parameters<Action['act']>[1], file: string): Promise<void> {
  const input = page
    .locator(
      '.quick-input-widget:visible input[aria-label^="Folder path"], .quick-input-widget:visible input[type="text"]',
    )
    .first();
  await page.locator('.quick-input-widget:visible .monaco-list-row').first().waitFor();
  await input.fill(file);
  await page
    .locator('.quick-input-widget:visible .monaco-list-row')
    .first()
    .waitFor()
    .catch(() => undefined);
  await input.press('Enter');
}
