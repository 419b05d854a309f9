/** A window that is opened while another program has locked the database with the conversations, in a real workbench. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'mocha';
import {
  askQuestion,
  focusChat,
  newConversation,
  outcomeOf,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { workbench } from './stage.ts';

/** Locks the database as a program does that wants it for itself, which it can do when no window has it open. */
function lock(): { free(): void } {
  const db = new DatabaseSync(join(workbench.globalStorage, 'history/conversations.db'));
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

describe('A window that is opened while another program has locked the database', () => {
  it('answers, says so, and saves and shows everything when the database is free', async () => {
    const { page } = workbench;
    await focusChat(workbench);
    let chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, 'plain');
    assert.equal(await outcomeOf(await askQuestion(chat, 'Asked before the lock')), 'complete');
    let free = () => {};
    try {
      await workbench.reload(async () => {
        ({ free } = await eventually(lock, 60_000));
      });
      chat = await focusChat(workbench);
      const banner = chat.getByRole('alert').filter({ hasText: 'Another program has locked' });
      await banner.waitFor();
      assert.equal(await chat.getByText('Asked before the lock').count(), 0);
      assert.equal(await outcomeOf(await askQuestion(chat, 'Asked during the lock')), 'complete');
      // The view is drawn half a second later than the chat.
      const rows = page.locator('.pane:has([aria-label^="Reasoning"]) .monaco-list-row');
      await rows.filter({ hasText: /Asked during the lock.*tokens/ }).waitFor();
      await workbench.screenshot('locked');
      free();
      await banner.waitFor({ state: 'detached' });
    } finally {
      free();
    }
    assert.equal(await chat.locator('article.you', { hasText: 'Asked during the lock' }).count(), 1);
    const stored = () => {
      const db = new DatabaseSync(join(workbench.globalStorage, 'history/conversations.db'), {
        readOnly: true,
      });
      const titles = db
        .prepare("SELECT title FROM conversation WHERE title LIKE 'Asked %' ORDER BY title")
        .all();
      db.close();
      return titles.map(({ title }) => title);
    };
    await eventually(() => assert.deepEqual(stored(), ['Asked before the lock', 'Asked during the lock']));
    await workbench.screenshot('locked-before');
  });
});
