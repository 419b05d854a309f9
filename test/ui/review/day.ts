/** A day’s work with the keyboard alone. After every step the focus is where the user works; otherwise the keys go elsewhere. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { answerEnded, outcomeOf } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard, focusOf, type Keyboard } from '../../support/keyboardDriver.ts';
import { inSteps } from '../../support/leftovers.ts';
import { hunksAre } from '../../support/reviewDriver.ts';
import { review, workbench } from './stage.ts';
import { TAKEN } from './texts.ts';

const FILE = 'day.js';
const TRIES = 20;

let keys: Keyboard;

const emulatorUrl = () => (review.settings['k3.routes'] as { plain: { baseUrl: string } }).plain.baseUrl;

const answered = async () => assert.equal(await outcomeOf(await answerEnded(review.chat())), 'complete');
/** The editor knows a moment after the page that the chat has the focus. The help takes it a moment after its tab is there. */
async function openHelp(): Promise<void> {
  const tab = workbench.page.locator('.tab.active', { hasText: 'Preview keyboard.md' });
  for (let tries = 0; tries < TRIES && !(await tab.isVisible()); tries++) {
    // Before the editor knows, the key opens the help of the editor, which gives the focus to a file when it is closed.
    if (!(await focusOf(workbench)).startsWith('chat')) await keys.press('Control+k', 'k');
    await keys.press('Alt+F1');
    await tab.waitFor({ timeout: 2000 }).catch(() => undefined);
  }
  // The editor gives the focus to a page before it has loaded it, which is lost on a busy machine.
  const has = async () => assert.equal(await focusOf(workbench), 'page');
  await eventually(has, 5000).catch(async () => {
    await keys.run('View: Focus Active Editor Group');
    await eventually(has);
  });
}
const question = (text: string) => review.chat().locator('article.you', { hasText: text });

describe('A day’s work by keyboard alone', () => {
  inSteps();

  before(async () => {
    keys = createKeyboard(workbench);
    await workbench.updateSettings({ ...review.settings, 'files.simpleDialog.enable': true });
    await workbench.execute('workbench.action.closeAllEditors');
  });

  after(() => workbench.updateSettings({ ...review.settings }));

  it('begins with a question, and goes through the conversation', async () => {
    await keys.open(FILE);
    await keys.run('K3: New Conversation');
    await keys.at('chat: Message');
    await keys.type('What is a heron?');
    await keys.press('Enter');
    await question('What is a heron?').waitFor();
    await answered();
    await keys.at('chat: Message');
    await keys.press('Alt+ArrowUp');
    await keys.at('chat: svc-k3: Complete');
    await keys.press('Alt+ArrowUp');
    await keys.at('chat: You: What is a heron?');
    await keys.press('Alt+ArrowDown', 'Alt+ArrowDown');
    await keys.at('chat: Message');
  });

  it('finds text in the conversation, and types nothing into the file', async () => {
    for (let count = 1; count <= TRIES; count++) {
      await keys.press('Control+f');
      for (const letter of 'heron') await keys.press(letter);
      await keys.at('chat: Find');
      const box = review.chat().getByRole('textbox', { name: 'Find' });
      await eventually(async () => assert.equal(await box.inputValue(), 'heron', `try ${count}`));
      await keys.press('Escape');
      // Before the first result, it is the message box.
      await keys.at(/^chat: (You|svc-k3|Message)/);
    }
    assert.equal(await workbench.page.locator('.editor-instance .find-widget.visible').count(), 0);
  });

  it('comes back to the button of the chat that opened an input', async () => {
    await keys.run('K3: New Conversation');
    await keys.at('chat: Message');
    await keys.press('Tab');
    await keys.at('chat: Attach');
    for (const [name, title] of [
      ['Effort', 'Reasoning effort'],
      ['Answer format', 'Answer format'],
      ['Tools', 'Tools for svc-k3'],
      ['plain', 'Switch Route'],
    ] as const) {
      for (let count = 0; count < 6 && (await focusOf(workbench)) !== `chat: ${name}`; count++)
        await keys.press('ArrowRight');
      await keys.at(`chat: ${name}`);
      await keys.press('Enter');
      await keys.at(new RegExp(`^input: ${title}`));
      await keys.press('Escape');
      await keys.at(`chat: ${name}`);
    }
    await keys.press('Control+k', 'k');
    await keys.at('chat: Message');
    assert.equal(await review.chat().getByRole('textbox', { name: 'Message' }).inputValue(), '');
  });

  it('explains a selection', async () => {
    await keys.press('Control+1');
    await keys.at(`editor: ${FILE}`);
    await keys.press('Control+Home', 'Control+Shift+End', 'Control+k', 'h');
    await keys.at('chat: Message');
    await question('Explain').waitFor();
    await answered();
    await keys.at('chat: Message');
  });

  it('refactors, accepts one hunk, undoes that and accepts it by its own command, rejects another, comments on the third, sends the review, and accepts the rest', async () => {
    await keys.press('Control+1');
    await keys.at(`editor: ${FILE}`);
    await keys.press('Control+a');
    await keys.run('K3: Refactor…');
    await keys.at('input: Refactor');
    await keys.type('Make it modern');
    await keys.press('Enter');
    await hunksAre(workbench, 3);
    await answered();
    await keys.at('chat: Message');
    await keys.press('Control+k', 'n');
    await keys.at(`editor: ${FILE}`);
    await keys.press('Control+Home', 'Control+k', 'a');
    await hunksAre(workbench, 2);
    await keys.press('Control+k', 'n');
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 4, Col 1' }).waitFor();
    await keys.press('Control+k', 'x');
    await hunksAre(workbench, 1);
    await keys.at(`editor: ${FILE}`);
    // The rejected hunk is at the cursor, so the box opens at the next one.
    await keys.press('Control+k', 'g');
    await keys.at('comment');
    await keys.type('Say why it is a list.');
    // The editor enables it some time after the first key, and the keys of it are lost until then.
    const add = workbench.page.locator('.review-widget .monaco-button:visible:not(.disabled)', {
      hasText: 'Add Comment',
    });
    await add.first().waitFor();
    await keys.press('Control+Enter');
    await workbench.page.locator('.review-widget .comment-body', { hasText: 'Say why' }).first().waitFor();
    await keys.at(`editor: ${FILE}`);
    await keys.run('K3: Send Review');
    await workbench.page.locator('.review-widget', { hasText: '// As remarked' }).first().waitFor();
    await answered();
    await keys.at('chat: Message');
    await keys.run('K3: Accept All Hunks');
    await hunksAre(workbench, 0);
    await keys.press('Control+1');
    await keys.at(`editor: ${FILE}`);
    await review.saveAndCheck(FILE, /\/\/ As remarked/);
    // The same with the commands for one hunk. The one before is rejected.
    await keys.press('Control+z');
    await hunksAre(workbench, 1);
    await keys.press('Control+Home');
    await keys.run('K3: Next Hunk');
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 7, Col 1' }).waitFor();
    await keys.run('K3: Accept Hunk');
    await hunksAre(workbench, 0);
    await review.saveAndCheck(
      FILE,
      TAKEN.replace('b === c', 'b == c').replace('let d', '// As remarked: Say why it is a list.\nlet d'),
    );
    await keys.at(`editor: ${FILE}`);
    await keys.press('Control+k', 'k');
    await keys.at('chat: Message');
  });

  it('searches the conversations, and is at the message that it opens', async () => {
    await keys.run('K3: New Conversation');
    await keys.at('chat: Message');
    await keys.run('K3: Search Conversations…');
    await keys.at('input: Search Conversations');
    await keys.type('heron');
    await workbench.page
      .locator('.quick-input-list .monaco-list-row', { hasText: '«heron»' })
      .first()
      .waitFor();
    await keys.press('ArrowDown', 'Enter');
    await question('What is a heron?').waitFor();
    await keys.at(/^chat: (You: What is a heron\?|svc-k3)/);
  });

  it('exports the conversation', async () => {
    await keys.run('K3: Export Conversation…');
    await keys.at('input: Export Conversation');
    await keys.pick('Markdown', 'Markdown');
    const path = workbench.page.locator('.quick-input-widget input[aria-label^="Folder path"]:focus');
    await eventually(async () => assert.match(await path.inputValue({ timeout: 100 }), /\.md$/));
    const file = join(review.folder, 'herons.md');
    await keys.press('Control+a');
    await keys.type(file);
    await eventually(async () => assert.equal(await path.inputValue({ timeout: 100 }), file));
    await keys.press('Enter');
    await eventually(async () => assert.match(readFileSync(file, 'utf8'), /What is a heron\?/));
    await keys.at(`editor: ${FILE}`);
  });

  it('adds a route with an API key, and finds the settings', async () => {
    await keys.run('K3: Add Route…');
    await keys.at('input: Add Route (1 of 4): Kind');
    await keys.press('Enter');
    await keys.at('input: Add Route (2 of 4): Address');
    await keys.type(emulatorUrl());
    await keys.press('Enter');
    await keys.at('input: Add Route (3 of 4): Name');
    await keys.press('Control+a');
    await keys.type('evening');
    await keys.press('Enter');
    await keys.at('input: Add Route (4 of 4): API Key');
    await keys.press('Enter');
    await review.chat().getByRole('button', { name: 'evening', exact: true }).waitFor();
    await keys.run('K3: Set API Key…');
    await keys.at('input: API key for route “evening”');
    await keys.press('Escape');
    await keys.at(`editor: ${FILE}`);
    await keys.run('Preferences: Open Settings (UI)');
    await keys.at(/^settings/);
    await keys.type('k3.maxCompletionTokens');
    await workbench.page.locator('.settings-editor', { hasText: '1 Setting Found' }).waitFor();
    await keys.press('ArrowDown');
    await keys.at('settings: monaco-list');
  });
});

describe('The help of the chat, by keyboard alone', () => {
  before(() => {
    keys = createKeyboard(workbench);
  });

  it('is found in the side bar', async () => {
    await keys.press('Control+k', 'k');
    await keys.at('chat: Message');
    await openHelp();
  });

  it('is found after a search in a chat that is an editor tab', async () => {
    await keys.run('View: Close All Editors');
    await keys.run('K3: Open Chat in Editor');
    await keys.at('chat: Message');
    await keys.press('Control+f');
    for (const letter of 'heron') await keys.press(letter);
    await keys.at('chat: Find');
    await keys.press('Escape');
    await keys.at(/^chat: (You|svc-k3|Message)/);
    assert.equal(await workbench.page.locator('.webview-findbar.visible, .find-widget.visible').count(), 0);
    await openHelp();
  });
});
