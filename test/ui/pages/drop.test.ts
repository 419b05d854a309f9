/** Images that are dropped beside the message box. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ChatPage, sharedChatPage } from '../../support/chatPage.ts';
import { eventually } from '../../support/eventually.ts';
import { exchangeView, snapshotOf, turnView } from '../../support/views.ts';

const openPage = sharedChatPage();

const drag = (chat: ChatPage, type: string, file = 'a.png', kind = 'image/png') =>
  chat.page.evaluate<string>(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.of(1, 2, 3)], '${file}', { type: '${kind}' }));
        const event = new DragEvent('${type}', { dataTransfer, bubbles: true, cancelable: true });
        document.querySelector('[role=log] article').dispatchEvent(event);
        return event.defaultPrevented + ' ' + getComputedStyle(document.querySelector('.drop-hint')).display;
      })()`);

describe('An image that is dropped on the transcript', () => {
  it('is not attached if it is one of the page', async () => {
    const chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('complete'))]));
    await chat.page.evaluate(
      `document.querySelector('article').dispatchEvent(new DragEvent('dragstart', { bubbles: true }))`,
    );
    assert.equal(await drag(chat, 'dragover'), 'false none');
    assert.equal(await drag(chat, 'drop'), 'false none');
  });

  it('is attached after something of the page was dragged whose end was not reported', async () => {
    const chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('complete'))]));
    await chat.page.evaluate(`window.dispatchEvent(new DragEvent('dragstart'))`);
    await chat.page.mouse.move(40, 60);
    assert.equal(await drag(chat, 'dragover'), 'true flex');
  });

  it('is refused before it is dropped if it is another file, which could not be attached', async () => {
    const chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('complete'))]));
    assert.equal(await drag(chat, 'dragover', 'a.pdf', 'application/pdf'), 'false none');
  });

  it('is attached to the message, and is announced to the pointer before', async () => {
    const chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('complete'))]));
    assert.equal(await drag(chat, 'dragover'), 'true flex');
    assert.equal(await drag(chat, 'drop'), 'true none');
    await eventually(async () => {
      const posted = (await chat.posted()).filter(({ type }) => type === 'attach-images');
      assert.deepEqual(
        posted
          .flatMap((message) => (message.type === 'attach-images' ? message.images : []))
          .map(({ name, size }) => [name, size]),
        [['a.png', 3]],
      );
    });
  });

  it('is attached with the other files that were dropped with it', async () => {
    const chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('complete'))]));
    await chat.page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.of(1, 2, 3)], 'a.png', { type: 'image/png' }));
      dataTransfer.setData('text/uri-list', 'file:///w/a.png\\r\\nfile:///w/b.ts');
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('[role=log] article').dispatchEvent(event);
    })()`);
    const posted: string[] = [];
    await eventually(async () => {
      for (const message of await chat.posted()) {
        if (message.type === 'attach-images') posted.push(...message.images.map(({ name }) => name));
        if (message.type === 'attach-context') posted.push(JSON.stringify(message.references));
      }
      assert.deepEqual(posted.toSorted(), ['[{"kind":"file","uri":"file:///w/b.ts"}]', 'a.png']);
    });
  });
});

describe('A file of another program that is dropped and is no image', () => {
  const isMessageOf = ({ type }: { readonly type: string }) => type === 'attach-images';

  for (const place of ['[role=log] article', '.composer textarea'])
    it(`is given to the host, which says why it can’t be attached: on ${place}`, async () => {
      const chat = await openPage();
      await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('complete'))]));
      const isTaken = await chat.page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['const a = 1;'], 'a.rs', { type: '' }));
        const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
        document.querySelector('${place}').dispatchEvent(event);
        return event.defaultPrevented;
      })()`);
      assert.ok(isTaken);
      await eventually(async () => {
        const names = (await chat.posted())
          .filter(isMessageOf)
          .flatMap((message) => (message.type === 'attach-images' ? message.images : []))
          .map(({ name }) => name);
        assert.deepEqual(names, ['a.rs']);
      });
    });
});
