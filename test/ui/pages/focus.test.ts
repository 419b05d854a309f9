/** Where the focus is when the page gets it again, on the page of the chat alone in a browser. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type ChatPage, chatPages, isTrue } from '../../support/chatPage.ts';
import { exchangeView, snapshotOf, turnView } from '../../support/views.ts';

const openPage = chatPages();

describe('The focus of a page that gets it again', () => {
  let chat: ChatPage;
  const box = () => chat.page.getByRole('textbox', { name: 'Message' });
  /** The editor focuses the page, and nothing on it, as after a dialog in a browser window. */
  const comeBack = () =>
    chat.page.evaluate(`document.activeElement.blur(); window.dispatchEvent(new Event('focus'));`);
  const isNowhere = async () => {
    await chat.page.waitForTimeout(200);
    assert.equal(await chat.page.evaluate('document.activeElement === document.body'), true);
  };
  /** After this time, the focus is not that of a press any more. */
  const later = () => chat.page.waitForTimeout(1100);

  beforeEach(async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'It adds up.', turnView('complete'))]));
  });

  it('is where it was', async () => {
    await box().focus();
    await comeBack();
    await isTrue(chat.page, `document.activeElement.matches('.composer textarea')`);
    await chat.page.getByRole('button', { name: 'Attach' }).focus();
    await comeBack();
    await isTrue(chat.page, `document.activeElement.ariaLabel === 'Attach'`);
  });

  it('is nowhere if the user had pressed a place that takes none', async () => {
    await box().focus();
    await chat.page.evaluate(`
      document.activeElement.blur();
      window.dispatchEvent(new PointerEvent('pointerdown'));`);
    await later();
    await comeBack();
    await isNowhere();
  });

  it('is nowhere if the user has just pressed there, or words are selected', async () => {
    await box().click();
    await comeBack();
    await isNowhere();
    await box().focus();
    await later();
    await chat.page.evaluate(
      `getSelection().selectAllChildren(document.querySelector('[data-part="answer"]'))`,
    );
    await comeBack();
    await isNowhere();
  });
});
