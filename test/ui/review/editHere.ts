/** Edits in the code, by keyboard: the box, the progress, the hunk, and Escape. */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { focusChat } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard, focusOf } from '../../support/keyboardDriver.ts';
import { clickLens, focusEditor, hunksAre, openFile } from '../../support/reviewDriver.ts';
import { review, workbench } from './stage.ts';
import { SHORT } from './texts.ts';

const threads = () => workbench.page.locator('.review-widget:visible');

/** What a screen reader says for the answer: not what the comment had when it was drawn first. */
const answerIs = (text: string) =>
  threads()
    .getByRole('treeitem', { name: new RegExp(`^svc-k3, .*${text}`, 's') })
    .waitFor();

/** Opens the box at the first line, and sends what should change. */
async function edit(words: string): Promise<void> {
  const { page } = workbench;
  await focusEditor(workbench);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+K');
  await page.keyboard.press('j');
  await page.locator('.review-widget .monaco-editor.focused').first().waitFor();
  await page.keyboard.type(words);
  assert.equal(await review.chat().getByText('commentinput').count(), 0, 'the box is no file');
  await page.keyboard.press('Enter');
  // The last line of the reasoning may have the words, too.
  await threads().locator('.comment-body').getByText(words).first().waitFor();
}

/** Ends the edit. The editor takes the key for a hover that a busy machine shows late. */
async function endByEscape(): Promise<void> {
  await createKeyboard(workbench).at('editor: here.js');
  await eventually(async () => {
    await workbench.page.keyboard.press('Escape');
    await threads()
      .first()
      .waitFor({ state: 'detached', timeout: 5000 })
      .catch(async (error) => {
        await focusEditor(workbench);
        throw error;
      });
  }, 60_000);
}

describe('An edit in the code', () => {
  before(() => focusChat(workbench));
  beforeEach(() => openFile(workbench, 'here.js'));

  it('is asked, accepted, and ended by keyboard', async () => {
    await edit('Make it modern.');
    await hunksAre(workbench, 1);
    await threads().getByText('here.js: 1 open, 0 accepted, 0 rejected').waitFor();
    await threads().getByText('let').first().waitFor();
    await threads().getByRole('button', { name: 'Ask for another change…' }).waitFor();
    await workbench.screenshot('edit-here-hunk');
    await answerIs('1 open, 0 accepted');
    await clickLens(workbench, 'Accept', 0);
    await threads().getByText('here.js: 0 open, 1 accepted, 0 rejected').waitFor();
    await answerIs('0 open, 1 accepted');
    await review.saveAndCheck('here.js', SHORT.replace('var a', 'let a'));
    // The thread is drawn again once more, which can take the focus away.
    await eventually(async () => {
      await focusEditor(workbench);
      await eventually(async () => assert.equal(await focusOf(workbench), 'editor: here.js'), 2000);
    }, 60_000);
    await endByEscape();
  });

  it('is gone on with by keyboard alone, beside its hunk', async () => {
    const { page } = workbench;
    const keyboard = createKeyboard(workbench);
    const thread = () => threads().filter({ hasText: /keyed\.js, line/ });
    const goTo = async (box: string) => {
      await keyboard.press('Control+K', 'j');
      await thread().locator(`${box} .monaco-editor.focused`).waitFor();
    };
    const complete = () => review.chat().locator('article[data-outcome="complete"]');
    const ask = async (words: string) => {
      const before = await complete().count();
      await page.keyboard.type(words);
      await keyboard.press('Enter');
      await thread().locator('.comment-body').getByText(words).first().waitFor();
      // The hunk of the first answer is there while the second one comes.
      await complete().nth(before).waitFor();
      await hunksAre(workbench, 1);
      await keyboard.at('editor: keyed.js');
    };
    await openFile(workbench, 'keyed.js');
    await focusEditor(workbench);
    await keyboard.press('Control+Home');
    await goTo('.edit-container');
    await ask('Make it modern.');
    await goTo('.comment-form');
    await ask('And shorter.');
    await thread().locator('.comments-container[aria-label*="keyed.js, line 1"]').waitFor();
    await workbench.screenshot('edit-here-again');
    await goTo('.comment-form');
    await keyboard.press('Escape');
    await thread().waitFor({ state: 'detached' });
    // The hunk is kept.
    await keyboard.at('editor: keyed.js');
    await hunksAre(workbench, 1);
    // Its thread is drawn again, which can take the focus away between the two keys.
    await eventually(async () => {
      await keyboard.at('editor: keyed.js');
      await keyboard.press('Control+K', 'a');
      await page
        .locator('.codelens-decoration a', { hasText: 'Reject' })
        .first()
        .waitFor({ state: 'detached', timeout: 10_000 });
    });
    await review.saveAndCheck('keyed.js', SHORT.replace('var a', 'let a'));
  });

  it('offers prompt files after a slash, and sends the one that is named', async () => {
    const { page } = workbench;
    const keyboard = createKeyboard(workbench);
    const prompts = join(review.folder, '.github/prompts');
    await mkdir(prompts, { recursive: true });
    const written = `---\ndescription: What browsers have\n---\nMake it modern, in $\{selection}.\n`;
    await writeFile(join(prompts, 'modern.prompt.md'), written);
    const rows = page.locator('.suggest-widget.visible .monaco-list-row');
    const offered = () => rows.filter({ hasText: '/modern' });
    const box = (kind: string) => threads().locator(`${kind} .monaco-editor.focused`);
    await openFile(workbench, 'named.js');
    await focusEditor(workbench);
    await page.keyboard.press('Control+Home');
    await keyboard.press('Control+K', 'j');
    await box('.edit-container').waitFor();
    await page.keyboard.type('/mod');
    await offered().filter({ hasText: 'What browsers have' }).waitFor();
    await workbench.screenshot('edit-here-prompts');
    await page.keyboard.press('Enter');
    await rows.first().waitFor({ state: 'hidden' });
    await page.keyboard.type('and short');
    await page.keyboard.press('Enter');
    await threads().locator('.comment-body').getByText('/modern and short').first().waitFor();
    await hunksAre(workbench, 1);
    const asked = review.chat().locator('article.you').last();
    assert.match(await asked.innerText(), /Edit Here · \/modern and short/);
    await asked.getByRole('button', { name: 'Details' }).click();
    await asked.getByText('Make it modern, in named.js:1').first().waitFor();
    // The box for replies has another name.
    await focusEditor(workbench);
    await keyboard.press('Control+K', 'j');
    await box('.comment-form').waitFor();
    await page.keyboard.type('/');
    await offered().waitFor();
    await page.keyboard.press('Escape');
    await rows.first().waitFor({ state: 'hidden' });
    // The key has closed the list only.
    await box('.comment-form').waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Escape');
    await threads()
      .filter({ hasText: /named\.js, line/ })
      .waitFor({ state: 'detached' });
    await rm(join(review.folder, '.github'), { recursive: true });
    await workbench.execute('k3.rejectAll');
  });

  describe('while svc-k3 reasons', () => {
    before(async () => {
      const { plain } = review.settings['k3.routes'] as { plain: { baseUrl: string } };
      const slow = { ...plain, baseUrl: `${plain.baseUrl}/s/slow-reasoning` };
      await workbench.updateSettings({ ...review.settings, 'k3.routes': { slow }, 'k3.route': 'slow' });
    });

    after(() => workbench.updateSettings({ ...review.settings }));

    it('shows the last line of its reasoning, and Escape in the editor leaves nothing', async () => {
      const before = review.bytesOf('here.js');
      await edit('Explain it in comments.');
      await threads()
        .locator('.comment-body', { hasText: /\w{4,}/ })
        .nth(1)
        .waitFor();
      await threads().getByText('Reasoning', { exact: true }).waitFor();
      // Its steps begin with bold words, and a screen reader would read their marks.
      const name = await threads()
        .getByRole('treeitem', { name: /^svc-k3, / })
        .getAttribute('aria-label');
      assert.match(name ?? '', /^svc-k3, [^*`]{4,}$/);
      await workbench.screenshot('edit-here-running');
      await endByEscape();
      await review.chat().locator('article[data-outcome="stopped"]').waitFor();
      assert.equal(review.bytesOf('here.js'), before);
    });
  });
});
