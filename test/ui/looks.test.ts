/** How a proposal and an answer look: what goes and what comes in every theme, and paths that open. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { CANARY } from '../support/canary.ts';
import { answerEnded, askQuestion, focusChat, outcomeOf } from '../support/chatDriver.ts';
import { clickLens, hunksAre, openFile, runOnAll } from '../support/reviewDriver.ts';
import { type ScriptedService, startScriptedService } from '../support/scriptedService.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

const CODE = `import { sum } from './sum.js';

export function total(items, discount) {
  var prices = items.map(item => item.price);
  var all = sum(prices);
  return all - all * discount;
}

export function count(items) {
  return items.length;
}

export const first = (items) => items[0];

// An old way, no longer called.
export const oldTotal = total;
`;

const EDITS = [
  {
    find: '  var prices = items.map(item => item.price);\n  var all = sum(prices);\n  return all - all * discount;\n',
    replace:
      '  const prices = items.map((item) => item.price);\n  const all = sum(prices);\n  return all * (1 - discount);\n',
  },
  {
    find: '  return items.length;\n}\n',
    replace:
      '  return items.length;\n}\n\nexport function isEmpty(items) {\n  return count(items) === 0;\n}\n',
  },
  { find: '// An old way, no longer called.\nexport const oldTotal = total;\n', replace: '' },
];

const THEMES = [
  ['Default Light Modern', 'light'],
  ['Default Dark Modern', 'dark'],
  ['Default High Contrast', 'hc-dark'],
  ['Default High Contrast Light', 'hc-light'],
] as const;

let service: ScriptedService;
let workbench: Workbench;
let folder: string;
let settings: Record<string, unknown>;
let chat: Frame;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'k3-looks-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/shop.js'), CODE);
  writeFileSync(join(folder, 'src/sum.js'), 'export const sum = () => 0;\n');
  service = await startScriptedService();
  settings = {
    'k3.routes': { plain: { kind: 'direct', baseUrl: service.url } },
    'k3.route': 'plain',
  };
  workbench = await startWorkbench({
    folder,
    width: 1400,
    height: 1300,
    env: { K3_API_KEY: CANARY },
    settings,
  });
  chat = await focusChat(workbench);
});

after(async () => {
  await workbench?.dispose();
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

afterEach(async function () {
  if (this.currentTest?.state === 'failed')
    await workbench.screenshot(`looks-failed-${this.currentTest.title.slice(0, 20)}`);
});

describe('A proposal', () => {
  it('shows what goes and what comes in every theme, and opens no other view', async () => {
    const { page } = workbench;
    await openFile(workbench, 'shop.js');
    service.respondWith(
      JSON.stringify({ explanation: 'Shorter.', files: [{ path: 'src/shop.js', edits: EDITS }] }),
    );
    await runOnAll(workbench, 'K3: Fix');
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    await hunksAre(workbench, 3);
    await page.locator('.review-widget .comment-body').nth(2).waitFor();
    for (const [theme, name] of THEMES) {
      await workbench.updateSettings({ ...settings, 'workbench.colorTheme': theme });
      await page.waitForTimeout(700);
      await workbench.screenshot(`looks-hunks-${name}`);
    }
    await workbench.updateSettings({ ...settings, 'workbench.colorTheme': 'Default Dark Modern' });
    assert.equal(await page.locator('.part.panel:visible').count(), 0, 'the Comments panel');
    assert.equal(await page.locator('.comment-thread-range').count(), 0, 'lines in the color of threads');
    const thread = page.locator('.review-widget .comment-body').first();
    assert.match(await thread.innerText(), /^\+ {3}const prices = .*\n\+ {3}const all = sum/m);
    assert.deepEqual((await thread.locator('ins').allInnerTexts()).slice(0, 2), ['const', '(']);
  });

  it('has no threads in its diff', async () => {
    const { page } = workbench;
    await clickLens(workbench, 'Open Diff');
    await page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'isEmpty' }).waitFor();
    await page.waitForTimeout(700);
    await workbench.screenshot('looks-diff');
    assert.equal(await page.locator('.monaco-diff-editor .review-widget').count(), 0);
    await workbench.runCommand('View: Close Editor');
  });
});

describe('A path in an answer', () => {
  it('is a link that opens the file at the line, if it exists in the workspace', async () => {
    const { page } = workbench;
    service.respondWith(
      'See `src/sum.js`, src/shop.js:9 and [the total](src/shop.js#L3). There is no `src/none.js`, ' +
        'and [nothing](../outside.js#L1) outside.\n\n```js\n// src/sum.js\n```\n',
    );
    const answer = await askQuestion(chat, 'Where is it?');
    await answer.getByRole('link', { name: 'src/sum.js', exact: true }).waitFor();
    await workbench.screenshot('looks-paths');
    const names = await answer.getByRole('link').allInnerTexts();
    assert.deepEqual(names, ['src/sum.js', 'src/shop.js:9', 'the total']);
    await answer.getByRole('link', { name: 'src/shop.js:9' }).click();
    await page.locator('.statusbar-item', { hasText: 'Ln 9, Col 1' }).waitFor();
    await page.locator('.tab.active[aria-label^="shop.js"]').waitFor();
    await answer.getByRole('link', { name: 'the total' }).click();
    await page.locator('.statusbar-item', { hasText: 'Ln 3, Col 1' }).waitFor();
  });
});
