/** A window that is opened while another program has locked the database with the conversations, in a real workbench. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'mocha';
import { askQuestion, focusChat, openInput, outcomeOf } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { LONG_TITLE } from '../../support/longConversation.ts';
import { workbench } from './stage.ts';

const database = () => join(workbench.globalStorage, 'history/conversations.db');

/** Locks the database as a program does that wants it for itself, which it can do when no window has it open. */
function lock(): { free(): void } {
  const db = new DatabaseSync(database());
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; PRAGMA user_version = 4; COMMIT');
  } catch (error) {
    db.close();
    throw error;
  }
  let isFree = false;
  return {
    free() {
      if (!isFree) db.close();
      isFree = true;
    },
  };
}

/** The titles of the conversations that are saved. */
function stored(): readonly unknown[] {
  const db = new DatabaseSync(database(), { readOnly: true });
  const titles = db.prepare('SELECT title FROM conversation ORDER BY title').all();
  db.close();
  return titles.map(({ title }) => title);
}

/** The first test of the window, because the database is opened when the chat is shown for the first time. */
describe('A window that is opened while another program has locked the database', () => {
  it('answers, says so, offers an export, and saves and shows everything when the database is free', async () => {
    const { page } = workbench;
    const { free } = lock();
    try {
      const chat = await focusChat(workbench);
      const banner = chat.getByRole('alert').filter({ hasText: 'Another program has locked' });
      await banner.waitFor();
      assert.equal(await outcomeOf(await askQuestion(chat, 'Asked during the lock')), 'complete');
      // The view is drawn half a second later than the chat.
      const rows = page.locator('.pane:has([aria-label^="Reasoning"]) .monaco-list-row');
      await rows.filter({ hasText: /Asked during the lock.*tokens/ }).waitFor();
      await workbench.screenshot('locked');
      const exports = banner.getByRole('button', { name: 'Export…' });
      await openInput(workbench, 'Export Conversation', () => exports.click());
      await page.keyboard.press('Escape');
      free();
      await banner.waitFor({ state: 'detached' });
      assert.equal(await chat.locator('article.you', { hasText: 'Asked during the lock' }).count(), 1);
    } finally {
      free();
    }
    // `history.ts` looks for the one from before in the Conversations view.
    await eventually(() => assert.deepEqual(stored(), ['Asked during the lock', LONG_TITLE]));
  });
});
