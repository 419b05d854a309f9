/** The driver that enters text into a box of the chat, on the page of the chat alone in a frame, as in the editor. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { enterText } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { framedPages } from '../../support/framedPage.ts';
import { snapshotOf } from '../../support/views.ts';

const openPage = framedPages();

describe('A text that a test enters in the message box', () => {
  let chat: Frame;
  const box = () => chat.locator('.composer textarea');
  const onBox = (event: string, act: string) =>
    chat.evaluate(`document.querySelector('.composer textarea').addEventListener('${event}', ${act})`);

  beforeEach(async () => {
    const page = await openPage((address) => `<iframe src="${address}"></iframe>`);
    const [, frame] = page.frames();
    assert.ok(frame);
    chat = frame;
    await eventually(async () => {
      await chat.evaluate(`postMessage(${JSON.stringify({ ...snapshotOf([]), seq: 1 })}, '*')`);
      assert.equal(await box().count(), 1);
    });
  });

  it('is entered again if the focus had gone to the frame around the page, where nothing takes it', async () => {
    const loseFocus = `() => { if (!globalThis.isLost) queueMicrotask(() => parent.focus()); globalThis.isLost = true; }`;
    await onBox('focus', loseFocus);
    await box().fill('Lost');
    assert.equal(await box().inputValue(), '');
    await chat.evaluate('globalThis.isLost = false');
    await enterText(box(), 'Kept');
    assert.equal(await box().inputValue(), 'Kept');
  });

  it('is not entered again if the page has got it', async () => {
    await onBox('input', '() => (globalThis.count = (globalThis.count ?? 0) + 1)');
    await enterText(box(), 'Kept');
    assert.equal(await chat.evaluate('globalThis.count'), 1);
  });
});
