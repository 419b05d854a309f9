/** Presets and earlier messages in a real workbench, by keyboard: chosen, shown, sent, and asked again. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { askQuestion, enterText, newConversation } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { inSteps } from '../../support/leftovers.ts';
import { pickRow } from '../../support/quickInput.ts';
import { focusEditor, openFile } from '../../support/reviewDriver.ts';
import { emulator, settings, workbench } from '../chat/stage.ts';

const lastRequest = () => JSON.parse(emulator.requests.at(-1)?.body ?? '{}');

describe('A preset', () => {
  inSteps();
  let chat: Frame;
  const button = () => chat.getByRole('button', { name: 'Preset', exact: true });
  const box = () => chat.getByRole('textbox', { name: 'Message' });
  const toolCount = async () =>
    Number(await chat.getByRole('button', { name: 'Tools', exact: true }).getAttribute('data-value'));
  const shows = (text: string) => eventually(async () => assert.equal(await box().inputValue(), text));

  before(async () => {
    await workbench.updateSettings({ ...settings(), 'k3.presets': { Terse: { prompt: 'Be brief.' } } });
    chat = await newConversation(workbench);
  });

  it('is chosen from a button that shows its name, and its instruction, effort, and tools go with the message', async () => {
    assert.equal(await button().getAttribute('data-value'), null);
    await askQuestion(chat, 'What is a clock?');
    const before = lastRequest();
    const offered = await toolCount();
    await button().focus();
    await workbench.page.keyboard.press('Enter');
    await workbench.page.locator('.quick-input-list .monaco-list-row:has-text("Terse")').waitFor();
    await workbench.screenshot('preset-picker-light');
    await pickRow(workbench.page, 'Plan', 'Plan', 60_000);
    await chat.locator('button[aria-label="Preset"][data-value="Plan"]').waitFor();
    await chat.locator('button[aria-label="Effort"][aria-description="max"]').waitFor();
    await eventually(async () =>
      assert.equal(await toolCount(), offered - 1, 'without the tool that proposes edits'),
    );
    await askQuestion(chat, 'How could it ring?');
    const { messages, tools, reasoning_effort } = lastRequest();
    assert.match(
      messages.at(-1).content,
      /^Make a plan, and change nothing yet\.[\s\S]+\n\nHow could it ring\?$/,
    );
    assert.equal(reasoning_effort, 'max');
    assert.deepEqual([tools, messages.slice(0, 1)], [before.tools, before.messages.slice(0, 1)]);
    const asked = chat.locator('article.you').last();
    assert.match(await asked.innerText(), /Plan\s+How could it ring\?/);
    await workbench.screenshot('preset-light');
  });

  it('is chosen with the mouse beside a file, and what is typed next is in the message box', async () => {
    const { page } = workbench;
    await openFile(workbench, 'clock.ts');
    await focusEditor(workbench);
    await button().click();
    await page.locator('.quick-input-list .monaco-list-row:has-text("Terse")').click();
    await chat.locator('button[aria-label="Preset"][data-value="Terse"]').waitFor();
    await chat.locator('.composer textarea:focus').waitFor();
    await page.keyboard.type('half');
    await shows('half');
    await box().fill('');
    await workbench.execute('workbench.action.closeActiveEditor');
    await button().click();
    await page.locator('.quick-input-list .monaco-list-row:has-text("Plan")').first().click();
    await chat.locator('button[aria-label="Preset"][data-value="Plan"]').waitFor();
  });

  it('gives the focus back to the message box when its list is closed with Escape, and not after a click elsewhere', async () => {
    const { page } = workbench;
    const list = page.locator('.quick-input-list .monaco-list-row:has-text("Terse")');
    await openFile(workbench, 'clock.ts');
    await focusEditor(workbench);
    await button().click();
    await list.waitFor();
    await page.keyboard.press('Escape');
    await chat.locator('.composer textarea:focus').waitFor();
    await page.keyboard.type('half');
    await shows('half');
    await box().fill('');
    await button().click();
    await list.waitFor();
    await page.locator('.monaco-editor .view-lines').first().click();
    await list.waitFor({ state: 'hidden' });
    await page.waitForTimeout(500);
    assert.equal(await chat.evaluate('document.hasFocus()'), false);
    await workbench.execute('workbench.action.closeActiveEditor');
  });

  it('has a warning on its button while it is gone from the settings, and says what to do', async () => {
    await button().click();
    await workbench.page.locator('.quick-input-list .monaco-list-row:has-text("Terse")').click();
    const chosen = chat.locator('button[aria-label="Preset"][data-value="Terse"]');
    await chosen.locator('.codicon-settings').waitFor();
    await chat.locator('.composer textarea:focus').waitFor();
    await workbench.updateSettings({ ...settings(), 'k3.presets': {} });
    await chosen.locator('.codicon-warning').waitFor();
    assert.match(
      (await chosen.getAttribute('aria-description')) ?? '',
      /k3\.presets has no preset “Terse”\. Run “K3: Choose Preset…”\./,
    );
    await workbench.screenshot('preset-gone-light');
    await workbench.updateSettings({ ...settings(), 'k3.presets': { Terse: { prompt: 'Be brief.' } } });
    await chosen.locator('.codicon-settings').waitFor();
    await button().click();
    await workbench.page.locator('.quick-input-list .monaco-list-row:has-text("Be brief")').waitFor();
    await pickRow(workbench.page, 'Plan', 'Plan', 60_000);
    await chat.locator('button[aria-label="Preset"][data-value="Plan"]').waitFor();
  });

  it('leaves the message box as it was where earlier messages are shown with Ctrl+Up', async () => {
    const { keyboard } = workbench.page;
    await enterText(box(), 'half a');
    await keyboard.press('Control+ArrowUp');
    await shows('How could it ring?');
    await keyboard.press('Control+ArrowUp');
    await shows('What is a clock?');
    for (const text of ['How could it ring?', 'half a']) {
      await keyboard.press('Control+ArrowDown');
      await shows(text);
    }
    await box().fill('');
    await keyboard.press('Control+ArrowUp');
    await shows('How could it ring?');
    await keyboard.press('Enter');
    await chat.locator('article.you').nth(2).waitFor();
    await shows('');
    await chat.locator('article[data-outcome="complete"]').nth(2).waitFor();
  });

  it('brings back what the user was writing after an earlier message was sent', async () => {
    const { keyboard } = workbench.page;
    await enterText(box(), 'half a');
    await keyboard.press('Control+ArrowUp');
    await shows('How could it ring?');
    await keyboard.press('Enter');
    await chat.locator('article.you').nth(3).waitFor();
    await chat.locator('article[data-outcome="complete"]').nth(3).waitFor();
    await shows('half a');
    await box().fill('');
  });
});
