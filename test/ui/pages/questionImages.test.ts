/** The images of a question: their size, what is still sent, and what goes with an edited question. And its box. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { ExchangeView } from '../../../src/panel/views.ts';
import { type ChatPage, sharedChatPage } from '../../support/chatPage.ts';
import { eventually } from '../../support/eventually.ts';
import { makePng } from '../../support/pictures.ts';
import { exchangeView, snapshotOf, surroundingsView, turnView } from '../../support/views.ts';

const openPage = sharedChatPage();
const url = `data:image/png;base64,${makePng(800, 600).toString('base64')}`;
let chat: ChatPage;

async function show(omitted = false): Promise<void> {
  const plain = exchangeView('e1', 'What is it?', 'A boat.', turnView('complete'));
  const exchange: ExchangeView = {
    ...plain,
    question: {
      ...plain.question,
      images: [{ name: 'boat.png', url, omitted }],
      context: [{ kind: 'file', name: 'a.ts', size: '12', omitted: [], omittedCount: 0, changed: undefined }],
    },
  };
  await chat.send(snapshotOf([exchange]));
}

const button = (name: string) => chat.page.getByRole('button', { name, exact: true });
const boxOf = async (one: Locator) => (await one.boundingBox()) ?? assert.fail('nothing is there');

describe('An image of a question', () => {
  const image = () => chat.page.getByRole('img', { name: 'boat.png' });

  it('is as wide as the chat when it is selected, and small when it is selected again', async () => {
    chat = await openPage();
    await show();
    const small = await boxOf(image());
    assert.ok(small.height <= 122, String(small.height));
    await button('boat.png').press('Enter');
    // The page is drawn in its next frame.
    await eventually(async () => {
      const { x, width } = await boxOf(image());
      assert.ok(width > 300 && x + width <= 400, `${width} pixels from ${x}`);
    });
    assert.equal(await button('boat.png').getAttribute('aria-expanded'), 'true');
    await button('boat.png').press('Enter');
    await eventually(async () => assert.deepEqual((await boxOf(image())).height, small.height));
  });

  it('is no longer sent, and is sent again, with the focus on the button', async () => {
    chat = await openPage();
    await show();
    await button('Stop sending boat.png').press('Enter');
    await show(true);
    await chat.page.getByRole('img', { name: 'boat.png: no longer sent' }).waitFor();
    await button('Send boat.png again').and(chat.page.locator(':focus')).press('Enter');
    const about = { type: 'omit-image', exchangeId: 'e1', index: 0 };
    assert.deepEqual(
      (await chat.posted()).filter(({ type }) => type === 'omit-image'),
      [
        { ...about, omits: true },
        { ...about, omits: false },
      ],
    );
  });

  it('is shown while the question is edited, with its context: both are sent again', async () => {
    chat = await openPage();
    await show();
    await button('Edit').click();
    const box = chat.page.getByRole('article', { name: 'You: Edit' });
    await box.getByRole('img', { name: 'boat.png' }).waitFor();
    await box.getByRole('list', { name: 'Context' }).getByText('a.ts').waitFor();
  });
});

describe('The box of an edited question', () => {
  it('stays in view, however far it is from the end', async () => {
    chat = await openPage();
    const lines = Array.from({ length: 60 }, (_, at) => `Line ${at}.`).join('\n\n');
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', lines, turnView('complete'))]));
    await chat.page.getByRole('textbox', { name: 'Message' }).press('ArrowUp');
    const box = chat.page.getByRole('textbox', { name: 'Edit' });
    await box.and(chat.page.locator(':focus')).waitFor();
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({ tools: 3 }) });
    const { y, height } = await boxOf(box);
    assert.ok(y >= 0 && y + height <= 600, `at ${y}`);
  });
});

describe('What is attached to a question', () => {
  for (const asked of [undefined, 'Explain'])
    it(`is below its text, with the same gap between all: ${asked === undefined ? 'written' : 'of a command'}`, async () => {
      chat = await openPage();
      const plain = exchangeView('e1', 'What is it?', 'A boat.', turnView('complete'));
      const context = [
        { kind: 'file', name: 'a.ts', size: '12', omitted: [], omittedCount: 0, changed: undefined },
      ] as const;
      const question = { ...plain.question, asked, context, origin: 'b.ts, line 1' };
      await chat.send(snapshotOf([{ ...plain, question }]));
      const parts = [
        chat.page.locator('.question'),
        chat.page.getByTitle('b.ts, line 1'),
        chat.page.getByTitle('a.ts'),
      ];
      const boxes = await Promise.all(parts.map(boxOf));
      const gaps = boxes.slice(1).map(({ y }, at) => y - (boxes[at]?.y ?? 0) - (boxes[at]?.height ?? 0));
      assert.deepEqual(gaps, [6, 6]);
    });
});
