/**
 * The usage page, what is asked before a request is sent, the selection of tools, and a window that cannot save, in a real
 * workbench.
 */
import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { CANARY } from '../support/canary.ts';
import { askQuestion, focusChat, newConversation, outcomeOf } from '../support/chatDriver.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

let emulator: Emulator;
let workbench: Workbench;

before(async () => {
  emulator = await startEmulator({ port: 0, route: 'direct', key: CANARY, tokensPerSecond: 2000 });
  workbench = await startWorkbench({
    env: { K3_API_KEY: CANARY },
    settings: settingsOf(),
  });
});

const settingsOf = () => ({
  'k3.routes': { plain: { kind: 'direct', baseUrl: emulator.url } },
  'k3.route': 'plain',
});

after(async () => {
  await workbench?.dispose();
  await emulator?.close();
});

/** The frame of the webview that contains an element. */
async function frameWith(selector: string): Promise<Frame> {
  for (let tries = 0; tries < 60; tries++) {
    for (const frame of workbench.page.frames()) {
      const found = await frame
        .locator(selector)
        .count()
        .catch(() => 0);
      if (found > 0) return frame;
    }
    await workbench.page.waitForTimeout(250);
  }
  throw new Error(`no page holds ${selector}`);
}

describe('The usage page', () => {
  it('opens with a click on the status bar item, and shows figures, charts, and tables', async () => {
    const chat = await focusChat(workbench);
    await askQuestion(chat, 'What does this cost?');
    await workbench.page.locator('.statusbar-item', { hasText: /tokens.*\$/ }).click();
    const page = await frameWith('.totals');
    await page.getByRole('table', { name: 'By day' }).waitFor();
    assert.match(await page.locator('.totals').innerText(), /Turns\s+1/);
    assert.match(
      await page.getByRole('table', { name: 'By conversation' }).innerText(),
      /What does this cost\?/,
    );
    assert.equal(await page.locator('canvas').count(), 3);
    await workbench.screenshot('usage');
    await page.getByRole('radio', { name: '7 days' }).click();
    await page.locator('[role="radio"][aria-checked="true"]', { hasText: '7 days' }).waitFor();
    await page.getByRole('button', { name: 'What does this cost?' }).click();
    await chat.locator('article.you', { hasText: 'What does this cost?' }).waitFor();
  });
});

describe('Before a request is sent', () => {
  it('the request is shown part by part, with what is probably cached', async () => {
    const chat = await workbench.chat();
    await chat.getByRole('textbox', { name: 'Message' }).fill('And what will this one cost?');
    await workbench.page.waitForTimeout(600);
    await workbench.runCommand('K3: Show Next Request');
    const preview = await frameWith('h1:has-text("Next Request")');
    const text = await preview.locator('body').innerText();
    assert.match(text, /chat\/completions/);
    assert.match(text, /user\s+\d+\s+\d+\s+unchanged, probably cached/);
    assert.ok(text.includes('And what will this one cost?'));
    await workbench.screenshot('next-request');
  });

  it('the user is asked above the daily cap, and the request is sent with Send Anyway', async () => {
    await workbench.updateSettings({ ...settingsOf(), 'k3.dailyCap': 0.001 });
    const chat = await focusChat(workbench);
    const box = chat.getByRole('textbox', { name: 'Message' });
    await box.waitFor();
    await box.fill('Past the cap?');
    await box.press('Enter');
    const dialog = workbench.page.getByRole('dialog');
    await dialog.getByText('k3.dailyCap').waitFor();
    await workbench.screenshot('cap');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await chat.getByRole('alert').getByText('k3.dailyCap').waitFor();
    assert.equal(await box.inputValue(), 'Past the cap?');
    await box.press('Enter');
    await workbench.page.getByRole('dialog').getByRole('button', { name: 'Send Anyway' }).click();
    await chat.locator('article.you', { hasText: 'Past the cap?' }).waitFor();
  });
});

describe('The selection of tools', () => {
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
    await button().waitFor();
    assert.equal((await button().innerText()).trim(), '10');
  });

  it('is a grouped quick pick with counts, and includes what is checked', async () => {
    await button().click();
    await workbench.page.locator('.quick-input-title:has-text("10 of")').waitFor();
    assert.equal(await row('read_file').count(), 1);
    await workbench.screenshot('tools-picker');
    await mark('git_log');
    await workbench.page.locator('.quick-input-title:has-text("9 of")').waitFor();
    await workbench.page.keyboard.press('Enter');
    await chat.locator('button[aria-label="Tools"]:has-text("9")').waitFor();
    await workbench.screenshot('tools-button');
  });

  it('is not changed by Escape, and is saved for the workspace', async () => {
    await workbench.runCommand('K3: Choose Tools…');
    await workbench.page.locator('.quick-input-title:has-text("9 of")').waitFor();
    await mark('find_files');
    await workbench.page.keyboard.press('Escape');
    assert.equal((await button().innerText()).trim(), '9');
    // The next test is about a history that cannot be opened. One reload is enough for both.
    const history = join(workbench.globalStorage, 'history');
    await rename(history, `${history}-of-before`);
    await writeFile(history, 'a file stands in the way');
    await workbench.reload();
    chat = await focusChat(workbench);
    await chat.locator('button[aria-label="Tools"]:has-text("9")').waitFor();
  });
});

describe('When conversations cannot be saved', () => {
  it('shows a banner with an export, and still answers', async () => {
    await workbench.updateSettings(settingsOf());
    const chat = await focusChat(workbench);
    const banner = chat
      .getByRole('status')
      .filter({ hasText: 'conversations are lost when the window closes' });
    await banner.waitFor();
    assert.equal(await outcomeOf(await askQuestion(chat, 'Does it work?')), 'complete');
    await banner.getByRole('button', { name: 'Export…' }).click();
    await workbench.page.locator('.quick-input-title:has-text("Export Conversation")').waitFor();
    await workbench.screenshot('no-store');
  });
});
