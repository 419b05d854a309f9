/** What a snapshot in the middle of an answer leaves as it was, on the page of the chat alone in a browser: there is one after each round with words. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ExchangeView, TurnView } from '../../../src/panel/views.ts';
import { type ChatPage, isTrue, sharedChatPage } from '../../support/chatPage.ts';
import { eventually } from '../../support/eventually.ts';
import { exchangeView, snapshotOf, toolCallView, turnView } from '../../support/views.ts';

const openPage = sharedChatPage();
let chat: ChatPage;

const lines = (word: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${word} ${at}.\n\n`).join('');
const early = exchangeView('e1', 'Why?', lines('Early', 60), turnView('complete'));
/** The answer that runs, before and after the round with its first words. */
const running = (answer: string, more: Partial<TurnView> = {}): ExchangeView =>
  exchangeView('e2', 'And then?', answer, turnView('running', more));
const beforeRound = running('Let me look.');
const afterRound = running('', { rounds: [{ answer: 'Let me look.', calls: [toolCallView()] }] });

const selected = () => chat.page.evaluate<string>('getSelection().toString()');
const select = (text: string) =>
  chat.page.evaluate(`(() => {
    const part = [...document.querySelectorAll('.answer p')].find((one) => one.textContent === ${JSON.stringify(text)});
    getSelection().selectAllChildren(part);
  })()`);
const below = () =>
  chat.page.evaluate<number>(
    `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('.log'))`,
  );
const wheel = async (by: number) => {
  await chat.page.locator('.log').hover();
  await chat.page.mouse.wheel(0, by);
};

describe('A snapshot after a round of an answer', () => {
  beforeEach(async () => {
    chat = await openPage();
    await chat.send(snapshotOf([early, beforeRound]));
  });

  it('keeps what is selected in another answer', async () => {
    await select('Early 58.');
    assert.equal(await selected(), 'Early 58.');
    await chat.send(snapshotOf([early, afterRound]));
    assert.equal(await selected(), 'Early 58.');
    assert.equal(await chat.page.getByText('Let me look.').count(), 1);
  });

  it('leaves the user who is scrolling where they are, before the page keeps the place', async () => {
    const next = chat.numbered(snapshotOf([early, afterRound]));
    await chat.page.evaluate(`(() => {
      const log = document.querySelector('.log');
      const onScroll = () => {
        if (log.scrollHeight - log.scrollTop - log.clientHeight < 300) return;
        log.removeEventListener('scroll', onScroll);
        postMessage(${JSON.stringify(next)}, '*');
      };
      log.addEventListener('scroll', onScroll);
    })()`);
    await wheel(-600);
    // The group of calls comes with the snapshot.
    await chat.page.locator('[data-call]').waitFor({ state: 'attached' });
    await chat.page.waitForTimeout(400);
    assert.ok((await below()) > 250, String(await below()));
  });

  it('draws anew what has another text, also one that is shorter or has ended', async () => {
    const other = exchangeView('e1', 'Why?', 'Else.', turnView('complete'));
    await chat.send(snapshotOf([other, afterRound]));
    assert.equal(await chat.page.getByText('Early 3.').count(), 0);
    assert.equal(await chat.page.getByText('Else.').count(), 1);
    const ended = exchangeView('e2', 'And then?', 'Whole.', turnView('complete'));
    await chat.send(snapshotOf([other, running('Who'), exchangeView('e3', 'So?', '', turnView('complete'))]));
    await chat.send(snapshotOf([other, ended]));
    assert.equal(await chat.page.getByText('Whole.').count(), 1);
    // Another window goes on with it after all.
    await chat.send(snapshotOf([other, running('Whole.')]));
    await chat.send({ type: 'text', turnId: 't2', reasoning: '', answer: ' And more.' });
    assert.equal(await chat.page.getByText('Whole. And more.').count(), 1);
  });

  it('does not go back to the place of a search that the user has left, and marks it anew', async () => {
    await chat.send({ type: 'open-find' });
    await chat.page.locator('.find-box').fill('early 3.');
    await chat.send({
      type: 'found',
      words: 'early 3.',
      places: [{ exchangeId: 'e1', part: 'answer', occurrence: 0 }],
    });
    await eventually(async () => assert.ok((await below()) > 500));
    await chat.page.getByRole('button', { name: 'Scroll to bottom' }).click();
    await eventually(async () => assert.ok((await below()) < 24));
    await chat.send(snapshotOf([early, afterRound]));
    assert.ok((await below()) < 24, String(await below()));
    await isTrue(
      chat.page,
      `[...CSS.highlights.get('found-current') ?? []].map(String).join() === 'Early 3.'`,
    );
  });
});

describe('An attempt that is shown again', () => {
  it('has its text as it is now: its end can be another one than what was shown of it', async () => {
    const attempt = (at: number, answer: string, turn: TurnView): ExchangeView => ({
      ...exchangeView('e1', 'Why?', answer, turn),
      turn: { ...turn, id: `t${at}`, reasoning: '', answer },
      attempt: at,
      attempts: 2,
    });
    chat = await openPage();
    await chat.send(snapshotOf([attempt(1, '```json\n{"edits": [', turnView('running'))]));
    await chat.send({ type: 'exchange', exchange: attempt(0, 'The first.', turnView('complete')) });
    assert.equal(await chat.page.getByText('The first.').count(), 1);
    await chat.send({
      type: 'exchange',
      exchange: attempt(1, 'It proposes nothing, because all is well.', turnView('complete')),
    });
    assert.equal(
      (await chat.page.locator('[data-part="answer"]').textContent())?.trim(),
      'It proposes nothing, because all is well.',
    );
  });
});

describe('A question that is asked further up in a long conversation', () => {
  it('is shown with its answer, as the page gets the end of the conversation', async () => {
    const many = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) =>
        exchangeView(`e${from + at}`, 'Why?', lines(`Answer ${from + at}`, 10), turnView('complete')),
      );
    chat = await openPage();
    await chat.send(snapshotOf(many(0, 20), { later: 30 }));
    await wheel(-800);
    await eventually(async () => assert.ok((await below()) > 500));
    // The page keeps the place.
    await isTrue(chat.page, 'typeof getSaved()?.scrollTop === "number"');
    const asked = exchangeView('e51', 'And then?', '', turnView('running'));
    await chat.send(snapshotOf([...many(31, 51), asked], { earlier: 31 }));
    assert.ok((await below()) < 24, String(await below()));
    await chat.send({ type: 'text', turnId: 't51', reasoning: '', answer: lines('So', 40) });
    assert.ok((await below()) < 24, String(await below()));
  });
});

describe('A key in the moment in which the message box gets another text', () => {
  /** What the page makes of a message of the host and a letter that the user types before it is drawn. */
  async function typeAfter(message: object): Promise<readonly unknown[]> {
    await chat.posted();
    await chat.page.evaluate(`new Promise((resolve) => {
      addEventListener('message', () => {
        const box = document.querySelector('.composer textarea');
        box.value += '!';
        box.dispatchEvent(new InputEvent('input', { bubbles: true, data: '!' }));
        resolve();
      }, { once: true });
      postMessage(${JSON.stringify(message)}, '*');
    })`);
    return (await chat.posted()).filter(({ type }) => type === 'typed');
  }

  beforeEach(async () => {
    chat = await openPage();
    await chat.send(snapshotOf([], { draft: 'For the first' }));
  });

  it('takes no text of another conversation to the one that is shown now', async () => {
    const other = chat.numbered(snapshotOf([], { conversationId: 'c2', draft: 'For the second' }));
    assert.deepEqual(await typeAfter(other), [{ type: 'typed', text: 'For the second!' }]);
  });

  it('loses nothing that a command adds', async () => {
    const added = chat.numbered({ type: 'compose', text: 'About this step.' });
    assert.deepEqual(await typeAfter(added), [{ type: 'typed', text: 'For the first\nAbout this step.!' }]);
  });
});
