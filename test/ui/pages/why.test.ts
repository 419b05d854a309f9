/** “Why?” on the page of the chat alone: the button at a selection, marks, keys, and what stays when the page changes. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { PageMessage } from '../../../src/panel/webviewMessages.ts';
import { type ChatPage, DRAWN, isTrue, sharedChatPage } from '../../support/chatPage.ts';
import { eventually } from '../../support/eventually.ts';
import { exchangeView, snapshotOf, surroundingsView, turnView } from '../../support/views.ts';

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

/** An answer that was cut off and continued: the second message shows all of its text. */
const PARTS = [
  {
    ...exchange({
      continued: true,
      answer: 'The client sends **four requests**, because `retryLimit` is 3.',
    }),
  },
  {
    ...exchangeView(
      'e2',
      'Continue.',
      ANSWER,
      turnView('complete', { hasReasoning: true, parts: 2, earlierParts: ['t1'] }),
    ),
  },
] as const;
const REST = 'I was cut off after the retries.\n\nA circuit breaker opens when too many calls fail.';
const parts = (reasoning = REST, first = {}) => [
  { ...PARTS[0], turn: PARTS[0].turn && { ...PARTS[0].turn, ...first } },
  { ...PARTS[1], turn: PARTS[1].turn && { ...PARTS[1].turn, reasoning } },
];

const openPage = sharedChatPage();
let chat: ChatPage;

async function prepare(): Promise<void> {
  chat = await openPage();
  await chat.send(
    snapshotOf([exchange()], { surroundings: surroundingsView({ reasoningInChat: 'collapsed' }) }),
  );
  await chat.posted();
}

/** Selects the text from the start of one part of it to the end of another. */
const select = (first: string, last = first) =>
  chat.page.evaluate(`(() => {
    const range = document.createRange();
    const walker = document.createTreeWalker([...document.querySelectorAll('[data-part="answer"]')].at(-1), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const start = node.data.indexOf(${JSON.stringify(first)});
      if (start !== -1) range.setStart(node, start);
      const end = node.data.indexOf(${JSON.stringify(last)});
      if (end !== -1) range.setEnd(node, end + ${last.length});
    }
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  })()`);
const drawn = () => chat.page.evaluate(DRAWN);
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
  beforeEach(prepare);

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
    assert.deepEqual(await cited(), [
      { type: 'cite', steps: [{ turnId: 't1', step: 1, strength: 'strong' }], at: 0, show: false },
    ]);
    await press('Escape');
    const closed = await shown();
    assert.deepEqual([closed.marked, closed.words, closed.bar], [[], [], '']);
    assert.equal(closed.selected, 'four requests');
    assert.match(closed.focus, /^svc-k3/);
    assert.deepEqual(await cited(), [{ type: 'cite', steps: [], at: 0, show: false }]);
  });

  it('has its buttons below its text in a narrow chat, together', async () => {
    await chat.page.setViewportSize({ width: 217, height: 500 });
    await select('delays');
    await why();
    const text = await chat.page.locator('.why-text').boundingBox();
    const lines = (text?.height ?? 0) / 17;
    assert.ok(lines > 0 && lines < 3, `${lines} lines`);
    const buttons = await chat.page.locator('.why button').all();
    const tops = await Promise.all(buttons.map(async (one) => (await one.boundingBox())?.y));
    assert.deepEqual([tops.length, new Set(tops).size], [3, 1]);
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

  it('takes the number of a heading for a part of it, and a number at the end for a sentence', async () => {
    const answer = '**1. Warning** `a.ts:4`\n\nUse a breaker. 4.';
    await chat.send(snapshotOf([exchange({ answer })]));
    await why();
    const [choice] = await cited();
    const sentences = ['1. Warning a.ts:4', 'Use a breaker.', '4.'];
    assert.deepEqual(choice?.type === 'choose-words' && choice.sentences, sentences);
  });

  it('lets the user choose once the focus is here that is on its way, or does not come, because it would close the list', async () => {
    const asked = async () => (await cited()).length;
    const message = chat.numbered({ type: 'why', turnId: undefined, words: undefined });
    // In one task: the page waits for a quarter of a second, which is not much on a busy machine.
    const counts = await chat.page.evaluate(`new Promise((resolve) => {
      document.hasFocus = () => false;
      const asked = () => takePosted().filter(({ message }) => message.type === 'choose-words').length;
      const listen = () => {
        const before = asked();
        window.dispatchEvent(new Event('focus'));
        resolve([before, asked()]);
      };
      addEventListener('message', listen, { once: true });
      postMessage(${JSON.stringify(message)}, '*');
    })`);
    assert.deepEqual(counts, [0, 1]);
    await chat.page.waitForTimeout(400);
    assert.equal(await asked(), 0, 'only once');
    await why();
    await eventually(async () => assert.equal(await asked(), 1));
    await chat.page.evaluate('delete document.hasFocus');
  });

  it('goes to the next step when it is asked again about a chosen sentence, and stays at the only one', async () => {
    await why('The delays of the socket are doubled for four requests.');
    const first = await shown();
    assert.match(first.bar, / 1 of \d$/);
    await chat.posted();
    await why();
    const second = await shown();
    assert.match(second.bar, / 2 of \d$/);
    assert.notEqual(second.focus, first.focus);
    assert.equal((await cited()).filter(({ type }) => type === 'choose-words').length, 0);
    // Esc ends it, and then another sentence can be chosen.
    await press('Escape');
    await why();
    assert.equal((await cited()).filter(({ type }) => type === 'choose-words').length, 1);
    await why('The socket’s timeout includes the delays.');
    await chat.posted();
    const only = await shown();
    await why();
    const again = await shown();
    assert.deepEqual([again.marked, again.focus, again.said], [only.marked, only.focus, '1 of 1']);
    assert.equal((await cited()).filter(({ type }) => type === 'choose-words').length, 0);
    await press('Escape');
    await why();
    assert.equal((await cited()).filter(({ type }) => type === 'choose-words').length, 1);
  });

  it('gives the focus to the answer when it marks nothing and the focus is nowhere', async () => {
    await chat.page.evaluate('document.activeElement.blur()');
    await why('Use a circuit breaker.');
    const { bar, focus } = await shown();
    assert.equal(bar, 'No step of the reasoning mentions this.');
    assert.match(focus, /^svc-k3/);
    await chat.page.locator('.composer textarea').focus();
    await why('Use a circuit breaker.');
    assert.equal((await shown()).focus, 'Message');
  });

  it('offers the last answer that has words, when a later one was stopped before its first', async () => {
    const stopped = exchangeView('e9', 'Again?', '', turnView('stopped', { hasReasoning: true }));
    const later = { ...stopped, turn: stopped.turn && { ...stopped.turn, reasoning: 'Let me look again.' } };
    await chat.send(snapshotOf([exchange(), later]));
    await why();
    const [offered] = await cited();
    assert.equal(offered?.type === 'choose-words' && offered.turnId, 't1');
    // The message with the focus is meant, even if it has no answer.
    await chat.page.locator('article.k3').last().focus();
    await why();
    assert.equal((await shown()).bar, 'There is no answer yet.');
  });

  it('takes each value of a JSON answer for a place of its own, and what is said about the answer for none', async () => {
    const structured = {
      name: 'reply',
      state: 'differs',
      summary: 'Doesn’t match the schema: 1 error',
      errors: [{ pointer: '/note', message: 'must be of type number' }],
      brokenAt: undefined,
      repairable: true,
    } as const;
    const answer = '{"requests": "four requests, as retryLimit is 3", "note": "Delays double.", "more": [1]}';
    // The page keeps what is expanded in the answers of a turn.
    const at = { exchangeId: 'e74', turnId: 't74' };
    await chat.send(snapshotOf([{ ...exchange({ structured, answer, id: at.turnId }), id: at.exchangeId }]));
    await why();
    const [choice] = await cited();
    assert.deepEqual(choice?.type === 'choose-words' && choice.sentences, [
      'requests: "four requests, as retryLimit is 3"',
      'note: "Delays double."',
      'more:',
      '1',
    ]);
    await chat.send({ type: 'step', ...at, step: 1, part: 'answer' });
    await drawn();
    assert.deepEqual((await shown()).words, ['requests: "four requests, as retryLimit is 3"']);
  });

  it('says which of the places of a JSON answer is shown when those below it are collapsed', async () => {
    const structured = {
      name: 'reply',
      state: 'fits',
      summary: 'Matches the schema',
      errors: [],
      brokenAt: undefined,
      repairable: false,
    } as const;
    const sent = 'four requests, as retryLimit is 3';
    const answer = JSON.stringify({ requests: sent, again: sent, more: [sent, sent] });
    const at = { exchangeId: 'e76', turnId: 't76' };
    await chat.send(snapshotOf([{ ...exchange({ structured, answer, id: at.turnId }), id: at.exchangeId }]));
    await chat.send({ type: 'step', ...at, step: 1, part: 'answer' });
    await drawn();
    const count = chat.page.locator('.find-count');
    await chat.page.getByRole('button', { name: 'Previous match' }).click();
    const says = (text: string) => eventually(async () => assert.equal(await count.textContent(), text));
    await says('4 of 4');
    await chat.page.getByRole('treeitem', { name: 'more: [2]' }).click();
    await says('2 of 2');
    await chat.page.getByRole('treeitem', { name: 'more: [2]' }).click();
    await says('2 of 4');
    assert.equal((await shown()).bar, '4 places mention this step 2 of 4');
  });

  it('marks the places in values of a JSON answer that were collapsed when they are expanded', async () => {
    const structured = {
      name: 'reply',
      state: 'fits',
      summary: 'Matches the schema',
      errors: [],
      brokenAt: undefined,
      repairable: false,
    } as const;
    const sent = 'four requests, as retryLimit is 3';
    const answer = JSON.stringify({ more: [sent], requests: sent });
    const at = { exchangeId: 'e77', turnId: 't77' };
    await chat.send(snapshotOf([{ ...exchange({ structured, answer, id: at.turnId }), id: at.exchangeId }]));
    const more = chat.page.getByRole('treeitem', { name: 'more: [1]' });
    await more.click();
    await chat.send({ type: 'step', ...at, step: 1, part: 'answer' }).then(drawn);
    const rest = `requests: "${sent}"`;
    assert.deepEqual([(await shown()).words, (await shown()).bar], [[rest], '1 place mentions this step']);
    await more.click();
    await drawn();
    const all = await shown();
    assert.deepEqual(
      [all.words.toSorted(), all.bar],
      [[`"${sent}"`, rest], '2 places mention this step 1 of 2'],
    );
    await chat.page.getByRole('button', { name: 'Text', exact: true }).click();
    await drawn();
    await chat.page.getByRole('button', { name: 'Tree', exact: true }).click();
    await drawn();
    assert.deepEqual((await shown()).words.toSorted(), [`"${sent}"`, rest]);
  });

  it('marks the steps again when reasoning that was hidden is shown', async () => {
    await why('four requests');
    assert.deepEqual((await shown()).words, ['four', 'requests']);
    await chat.page.getByRole('button', { name: 'Reasoning', exact: true }).click();
    const show = (reasoningInChat: 'hidden' | 'collapsed') =>
      chat.send({ type: 'surroundings', surroundings: surroundingsView({ reasoningInChat }) }).then(drawn);
    await show('hidden');
    assert.deepEqual((await shown()).words, []);
    await show('collapsed');
    const { marked, words } = await shown();
    assert.deepEqual([marked, words], [['1 strong'], ['four', 'requests']]);
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

  it('marks the words of a search of the reasoning in its step, until Escape or another search', async () => {
    const marked = () =>
      chat.page.evaluate<readonly string[]>(
        `[...(CSS.highlights.get('searched') ?? [])].map((range) => range.toString())`,
      );
    const step = { type: 'step', exchangeId: 'e1', turnId: 't1', step: 1, part: 'reasoning' } as const;
    await chat.send({ ...step, words: 'four  REQUESTS' }).then(drawn);
    assert.deepEqual(await marked(), ['four requests']);
    await chat.send({ ...step, words: 'requests loop' }).then(drawn);
    assert.deepEqual(await marked(), ['requests', 'loop']);
    // A snapshot has new elements.
    await chat.send(snapshotOf([exchange()])).then(drawn);
    assert.deepEqual(await marked(), ['requests', 'loop']);
    await chat.page.keyboard.press('Escape');
    assert.deepEqual(await marked(), []);
    await chat.send({ ...step, words: 'loop' }).then(drawn);
    assert.deepEqual(await marked(), ['loop']);
    await chat.send({ type: 'open-find' }).then(drawn);
    assert.deepEqual(await marked(), []);
    await chat.send({ ...step, words: 'loop' }).then(drawn);
    await chat.send({ ...step, step: 2 }).then(drawn);
    assert.deepEqual(await marked(), []);
  });

  it('marks these words also when their text becomes a link, which is known later', async () => {
    const reasoning = 'First I look.\n\nIt is in src/needle.words.ts now.';
    await chat.send(snapshotOf([exchange({ reasoning })]));
    const step = { type: 'step', exchangeId: 'e1', turnId: 't1', step: 1, part: 'reasoning' } as const;
    await chat.send({ ...step, words: 'needle' }).then(drawn);
    const marked = () =>
      isTrue(chat.page, `[...(CSS.highlights.get('searched') ?? [])].map(String).join() === 'needle'`);
    await marked();
    await becomeLink('reasoning', 'src/needle.words.ts');
    await marked();
    await chat.page.keyboard.press('Escape');
    assert.equal(await chat.page.evaluate(`CSS.highlights.has('searched')`), false);
  });

  /** Becomes a link when the host says that the file exists. Each test has a file of its own, because the page knows others already. */
  const linked = (file: string) => ({
    reasoning: `First I look.\n\nIt is in \`${file}\` now.`,
    answer: `It was found:\n\n- \`${file}\`\n- Elsewhere`,
  });
  const becomeLink = async (part: 'reasoning' | 'answer', file: string) => {
    assert.equal(await chat.page.locator('.path-link').count(), 0);
    await chat.send({ type: 'paths', existing: [file], missing: [] });
    await chat.page.locator(`[data-part="${part}"] .path-link`).waitFor();
  };
  /** What is shown stays when the text becomes a link, and goes with Escape. */
  const staysMarked = async (
    part: 'reasoning' | 'answer',
    file: string,
    before: Awaited<ReturnType<typeof shown>>,
  ) => {
    await becomeLink(part, file);
    await drawn();
    assert.deepEqual(await shown(), before);
    await press('Escape');
    assert.deepEqual((await shown()).words, []);
  };

  it('keeps its marks in a step when their text becomes a link, which is known later', async () => {
    const file = 'src/needle.steps.ts';
    await chat.send(snapshotOf([exchange(linked(file))]));
    await why(file);
    const before = await shown();
    assert.ok(before.words.includes(file), before.words.join());
    await staysMarked('reasoning', file, before);
  });

  it('keeps its marks in the answer when their text becomes a link, which is known later', async () => {
    const file = 'src/needle.places.ts';
    await chat.send(snapshotOf([exchange(linked(file))]));
    await chat.send({ type: 'step', exchangeId: 'e1', turnId: 't1', step: 1, part: 'answer' }).then(drawn);
    const before = await shown();
    assert.deepEqual(before.words, [file]);
    await staysMarked('answer', file, before);
  });

  it('leaves hidden reasoning hidden, and asks the editor to show the step', async () => {
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({ reasoningInChat: 'hidden' }) });
    await why('four requests');
    assert.equal(await chat.page.locator('[data-part="reasoning"]').count(), 0);
    assert.equal((await shown()).bar, '1 step mentions this');
    assert.deepEqual(await cited(), [
      { type: 'cite', steps: [{ turnId: 't1', step: 1, strength: 'strong' }], at: 0, show: true },
    ]);
  });

  it('keeps the marks while reasoning and answer arrive, and drops them with another attempt', async () => {
    const running = { ...turnView('running', { hasReasoning: true, phase: 'reasoning' }), id: 't1' };
    await chat.send({ type: 'turn', turn: running });
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

describe('Why? of an answer in parts', () => {
  beforeEach(prepare);

  const send = (...args: Parameters<typeof parts>) =>
    chat.send(
      snapshotOf(parts(...args), { surroundings: surroundingsView({ reasoningInChat: 'collapsed' }) }),
    );

  it('finds the steps of all parts, wherever the words are, and goes through them', async () => {
    await send();
    await select('four requests');
    await drawn();
    await chat.page.getByRole('button', { name: 'Why?', exact: true }).click();
    await drawn();
    const first = await shown();
    assert.deepEqual([first.marked, first.current, first.bar], [['1 strong'], '1', '1 step mentions this']);
    assert.match(first.focus, /^Step 2: In src\/net/);
    assert.deepEqual(await cited(), [
      { type: 'cite', steps: [{ turnId: 't1', step: 1, strength: 'strong' }], at: 0, show: false },
    ]);
    await press('Escape');
    assert.deepEqual((await shown()).selected, 'four requests');
    await chat.posted();
    await select('circuit breaker');
    await why();
    // Its step is the second one of the second turn, which is the sixth on the page.
    const second = await shown();
    assert.deepEqual([second.marked, second.current], [['5 strong'], '5']);
    assert.match(second.focus, /^Step 2: A circuit breaker/);
    await press('Escape');
    await chat.posted();
    await send('The retries come to `retryLimit`.');
    await select('retryLimit');
    await why();
    assert.deepEqual((await shown()).marked, ['1 strong', '4 strong']);
    assert.deepEqual((await cited()).at(-1), {
      type: 'cite',
      steps: [
        { turnId: 't2', step: 0, strength: 'strong' },
        { turnId: 't1', step: 1, strength: 'strong' },
      ],
      at: 0,
      show: false,
    });
    await why();
    assert.match((await shown()).focus, /^Step 2: In src\/net/);
  });

  it('has the button, the list of sentences, and the menu also when only the first part has reasoning', async () => {
    await send('');
    await select('four requests');
    await drawn();
    assert.ok(await chat.page.getByRole('button', { name: 'Why?', exact: true }).isVisible());
    await chat.page.evaluate('getSelection().removeAllRanges()');
    await why();
    const [choice] = await cited();
    assert.ok(choice?.type === 'choose-words');
    assert.equal(choice.sentences[0], 'The client sends four requests, because retryLimit is 3.');
    await chat.send({ type: 'why', turnId: choice.turnId, words: choice.sentences[0] }).then(drawn);
    assert.equal((await shown()).bar, '1 step mentions this');
    const menu = await chat.page.evaluate<string>(
      `document.querySelector('article.k3[data-exchange="e2"]').dataset.vscodeContext`,
    );
    assert.equal(JSON.parse(menu).webviewSection, 'answer');
  });

  it('says that an answer has no reasoning only when none of its parts has', async () => {
    await send('', { reasoning: '', hasReasoning: false });
    await select('four requests');
    await drawn();
    assert.equal(await chat.page.getByRole('button', { name: 'Why?', exact: true }).isVisible(), false);
    await why();
    assert.equal((await shown()).bar, 'This answer has no reasoning.');
  });

  it('is about the same steps in the first part, when it is unfolded', async () => {
    await send();
    await chat.page.getByRole('button', { name: /^First part of the answer/ }).click();
    await why('because retryLimit is 3');
    assert.deepEqual((await shown()).marked, ['1 strong']);
    await press('Escape');
    await why();
    const choices = (await cited()).flatMap((one) => (one.type === 'choose-words' ? [one] : []));
    // Each sentence once, though the first part is on the page twice.
    assert.equal(choices.at(-1)?.sentences.filter((one) => one.includes('four requests')).length, 1);
  });

  it('marks the places of the whole answer that mention a step of the first part', async () => {
    await send();
    const step = { type: 'step' as const, exchangeId: 'e1', turnId: 't1', part: 'answer' as const };
    await chat.send({ ...step, step: 3 }).then(drawn);
    const found = await shown();
    assert.deepEqual(found.words, ['The socket’s timeout includes the delays.']);
    assert.equal(found.bar, '1 place mentions this step');
    assert.match(found.focus, /^svc-k3/);
    await chat.send({ ...step, exchangeId: 'e2', turnId: 't2', step: 1 }).then(drawn);
    assert.deepEqual((await shown()).words, ['Use a circuit breaker.']);
    await chat.send({ ...step, step: 3, part: 'reasoning' }).then(drawn);
    assert.match((await shown()).focus, /^Step 4: A timeout/);
    await send(REST, { rounds: [{ answer: 'I look at the exponential backoff.', calls: [] }] });
    await chat.send({ ...step, step: 2 }).then(drawn);
    assert.ok((await shown()).words.includes('I look at the exponential backoff.'));
  });

  it('has the reasoning of a turn that was cut off before its answer', async () => {
    await chat.send(
      snapshotOf([
        exchange({ answer: '' }),
        { ...PARTS[1], turn: PARTS[1].turn && { ...PARTS[1].turn, parts: 1, reasoning: REST } },
      ]),
    );
    await select('four requests');
    await why();
    assert.deepEqual((await shown()).marked, ['1 strong']);
  });

  it('drops the marks with another attempt of any part, and keeps them when the rest arrives', async () => {
    await send();
    await why('four requests');
    const [first, second] = parts();
    assert.ok(first && second);
    await chat.send({ type: 'exchange', exchange: second });
    assert.deepEqual((await shown()).marked, ['1 strong']);
    const other = { ...exchange({ id: 't3' }), attempt: 1, attempts: 2 };
    await chat.send({ type: 'exchange', exchange: other });
    assert.deepEqual([(await shown()).marked, (await shown()).bar], [[], '']);
    // The rest is no longer joined to what is shown before it.
    const alone = { ...second, turn: second.turn && { ...second.turn, parts: 1, earlierParts: [] } };
    await chat.send({ type: 'exchange', exchange: alone });
    await select('four requests');
    await why();
    assert.equal((await shown()).bar, 'No step of the reasoning mentions this.');
  });

  it('asks for the messages of the parts that are not on the page, once', async () => {
    const [first, second] = parts();
    assert.ok(first && second);
    await chat.send(snapshotOf([second], { earlier: 1 }));
    await chat.posted();
    await select('four requests');
    await why();
    assert.deepEqual(
      (await chat.posted()).filter(({ type }) => type.startsWith('show-')),
      [{ type: 'show-earlier' }],
    );
    await chat.send({ type: 'earlier', earlier: 0, exchanges: [first] }).then(drawn);
    assert.deepEqual((await shown()).marked, ['1 strong']);
    await chat.send(snapshotOf([first], { later: 1 }));
    await chat.posted();
    const step = { type: 'step' as const, exchangeId: 'e1', turnId: 't1', part: 'answer' as const };
    await chat.send({ ...step, step: 3 }).then(drawn);
    assert.deepEqual(
      (await chat.posted()).filter(({ type }) => type.startsWith('show-')),
      [{ type: 'show-later' }],
    );
    await chat.send({ type: 'later', later: 0, exchanges: [] }).then(drawn);
    assert.equal((await shown()).bar, 'No place in the answer mentions this step.');
    await chat.send(snapshotOf([first], { later: 1 }));
    await chat.send({ ...step, step: 3 }).then(drawn);
    await chat.send({ type: 'later', later: 0, exchanges: [second] }).then(drawn);
    assert.equal((await shown()).bar, '1 place mentions this step');
  });

  it('shows steps of several turns in the Reasoning view when the chat hides the reasoning', async () => {
    await send('The retries come to `retryLimit`.');
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({ reasoningInChat: 'hidden' }) });
    await chat.posted();
    await chat.send({ type: 'why', turnId: 't2', words: 'retryLimit' }).then(drawn);
    await chat.page.getByRole('button', { name: 'Next match' }).click();
    await drawn();
    assert.deepEqual(
      (await cited()).map((one) => one.type === 'cite' && [one.steps[one.at]?.turnId, one.show]),
      [
        ['t2', true],
        ['t1', true],
      ],
    );
  });
});
