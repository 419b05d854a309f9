/** Keys that belong to an input method, which writes Japanese or Chinese, on the page of the chat alone in a browser. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type ChatPage, sharedChatPage } from '../../support/chatPage.ts';
import { exchangeView, snapshotOf, surroundingsView, turnView } from '../../support/views.ts';

const openPage = sharedChatPage();
let chat: ChatPage;

/** Presses a key in the element that has the focus, as while the letters before it are being converted. */
async function compose(key: 'Escape' | 'Enter'): Promise<void> {
  await chat.page.evaluate(
    `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', isComposing: true, bubbles: true, cancelable: true }))`,
  );
  await chat.send();
}
const posted = async () => (await chat.posted()).map(({ type }) => type);

describe('A key that belongs to an input method', () => {
  beforeEach(async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'It adds up, and adds.', turnView('complete'))]));
    await chat.page.locator('.composer textarea').focus();
    await chat.posted();
  });

  it('doesn’t stop the answer that runs while the next message is written', async () => {
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({ running: true }) });
    await compose('Escape');
    assert.ok(!(await posted()).includes('stop'));
    await chat.page.keyboard.press('Escape');
    assert.ok((await posted()).includes('stop'));
  });

  it('doesn’t close a question that is edited, with its text', async () => {
    await chat.page.getByRole('button', { name: 'Edit' }).click();
    const box = chat.page.locator('textarea.edit');
    await box.fill('なぜ');
    await compose('Escape');
    assert.equal(await box.inputValue(), 'なぜ');
    await chat.page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
  });

  it('doesn’t go on with a search, or close it', async () => {
    await chat.send({ type: 'open-find' });
    await chat.page.locator('.find-box').fill('adds');
    const places = [0, 1].map((occurrence) => ({ exchangeId: 'e1', part: 'answer' as const, occurrence }));
    await chat.send({ type: 'found', words: 'adds', places });
    await compose('Enter');
    await compose('Escape');
    assert.equal(await chat.page.locator('.find-count').textContent(), '2 of 2');
  });

  it('doesn’t close the bar of Why?', async () => {
    await chat.send({ type: 'why', turnId: 't1', words: 'adds' });
    await chat.page.locator('.composer textarea').focus();
    await compose('Escape');
    assert.equal(await chat.page.locator('.why-text').count(), 1);
    await chat.page.keyboard.press('Escape');
    await chat.page.locator('.why-text').waitFor({ state: 'detached' });
  });
});
