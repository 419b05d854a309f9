/** The selection of tools in a real workbench. That it is kept is in `test/ui/chat/reloaded.ts`. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Frame, Locator } from 'playwright-core';
import { newConversation, openInput } from '../../support/chatDriver.ts';
import { inSteps } from '../../support/leftovers.ts';
import { acceptInput } from '../../support/quickInput.ts';
import { workbench } from '../chat/stage.ts';

describe('The selection of tools', () => {
  inSteps();
  let chat: Frame;
  before(async () => {
    chat = await newConversation(workbench);
  });

  const button = () => chat.getByRole('button', { name: 'Tools', exact: true });
  const row = (name: string) =>
    workbench.page.locator(`.quick-input-list .monaco-list-row:has-text("${name}")`);

  /** The list renders only visible rows, so the name is entered. */
  async function mark(list: Locator, name: string): Promise<void> {
    await list.locator('input[type="text"]').first().fill(name);
    await row(name).first().click();
  }

  it('starts with our own tools, and the button shows their number', async () => {
    await chat.locator('button[aria-label="Tools"][aria-description="11 tools"]').waitFor();
  });

  it('is a grouped quick pick with counts, and includes what is checked', async () => {
    const list = await openInput(workbench, '11 of', () => button().click());
    await row('find_files').first().waitFor();
    await workbench.screenshot('tools-picker');
    await mark(list, 'git_log');
    await workbench.page.locator('.quick-input-title:has-text("10 of")').waitFor();
    await acceptInput(workbench.page);
    await chat.locator('button[aria-label="Tools"][aria-description="10 tools"]').waitFor();
    await workbench.screenshot('tools-button');
  });

  it('is not changed by Escape', async () => {
    const list = await openInput(workbench, '10 of', () => workbench.runCommand('K3: Choose Tools…'));
    await mark(list, 'find_files');
    await workbench.page.keyboard.press('Escape');
    assert.equal(await button().getAttribute('data-value'), '10');
  });
});
