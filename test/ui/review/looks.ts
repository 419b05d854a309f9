/** How a proposal and an answer look: what goes and what comes, in every theme where pictures are taken, and paths that open. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { answerEnded, askQuestion, outcomeOf } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { inSteps } from '../../support/leftovers.ts';
import { clickLens, hunksAre, lensesOf, openFile, runOnAll } from '../../support/reviewDriver.ts';
import { readTheme, THEMES, themeOf, writeTheme } from '../../support/themes.ts';
import { review, scripted, workbench } from './stage.ts';

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

/** A proposal is shown in all of them for pictures only. The first is the one that a new window has, and the last is left to the other tests: to change the theme draws all anew. */
const LOOKS = ['light', 'hc-light', 'hc-dark', 'dark'] as const;

const settings = () => ({ ...review.settings, 'k3.route': 'scripted' });
const useTheme = (name: (typeof LOOKS)[number]) =>
  workbench.updateSettings({ ...settings(), 'workbench.colorTheme': THEMES[name] });

/** Of the chat: to change the theme draws all anew that is open. */
describe('The colors of a theme', () => {
  it('are those with which the pages are tested alone', async () => {
    for (const name of LOOKS) {
      await useTheme(name);
      // With this variable they are written anew.
      if (process.env['K3_WRITE_THEMES'] !== undefined) {
        await workbench.page.waitForTimeout(700);
        writeTheme(name, await readTheme(review.chat()));
      } else
        await eventually(async () =>
          assert.deepEqual(await readTheme(review.chat()), themeOf(name), 'run this with K3_WRITE_THEMES=1'),
        );
    }
  });
});

describe('A proposal', () => {
  inSteps();

  before(async () => {
    await workbench.resize(1280, 1300);
    await workbench.updateSettings(settings());
  });

  it('shows what goes and what comes, and opens no other view', async () => {
    const { page } = workbench;
    await openFile(workbench, 'shop.js');
    scripted.respondWith(
      JSON.stringify({ explanation: 'Shorter.', files: [{ path: 'src/shop.js', edits: EDITS }] }),
    );
    await runOnAll(workbench, 'K3: Fix');
    assert.equal(await outcomeOf(await answerEnded(review.chat())), 'complete');
    await hunksAre(workbench, 3);
    await page.locator('.review-widget .comment-body').nth(2).waitFor();
    for (const name of workbench.takesPictures ? LOOKS : []) {
      await useTheme(name);
      await page.waitForTimeout(700);
      await workbench.screenshot(`looks-hunks-${name}`);
    }
    assert.equal(await page.locator('.part.panel:visible').count(), 0, 'the Comments panel');
    assert.equal(await page.locator('.comment-thread-range').count(), 0, 'lines in the color of threads');
    const thread = page.locator('.review-widget .comment-body').first();
    await eventually(async () => {
      assert.match(await thread.innerText(), /^\+ {3}const prices = .*\n\+ {3}const all = sum/m);
      assert.deepEqual((await thread.locator('ins').allInnerTexts()).slice(0, 2), ['const', '(']);
    });
  });

  it('has no threads in its diff', async () => {
    const { page } = workbench;
    await clickLens(workbench, 'Open Diff');
    await page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'isEmpty' }).waitFor();
    await page.waitForTimeout(700);
    await workbench.screenshot('looks-diff');
    assert.equal(await page.locator('.monaco-diff-editor .review-widget').count(), 0);
    await workbench.execute('workbench.action.closeActiveEditor');
  });
});

describe('A path in an answer', () => {
  after(async () => {
    await workbench.updateSettings({ ...review.settings });
    // After a test that failed there are none, and no such command.
    const isOpen = (await lensesOf(workbench)).some((lens) => /\bReject\b/.test(lens));
    if (isOpen) await workbench.execute('k3.rejectAll');
    await workbench.resize(1280, 1000);
  });

  it('is a link that opens the file at the line, if it exists in the workspace', async () => {
    const { page } = workbench;
    scripted.respondWith(
      'See `src/sum.js`, src/shop.js:9 and [the total](src/shop.js#L3). There is no `src/none.js`, ' +
        'and [nothing](../outside.js#L1) outside. Not `older`, but `oldTotal`.\n\n```js\n// src/sum.js\n```\n',
    );
    const answer = await askQuestion(review.chat(), 'Where is it?');
    await answer.getByRole('link', { name: 'src/sum.js', exact: true }).waitFor();
    const symbol = answer.getByRole('link', { name: 'oldTotal', exact: true });
    await symbol.waitFor();
    await workbench.screenshot('looks-paths');
    await eventually(async () =>
      assert.deepEqual(await answer.getByRole('link').allInnerTexts(), [
        'src/sum.js',
        'src/shop.js:9',
        'the total',
        'oldTotal',
      ]),
    );
    await answer.getByRole('link', { name: 'src/shop.js:9' }).click();
    await page.locator('.statusbar-item', { hasText: 'Ln 9, Col 1' }).waitFor();
    await page.locator('.tab.active[aria-label^="shop.js"]').waitFor();
    await answer.getByRole('link', { name: 'the total' }).click();
    await page.locator('.statusbar-item', { hasText: 'Ln 3, Col 1' }).waitFor();
    await symbol.click();
    await page.locator('.statusbar-item', { hasText: 'Ln 16, Col 22 (8 selected)' }).waitFor();
  });
});
