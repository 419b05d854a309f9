/** Where the focus is when the page gets it again, on the page of the chat alone in a browser. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { type ChatPage, chatPages, DRAWN, isTrue, sharedChatPage } from '../../support/chatPage.ts';
import { eventually } from '../../support/eventually.ts';
import { framedPages } from '../../support/framedPage.ts';
import { exchangeView, snapshotOf, turnView } from '../../support/views.ts';

const openPage = sharedChatPage();
const openNewPage = chatPages();
const openFramed = framedPages();

describe('The focus of the find bar', () => {
  it('stays there when a question was being edited, of whose box the end is drawn afterwards', async () => {
    const chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'It adds up.', turnView('complete'))]));
    await chat.page.getByRole('textbox', { name: 'Message' }).focus();
    await chat.page.keyboard.press('ArrowUp');
    await isTrue(chat.page, `document.activeElement.matches('textarea.edit')`);
    // Both keys are pressed before the page is drawn, as on a busy machine.
    const find = JSON.stringify(chat.numbered({ type: 'open-find' }));
    await chat.page.evaluate(`{
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      postMessage(${find}, '*');
    }`);
    await chat.page.locator('textarea.edit').waitFor({ state: 'detached' });
    await chat.page.evaluate(DRAWN);
    assert.equal(await chat.page.evaluate('document.activeElement.className'), 'find-box');
  });
});

describe('The focus of a page that gets it again', () => {
  let chat: ChatPage;
  const box = () => chat.page.getByRole('textbox', { name: 'Message' });
  /** The editor focuses the page, and nothing on it, as after a dialog in a browser window. */
  const COME_BACK = `document.activeElement.blur(); window.dispatchEvent(new Event('focus'));`;
  const comeBack = () => chat.page.evaluate(COME_BACK);
  const isNowhere = async () => {
    await chat.page.waitForTimeout(200);
    assert.equal(await chat.page.evaluate('document.activeElement === document.body'), true);
  };
  /** After this time, the focus is not that of a press any more. */
  const later = () => chat.page.waitForTimeout(1100);

  beforeEach(async () => {
    chat = await openNewPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'It adds up.', turnView('complete'))]));
  });

  it('is reported at once if the page has it when it is loaded, as after a reload of the window', async () => {
    await chat.page.reload();
    await eventually(async () =>
      assert.deepEqual(
        (await chat.posted()).filter(({ type }) => type === 'focus-moved'),
        [{ type: 'focus-moved', here: true, byKeyboard: false }],
      ),
    );
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
    // In the same task: a second later it would be another one.
    await chat.page.evaluate(`addEventListener('click', () => { ${COME_BACK} }, { once: true })`);
    await box().click();
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

describe('The focus of a page that is told to take it', () => {
  let page: Page;
  const inPage = (script: string) => {
    const frame = page.frames()[1];
    assert.ok(frame);
    return frame.evaluate(script);
  };
  const receive = (type: 'focus' | 'refocus', seq: number) =>
    inPage(`postMessage(${JSON.stringify({ type, seq })}, '*'); ${DRAWN}`);
  const list = () => page.locator('#list');
  const focused = () => page.evaluate<string>('document.activeElement.id');
  const inBox = () => inPage(`document.hasFocus() && document.activeElement.matches('.composer textarea')`);

  /** The page is in a frame, beside a list of the editor. */
  beforeEach(async () => {
    page = await openFramed((address) => `<input id="list"><iframe id="chat" src="${address}"></iframe>`);
    const first = JSON.stringify({ ...snapshotOf([]), seq: 1 });
    await eventually(async () => {
      await inPage(`postMessage(${first}, '*')`);
      assert.equal(await inPage(`document.querySelector('.composer textarea') !== null`), true);
    });
  });

  for (const type of ['focus', 'refocus'] as const)
    it(`stays in a list that the user has opened meanwhile, and is in the box afterwards (${type})`, async () => {
      await list().focus();
      await receive(type, 2);
      assert.equal(await focused(), 'list');
      await page.evaluate(`document.getElementById('chat').focus()`);
      await eventually(async () => assert.equal(await inBox(), true));
    });

  for (const key of ['Enter', 'Tab'])
    it(`stays in a list that the user has opened while it was looked for what ${key} chooses behind a slash`, async () => {
      await page.evaluate(`document.getElementById('chat').focus()`);
      await inPage(`document.querySelector('.composer textarea').focus()`);
      await page.keyboard.type('/e');
      await page.keyboard.press(key);
      await list().focus();
      const choices = [{ label: '/explain', description: '', icon: 'sparkle' }];
      const found = JSON.stringify({ type: 'choices', seq: 2, query: 2, choices });
      await inPage(`postMessage(${found}, '*'); ${DRAWN}`);
      assert.equal(await inPage(`document.querySelector('.composer textarea').value`), '/explain ');
      assert.equal(await focused(), 'list');
    });

  it('is where the user presses when the page comes too late', async () => {
    await list().focus();
    await receive('focus', 2);
    await page.frames()[1]?.getByRole('button', { name: 'Attach' }).click();
    assert.equal(await inPage('document.activeElement.ariaLabel'), 'Attach');
  });

  describe('when the user has used the keyboard meanwhile', () => {
    const press = (key: string) => page.keyboard.press(key);
    const at = () => inPage('document.activeElement.ariaLabel');

    beforeEach(async () => {
      await page.evaluate(`document.getElementById('chat').focus()`);
      await inPage(`document.querySelector('.composer textarea').focus()`);
    });

    for (const type of ['focus', 'refocus'] as const)
      it(`stays where a key has moved it, and where the next one moves it (${type})`, async () => {
        await press('Tab');
        await receive(type, 2);
        assert.equal(await at(), 'Attach');
        await press('ArrowRight');
        const next = await at();
        assert.notEqual(next, 'Attach');
        await receive(type, 3);
        assert.equal(await at(), next);
      });

    it('stays where a key moves it before the page is drawn', async () => {
      await inPage(
        `const held = globalThis.held = []; globalThis.requestAnimationFrame = (run) => held.push(run)`,
      );
      await inPage(`dispatchEvent(new MessageEvent('message', { data: { type: 'focus', seq: 2 } }))`);
      await press('Tab');
      // It asks for a second frame in the first one.
      await inPage('for (const run of held) run(performance.now())');
      assert.equal(await at(), 'Attach');
    });

    it('is in the box if the last key was that of a command, or the user has pressed something, been elsewhere, or waited', async () => {
      const since = [
        async () => {
          await press('Control+k');
          await press('k');
        },
        () => inPage(`dispatchEvent(new PointerEvent('pointerdown'))`),
        async () => {
          await list().focus();
          await page.evaluate(`document.getElementById('chat').focus()`);
        },
        () => page.waitForTimeout(2100),
      ];
      for (const [index, happens] of since.entries()) {
        await inPage(`document.querySelector('.composer textarea').focus()`);
        await press('Tab');
        await happens();
        await receive('focus', index + 2);
        await eventually(async () => assert.equal(await inBox(), true, `case ${index}`));
      }
    });
  });

  it('is in the box at once while the page has it', async () => {
    await page.evaluate(`document.getElementById('chat').focus()`);
    await inPage('document.activeElement.blur()');
    await receive('focus', 2);
    await eventually(async () => assert.equal(await inBox(), true));
  });

  it('is in the box if the page had the focus before it knew that', async () => {
    await page.evaluate(`document.getElementById('chat').focus()`);
    // It knows as soon as it waits for that, which it does for a quarter of a second.
    await inPage(`{
      document.activeElement.blur();
      document.hasFocus = () => false;
      const wait = setTimeout;
      globalThis.setTimeout = (run, ms) => {
        if (ms === 250) delete document.hasFocus;
        return wait(run, ms);
      };
    }`);
    await receive('focus', 2);
    await eventually(async () => assert.equal(await inBox(), true));
  });
});

describe('The focus of a page in a frame of the editor that is told to take it', () => {
  let page: Page;
  /** The frame of the editor, beside a list, and the page in it. */
  const inFrame = (depth: 'frame' | 'page', script: string) => {
    const frame = page.frames()[depth === 'frame' ? 1 : 2];
    assert.ok(frame);
    return frame.evaluate(script);
  };
  const send = (message: object) =>
    inFrame(
      'frame',
      `document.querySelector('iframe').contentWindow.postMessage(${JSON.stringify(message)}, '*')`,
    );
  const inBox = () =>
    inFrame('page', `document.hasFocus() && document.activeElement.matches('.composer textarea')`);
  /** Whether the page has it then, in the same task: it takes it a quarter of a second later. */
  const endInFrame = () =>
    inFrame('frame', `window.focus(); document.querySelector('iframe').contentDocument.hasFocus()`);

  beforeEach(async () => {
    let address = '';
    page = await openFramed((chat, empty) => {
      address = chat;
      return `<input id="list"><iframe src="${empty}"></iframe>`;
    });
    await inFrame('frame', `document.body.innerHTML = '<iframe src="${address}"></iframe>'`);
    await eventually(async () => {
      await send({ ...snapshotOf([]), seq: 1 });
      assert.equal(await inFrame('page', `document.querySelector('.composer textarea') !== null`), true);
    });
  });

  it('is in the box if it has ended in the frame', async () => {
    assert.equal(await endInFrame(), false);
    await send({ type: 'focus', seq: 2 });
    await eventually(async () => assert.equal(await inBox(), true));
  });

  it('is where it was if it has ended in the frame and nobody tells the page, as after a dialog', async () => {
    await inFrame('page', `window.focus(); document.querySelector('.composer textarea').focus()`);
    await page.locator('#list').focus();
    assert.equal(await endInFrame(), false);
    await eventually(async () => assert.equal(await inBox(), true));
  });

  it('stays in a list that the user has opened meanwhile', async () => {
    await inFrame('frame', 'window.focus()');
    await send({ type: 'focus', seq: 2 });
    await page.locator('#list').focus();
    // After this time, the page looks where the focus has ended.
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate('document.activeElement.id'), 'list');
    assert.equal(await inBox(), false);
  });
});

describe('What a command shows while the page misses a message', () => {
  it('is shown after the snapshot that the page asks for: a map, and the places of a step', async () => {
    const chat = await openPage();
    // The page goes on waiting for the map of this turn, to give it the focus.
    const snapshot = snapshotOf([exchangeView('e71', 'Why?', 'It adds up.', turnView('complete'))]);
    await chat.send(snapshot);
    const at = { exchangeId: 'e71', turnId: 't71' };
    const has = (wanted: string) =>
      eventually(async () => assert.ok((await chat.posted()).some(({ type }) => type === wanted)));
    const give = (message: object) =>
      chat.page.evaluate(`postMessage(${JSON.stringify(chat.numbered(message))}, '*')`);
    await chat.posted();
    chat.numbered({ type: 'missed' });
    await give({ type: 'show-map', ...at });
    await give({ type: 'step', ...at, step: 0, part: 'answer' });
    await has('ready');
    await give(snapshot);
    await has('map');
    await chat.page.getByRole('group', { name: 'Why?' }).waitFor();
  });
});

describe('The focus that the host gives while the page misses a message', () => {
  it('is in the message box after the snapshot that the page asks for', async () => {
    const chat = await openPage();
    const snapshot = snapshotOf([exchangeView('e1', 'Why?', 'It adds up.', turnView('complete'))]);
    await chat.send(snapshot);
    await chat.page.evaluate('document.activeElement.blur()');
    await chat.posted();
    const give = (message: object) =>
      chat.page.evaluate(`postMessage(${JSON.stringify(chat.numbered(message))}, '*')`);
    chat.numbered({ type: 'missed' });
    await give({ type: 'focus' });
    await eventually(async () => assert.ok((await chat.posted()).some(({ type }) => type === 'ready')));
    await give(snapshot);
    await isTrue(chat.page, `document.activeElement.matches('.composer textarea')`);
  });
});
