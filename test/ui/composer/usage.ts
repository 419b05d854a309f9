/** The usage page, and what is asked before a request is sent, in a real workbench. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { askQuestion, enterText, focusChat, newConversation, withFocus } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { settings, workbench } from '../chat/stage.ts';

/** The frame of the webview that contains an element. */
const frameWith = (selector: string): Promise<Frame> =>
  eventually(async () => {
    for (const frame of workbench.page.frames()) {
      const found = await frame
        .locator(selector)
        .count()
        .catch(() => 0);
      if (found > 0) return frame;
    }
    throw new Error(`no page holds ${selector}`);
  });

/** The first tests of the window but one, which has asked a question, so that the figures are known. */
describe('The usage page', () => {
  it('opens with a click on the status bar item, and shows figures, charts, and tables', async () => {
    const chat = await newConversation(workbench);
    await askQuestion(chat, 'What does this cost?');
    await workbench.page.locator('.statusbar-item', { hasText: /tokens.*\$/ }).click();
    const page = await frameWith('.totals');
    await page.getByRole('table', { name: 'By day' }).waitFor();
    await eventually(async () => {
      assert.match(await page.locator('.totals').innerText(), /Turns\s+2/);
      assert.match(
        await page.getByRole('table', { name: 'By conversation' }).innerText(),
        /What does this cost\?/,
      );
      assert.equal(await page.locator('figure svg').count(), 3);
    });
    await workbench.screenshot('usage');
    // The page that is open follows.
    await askQuestion(chat, 'And this?');
    await page.locator('.totals', { hasText: /Turns\s*3/ }).waitFor();
    await page.getByRole('radio', { name: '7 days' }).click();
    await page.locator('[role="radio"][aria-checked="true"]', { hasText: '7 days' }).waitFor();
    // The conversation is open already, so that only the focus shows that the click has had its effect.
    await withFocus(workbench, () => page.getByRole('button', { name: 'What does this cost?' }).click());
    await chat.locator('article.you', { hasText: 'What does this cost?' }).waitFor();
  });
});

describe('Before a request is sent', () => {
  after(async () => {
    await workbench.updateSettings(settings());
    // The page would follow all questions.
    await workbench.execute('workbench.action.closeAllEditors');
  });

  it('the request is shown part by part, with what is probably cached', async () => {
    const chat = await workbench.chat();
    await enterText(chat.getByRole('textbox', { name: 'Message' }), 'And what will this one cost?');
    // The draft is in the extension host when it is saved.
    await workbench.kept('And what will this one cost?');
    await workbench.runCommand('K3: Show Next Request');
    const preview = await frameWith('h1:has-text("Next Request")');
    await eventually(async () => {
      const text = await preview.locator('body').innerText();
      assert.match(text, /chat\/completions/);
      assert.match(text, /user\s+\d+\s+\d+\s+unchanged, probably cached/);
      assert.ok(text.includes('And what will this one cost?'), text);
    });
    await workbench.screenshot('next-request');
  });

  it('the user is asked above the daily cap, and the request is sent with Send Anyway', async () => {
    await workbench.updateSettings({ ...settings(), 'k3.dailyCap': 0.001 });
    const chat = await focusChat(workbench);
    const box = chat.getByRole('textbox', { name: 'Message' });
    await box.waitFor();
    await enterText(box, 'Past the cap?');
    await box.press('Enter');
    const dialog = workbench.page.getByRole('dialog');
    await dialog.getByText('k3.dailyCap').waitFor();
    await workbench.screenshot('cap');
    // The focus is on the button that sends nothing.
    await workbench.page.locator('.monaco-dialog-box .monaco-button:focus').press('Enter');
    await chat.getByRole('alert').getByText('k3.dailyCap').waitFor();
    assert.equal(await box.inputValue(), 'Past the cap?');
    await box.press('Enter');
    await dialog.getByRole('button', { name: 'Send Anyway' }).click();
    await chat.locator('article.you', { hasText: 'Past the cap?' }).waitFor();
  });
});
