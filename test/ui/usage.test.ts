/** The usage page, in a real workbench. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { askQuestion } from '../support/chatDriver.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

let emulator: Emulator;
let workbench: Workbench;

before(async () => {
  emulator = await startEmulator({ port: 0, route: 'direct', key: 'k', tokensPerSecond: 2000 });
  workbench = await startWorkbench({
    env: { K3_API_KEY: 'k' },
    settings: { 'k3.routes': { plain: { kind: 'direct', baseUrl: emulator.url } }, 'k3.route': 'plain' },
  });
});

after(async () => {
  await workbench?.dispose();
  await emulator?.close();
});

async function usagePage(): Promise<Frame> {
  for (let tries = 0; tries < 40; tries++) {
    for (const frame of workbench.page.frames()) {
      if (
        (await frame
          .locator('.totals')
          .count()
          .catch(() => 0)) > 0
      )
        return frame;
    }
    await workbench.page.waitForTimeout(250);
  }
  throw new Error('there is no usage page');
}

describe('The usage page', () => {
  it('opens by a click on the status bar, with figures, charts and tables', async () => {
    await workbench.runCommand('K3: Focus Chat');
    const chat = await workbench.chat();
    await askQuestion(chat, 'What does this cost?');
    await workbench.page.locator('.statusbar-item', { hasText: /tokens.*\$/ }).click();
    const page = await usagePage();
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
