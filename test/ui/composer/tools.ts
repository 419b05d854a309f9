/** The selection of tools, and a window that cannot save, in a real workbench. */
import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { askQuestion, focusChat, newConversation, openInput, outcomeOf } from '../../support/chatDriver.ts';
import { inSteps } from '../../support/leftovers.ts';
import { settings, workbench } from './stage.ts';

/** Puts a file in the way of the history, and reloads the window. */
async function breakHistory(): Promise<void> {
  const history = join(workbench.globalStorage, 'history');
  await rename(history, `${history}-of-before`);
  await writeFile(history, 'a file stands in the way');
  isBroken = true;
  await workbench.reload();
}
let isBroken = false;

describe('The selection of tools', () => {
  inSteps();
  let chat: Frame;
  before(async () => {
    chat = await newConversation(workbench);
  });

  const button = () => chat.getByRole('button', { name: 'Tools', exact: true });
  const row = (name: string) =>
    workbench.page.locator(`.quick-input-list .monaco-list-row:has-text("${name}")`);

  /** The list renders only visible rows, so the name is typed. */
  async function mark(name: string): Promise<void> {
    await workbench.page.keyboard.type(name);
    await row(name).first().click();
  }

  it('starts with our own tools, and the button shows their number', async () => {
    await chat.locator('button[aria-label="Tools"][aria-description="11 tools"]').waitFor();
  });

  it('is a grouped quick pick with counts, and includes what is checked', async () => {
    await openInput(workbench, '11 of', () => button().click());
    await row('find_files').first().waitFor();
    await workbench.screenshot('tools-picker');
    await mark('git_log');
    await workbench.page.locator('.quick-input-title:has-text("10 of")').waitFor();
    await workbench.page.keyboard.press('Enter');
    await chat.locator('button[aria-label="Tools"][aria-description="10 tools"]').waitFor();
    await workbench.screenshot('tools-button');
  });

  it('is not changed by Escape, and is saved for the workspace', async () => {
    await openInput(workbench, '10 of', () => workbench.runCommand('K3: Choose Tools…'));
    await mark('find_files');
    await workbench.page.keyboard.press('Escape');
    assert.equal(await button().getAttribute('data-value'), '10');
    // The next test is about a history that cannot be opened. One reload is enough for both.
    await breakHistory();
    chat = await focusChat(workbench);
    await chat.locator('button[aria-label="Tools"][aria-description="10 tools"]').waitFor();
  });
});

describe('When conversations cannot be saved', () => {
  before(async () => {
    if (!isBroken) await breakHistory();
  });

  it('shows a banner with an export, and still answers', async () => {
    await workbench.updateSettings(settings());
    const chat = await focusChat(workbench);
    const banner = chat
      .getByRole('alert')
      .filter({ hasText: 'conversations are lost when the window closes' });
    await banner.waitFor();
    assert.equal(await outcomeOf(await askQuestion(chat, 'Does it work?')), 'complete');
    const exports = banner.getByRole('button', { name: 'Export…' });
    await openInput(workbench, 'Export Conversation', () => exports.click());
    await workbench.screenshot('no-store');
  });
});
