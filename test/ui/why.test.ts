/** “Why?” on the page of the chat alone: the button at a selection, marks, keys, and what stays when the page changes. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { PageMessage } from '../../src/panel/messages.ts';
import { type ChatPage, chatPages } from '../support/chatPage.ts';
import { exchangeView, snapshotOf, surroundingsView, turnView } from '../support/views.ts';

const REASONING = [
  'The user asks why the client gives up. Let me look.',
  'In src/net/client.ts the loop uses `retryLimit`, which is 3, so four requests go out.',
  'The delay doubles each time: that is exponential backoff.',
  'A timeout of 30 s is set on the socket, and it includes the delays.',
].join('\n\n');
const ANSWER =
  'The client sends **four requests**, because `retryLimit` is 3. The delays double.\n\n- The socket’s timeout includes the delays.\n- Use a circuit breaker.';

const exchange = (more = {}) => {
  const view = exchangeView('e1', 'Why?', ANSWER, turnView('complete', { hasReasoning: true }));
  return { ...view, turn: view.turn && { ...view.turn, reasoning: REASONING, ...more } };
};

const openPage = chatPages();
let chat: ChatPage;

beforeEach(async () => {
  chat = await openPage();
  await chat.send(
    snapshotOf([exchange()], { surroundings: surroundingsView({ reasoningInChat: 'collapsed' }) }),
  );
  await chat.posted();
});

/** Selects the text from the start of one part of it to the end of another. */
const select = (first: string, last = first) =>
  chat.page.evaluate(`(() => {
    const range = document.createRange();
    const walker = document.createTreeWalker(document.querySelector('[data-part="answer"]'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const start = node.data.indexOf(${JSON.stringify(first)});
      if (start !== -1) range.setStart(node, start);
      const end = node.data.indexOf(${JSON.stringify(last)});
      if (end !== -1) range.setEnd(node, end + ${last.length});
    }
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  })()`);
const drawn = () =>
  chat.page.evaluate(
    'new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 60))',
  );
const why = (words?: string) =>
  chat.send({ type: 'why', turnId: words === undefined ? undefined : 't1', words }).then(drawn);
const press = (key: string) => chat.page.keyboard.press(key).then(drawn);
const cited = async (): Promise<readonly PageMessage['message'][]> =>
  (await chat.posted()).filter(({ type }) => type === 'cite' || type === 'choose-words');

interface Shown {
  readonly marked: readonly string[];
  readonly current: string;
  readonly words: readonly string[];
  readonly bar: string;
  readonly focus: string;
  readonly said: string;
  readonly selected: string;
}

const shown = () =>
  chat.page.evaluate<Shown>(`(() => {
    const steps = [...document.querySelectorAll('.step')];
    const texts = (name) => [...(CSS.highlights.get(name) ?? [])].map(String);
    const bar = document.querySelector('.why');
    return {
      marked: steps.flatMap((step, index) => step.matches('.is-strong') ? [index + ' strong'] : step.matches('.is-weak') ? [index + ' weak'] : []),
      current: String(steps.findIndex((step) => step.matches('.is-current'))),
      words: [...new Set([...texts('why'), ...texts('why-weak'), ...texts('why-current')])],
      bar: bar === null ? '' : bar.innerText.replace(/\\s+/g, ' ').trim(),
      focus: document.activeElement.ariaLabel ?? '',
      said: document.querySelector('[data-part="announcement"]').textContent,
      selected: getSelection().toString(),
    };
  })()`);

describe('Why?', () => {
  it('shows a button at selected words, which opens the reasoning at the step; Escape returns to them', async () => {
    const button = chat.page.getByRole('button', { name: 'Why?', exact: true });
    assert.equal(await button.isVisible(), false);
    await select('four requests');
    await drawn();
    await button.click();
    await drawn();
    const found = await shown();
    assert.deepEqual([found.marked, found.current], [['1 strong'], '1']);
    assert.deepEqual(found.words, ['four', 'requests']);
    assert.equal(found.bar, '1 step mentions this');
    assert.equal(found.said, '1 step of the reasoning mentions this');
    assert.match(found.focus, /^Step 2: In src\/net/);
    assert.deepEqual(await cited(), [{ type: 'cite', turnId: 't1', steps: [1], at: 0, show: false }]);
    await press('Escape');
    const closed = await shown();
    assert.deepEqual([closed.marked, closed.words, closed.bar], [[], [], '']);
    assert.equal(closed.selected, 'four requests');
    assert.match(closed.focus, /^svc-k3/);
    assert.deepEqual(await cited(), [{ type: 'cite', turnId: 't1', steps: [], at: 0, show: false }]);
  });

  it('ranks several steps, goes through them, and says when the best of them is weak', async () => {
    await select('delays');
    await why();
    const first = await shown();
    assert.equal(first.bar, '2 steps mention this 1 of 2');
    assert.equal(first.said, '2 steps of the reasoning mention this; showing the first');
    assert.deepEqual([first.marked, first.current], [['2 strong', '3 strong'], '2']);
    // The same again, as with the key of the command.
    await why();
    assert.equal((await shown()).current, '3');
    await chat.page.getByRole('button', { name: 'Next match' }).click();
    await drawn();
    assert.equal((await shown()).current, '2');
    await why('The timeout of the socket starts when a request is written to the pool of idle connections');
    const weak = await shown();
    assert.equal(weak.bar, '1 step shares some words');
    assert.deepEqual(weak.marked, ['3 weak']);
  });

  it('marks the closest steps of many, and says how many there are', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `Step ${n} looks at the delays again.`).join('\n\n');
    await chat.send(snapshotOf([exchange({ reasoning: many })]));
    await select('delays');
    await why();
    const { marked, bar, said } = await shown();
    assert.equal(marked.length, 12);
    assert.equal(bar, 'The 12 closest of 30 steps that mention this 1 of 12');
    assert.equal(said, 'The 12 closest of 30 steps that mention this');
  });

  it('says when no step mentions the words, and when there is no reasoning', async () => {
    await select('circuit breaker');
    await why();
    const { marked, bar, said } = await shown();
    assert.deepEqual(
      [marked, bar, said],
      [[], 'No step of the reasoning mentions this.', 'No step of the reasoning mentions this.'],
    );
    await chat.send(snapshotOf([exchange({ reasoning: '', hasReasoning: false })]));
    assert.equal((await shown()).bar, '');
    await select('circuit breaker');
    await drawn();
    assert.equal(await chat.page.getByRole('button', { name: 'Why?', exact: true }).isVisible(), false);
    await why();
    assert.equal((await shown()).bar, 'This answer has no reasoning.');
  });

  it('lets the user choose a sentence without a selection', async () => {
    await why();
    assert.deepEqual(await cited(), [
      {
        type: 'choose-words',
        turnId: 't1',
        sentences: [
          'The client sends four requests, because retryLimit is 3.',
          'The delays double.',
          'The socket’s timeout includes the delays.',
          'Use a circuit breaker.',
        ],
      },
    ]);
    await why('The socket’s timeout includes the delays.');
    const { marked, focus } = await shown();
    assert.deepEqual(marked, ['3 strong']);
    assert.match(focus, /^Step 4:/);
  });

  it('marks the places of the answer that mention a step', async () => {
    const step = { type: 'step' as const, exchangeId: 'e1', turnId: 't1' };
    await chat.send({ ...step, step: 3, part: 'answer' }).then(drawn);
    const { words, bar, said } = await shown();
    assert.deepEqual(words, ['The socket’s timeout includes the delays.']);
    assert.equal(bar, '1 place mentions this step');
    assert.equal(said, bar);
    await chat.send({ ...step, step: 0, part: 'answer' }).then(drawn);
    assert.equal((await shown()).bar, 'No place in the answer mentions this step.');
    await chat.send({ ...step, step: 2, part: 'reasoning' }).then(drawn);
    const last = await shown();
    assert.deepEqual([last.bar, last.words], ['', []]);
    assert.match(last.focus, /^Step 3:/);
  });

  it('leaves hidden reasoning hidden, and asks the editor to show the step', async () => {
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({ reasoningInChat: 'hidden' }) });
    await why('four requests');
    assert.equal(await chat.page.locator('[data-part="reasoning"]').count(), 0);
    assert.equal((await shown()).bar, '1 step mentions this');
    assert.deepEqual(await cited(), [{ type: 'cite', turnId: 't1', steps: [1], at: 0, show: true }]);
  });

  it('keeps the marks while reasoning and answer arrive, and drops them with another attempt', async () => {
    const running = { ...turnView('running', { hasReasoning: true, phase: 'reasoning' }), id: 't1' };
    await chat.send({ type: 'turn', exchangeId: 'e1', turn: running });
    await why('four requests');
    await chat.send({ type: 'text', turnId: 't1', reasoning: '\n\nFour requests again.', answer: ' More.' });
    assert.deepEqual((await shown()).marked, ['1 strong']);
    await chat.send(snapshotOf([exchange()]));
    await drawn();
    assert.deepEqual((await shown()).marked, ['1 strong']);
    await chat.send({ type: 'exchange', exchange: { ...exchange({ id: 't2' }), attempt: 1, attempts: 2 } });
    const { marked, bar, words } = await shown();
    assert.deepEqual([marked, bar, words], [[], '', []]);
  });

  it('names the step or the answer for the context menu of the editor', async () => {
    await why('four requests');
    const contexts = await chat.page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.step')[1].querySelectorAll('.step-body')].map((one) => one.closest('[data-vscode-context]').dataset.vscodeContext)`,
    );
    assert.deepEqual(
      contexts.map((one) => JSON.parse(one)),
      [{ webviewSection: 'step', turnId: 't1', step: 1 }],
    );
    const of =
      'document.querySelector(\'[data-part="answer"]\').closest("[data-vscode-context]").dataset.vscodeContext';
    assert.deepEqual(JSON.parse(await chat.page.evaluate<string>(of)), {
      webviewSection: 'answer',
      turnId: 't1',
    });
  });
});
