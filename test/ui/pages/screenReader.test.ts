/** What a screen reader says on the page of the chat: while an answer streams, and of what is on the page after it. */
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import type { HostMessage } from '../../../src/panel/hostMessages.ts';
import type { TurnView } from '../../../src/panel/views.ts';
import { type ChatPage, DRAWN, sharedChatPage } from '../../support/chatPage.ts';
import { type ScreenReader, screenReaderScript, startScreenReader } from '../../support/screenReader.ts';
import {
  cardView,
  exchangeView,
  snapshotOf,
  surroundingsView,
  TURN_MAP,
  toolCallView,
  turnView,
  type Unnumbered,
} from '../../support/views.ts';

const REASONING = [
  'The user asks why the client gives up. Let me look.',
  'In src/net/client.ts the loop uses `retryLimit`, which is 3, so four requests go out.',
].join('\n\n');

const openPage = sharedChatPage();
let script: string;
let chat: ChatPage;
let reader: ScreenReader;

async function start(first: Unnumbered<HostMessage>): Promise<void> {
  chat = await openPage();
  await chat.send(first);
  reader = await startScreenReader(chat, script);
}

const turn = (more: Partial<TurnView> = {}) => chat.send({ type: 'turn', turn: turnView('running', more) });
const text = (reasoning: string, answer: string) =>
  chat.send({ type: 'text', turnId: 't1', reasoning, answer });
const drawn = () => chat.page.evaluate(DRAWN);
before(async () => {
  script = await screenReaderScript();
});

describe('While an answer streams, a screen reader says', () => {
  beforeEach(() => start(snapshotOf([])));
  afterEach(() => reader.stop());

  it('each phase once, and no word of the text', async () => {
    const connecting = turnView('running', { phase: 'connecting', phaseLabel: 'Connecting' });
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', connecting)]));
    await turn({ phase: 'first-byte', phaseLabel: 'Waiting for the first token' });
    await turn({ phase: 'reasoning', phaseLabel: 'Reasoning' });
    for (let n = 0; n < 10; n++) await text(`Thought ${n}. `, '');
    await turn({ phase: 'answering', phaseLabel: 'Answering' });
    for (let n = 0; n < 10; n++) await text('', `Word ${n}. ${n % 3 === 2 ? '\n\n' : ''}`);
    await chat.send({ type: 'turn', turn: turnView('complete') });
    assert.deepEqual(await reader.spoken(), [
      'polite: Connecting',
      'polite: Waiting for the first token',
      'polite: Reasoning',
      'polite: Answering',
      'polite: Done',
    ]);
  });

  it('when a tool call waits for an approval, and not again when other calls change', async () => {
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turnView('running', { phase: 'calling' }))]));
    await reader.spoken();
    const waiting = toolCallView({
      id: 'c2',
      name: 'run_task',
      state: 'waiting',
      stateLabel: 'Waiting for approval',
    });
    for (const stateLabel of ['Running', 'Done']) {
      const calls = [toolCallView({ stateLabel }), waiting];
      await turn({ phase: 'calling', phaseLabel: 'Calling tools', rounds: [{ answer: '', calls }] });
    }
    assert.deepEqual(await reader.spoken(), ['polite: Tool call, run_task: Waiting for approval']);
  });

  it('that it waits before the next try, and not each second', async () => {
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turnView('running'))]));
    await reader.spoken();
    const waits = {
      phase: 'waiting',
      phaseLabel: 'Waiting to try again',
      // Below a minute also where the message takes a second, which the page takes for a clock that is behind.
      waitUntil: Date.now() + 50_000,
      startedAt: Date.now() - 5000,
    } as const;
    await turn({ ...waits, cards: [cardView('note', 'The service is overloaded')] });
    await new Promise((resolve) => setTimeout(resolve, 2500));
    assert.deepEqual(await reader.spoken(), ['polite: Waiting to try again']);
    // The line shows the time as well, and that once.
    const line = await chat.page.locator('.progress').innerText();
    assert.match(line.replace(/\s+/g, ' '), /^Retrying in \d+ s ?Cancel$/);
  });

  it('what is wrong with the answer when it has ended', async () => {
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turnView('running'))]));
    await reader.spoken();
    const cards = [
      cardView('problem', 'The budget went into reasoning'),
      cardView('problem', 'Another model answered'),
    ];
    await chat.send({ type: 'turn', turn: turnView('failed', { cards }) });
    assert.deepEqual(await reader.spoken(), [
      'polite: The budget went into reasoning. Another model answered',
    ]);
  });
});

describe('After an answer, a screen reader reads', () => {
  const exchange = () => {
    const view = exchangeView(
      'e1',
      'Why does it give up?',
      'The client sends **four requests**, because `retryLimit` is 3.\n\n- The delays double.\n\n```text\nretry\n```',
      turnView('complete', { hasReasoning: true }),
    );
    return { ...view, turn: view.turn && { ...view.turn, reasoning: REASONING } };
  };
  const collapsed = { surroundings: surroundingsView({ reasoningInChat: 'collapsed' }) };
  beforeEach(() => start(snapshotOf([exchange()], collapsed)));
  afterEach(() => reader.stop());

  it('its question, text, and actions with their names, and the reasoning as one button', async () => {
    const read = await reader.read('textbox, Message');
    assert.deepEqual(read.slice(0, 11), [
      'main',
      'heading, K3 Chat, level 1',
      'heading, Conversation, level 2',
      'log, Conversation',
      'article, You: Why does it give up?',
      'heading, You, level 3',
      'toolbar, Message actions, orientated horizontally',
      'button, Edit, Edit the question: it is asked again in a new branch',
      'end of toolbar, Message actions, orientated horizontally',
      'Why does it give up?',
      'end of article, You: Why does it give up?',
    ]);
    const texts = read.slice(11).filter((phrase) => !/^(?:end of |paragraph$|list$)/.test(phrase));
    assert.deepEqual(texts, [
      'article, svc-k3: Done',
      'heading, svc-k3, level 3',
      'group, Reasoning',
      'button, Reasoning, not expanded',
      'button, Map, Map: time and tokens of this turn, not expanded',
      'The client sends',
      'strong',
      'four requests',
      ', because',
      'code',
      'retryLimit',
      'is 3.',
      'listitem, level 1, position 1, set size 1',
      'The delays double.',
      'group, Code, text',
      'text',
      'toolbar, Code, text, orientated horizontally',
      'button, Copy',
      'button, Insert at cursor',
      'button, Apply',
      'button, New file',
      'code',
      'retry',
      'toolbar, Message actions, orientated horizontally',
      'button, Copy, Copy the answer',
      'button, Regenerate, Regenerate: ask again, and keep this answer',
      'button, Fork, Fork: continue from here in a new conversation',
      'button, Open reasoning, Open reasoning in an editor',
      'button, Details, Details: tokens, cost, and times, not expanded',
    ]);
  });

  it('the message box and its options with their names', async () => {
    await reader.read('textbox, Message');
    const read = await reader.read('status');
    assert.deepEqual(
      read.filter((phrase) => !phrase.startsWith('end of ')),
      [
        'toolbar, Message options, orientated horizontally',
        'button, Attach',
        'button, Add context, Add context: type @, or hold Shift and drop files here',
        'button, Effort, Effort: how much the model reasons',
        'button, Answer format, Answer format: text or JSON (Text)',
        'button, Preset, Preset: instruction, tools, effort, and budget under one name',
        'button, Tools, 0 tools',
        'button, direct, Switch route: direct',
        'meter, Context, min value 0, max value 1, 0',
        'button, Send, Send (Enter), disabled',
      ],
    );
  });

  it('that the answer, or its code, was copied', async () => {
    for (const group of ['Message actions', 'Code, text']) {
      const toolbar = chat.page.locator('article.k3').getByRole('toolbar', { name: group });
      await toolbar.getByRole('button', { name: 'Copy' }).press('Enter');
      await drawn();
      const spoken = (await reader.spoken()).filter((phrase) => phrase.startsWith('polite: '));
      assert.deepEqual(spoken, ['polite: Copied'], group);
    }
  });

  it('how many steps of the reasoning led to selected words, then the first of them, and the answer after Escape', async () => {
    await chat.page.evaluate(`(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector('[data-part="answer"] strong'));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
    })()`);
    await reader.spoken();
    await chat.send({ type: 'why', turnId: undefined, words: undefined });
    await drawn();
    assert.deepEqual(await reader.spoken(), [
      'polite: 1 step of the reasoning mentions this',
      'button, Step 2: In src/net/client.ts the loop uses retryLimit, which is 3, so four requests go…, expanded',
    ]);
    await chat.page.keyboard.press('Escape');
    await drawn();
    assert.deepEqual(await reader.spoken(), ['article, svc-k3: Done']);
  });

  it('the parts of the map with their times and tokens', async () => {
    const press = async (key: string) => {
      await reader.spoken();
      await chat.page.keyboard.press(key);
      await drawn();
      return reader.spoken();
    };
    await chat.page.getByRole('button', { name: 'Map' }).focus();
    await press('Enter');
    await chat.send({ type: 'map', turnId: 't1', map: TURN_MAP });
    assert.deepEqual(await press('Tab'), ['button, Waiting for the service, 1 s, disabled']);
    assert.deepEqual(await press('ArrowRight'), [
      'button, Step 1: Let me look at the prices, 1.2 s, about 340 tokens, not disabled',
    ]);
    assert.deepEqual(await press('ArrowDown'), ['button, Cached input, 800 tokens, disabled']);
  });
});
