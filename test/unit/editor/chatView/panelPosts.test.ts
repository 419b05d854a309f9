/** From the steps of a turn to the text on a page: the modules between, with a page that folds what it is sent. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import {
  type Conversation,
  type Exchange,
  shownTurn,
  withExchange,
  withTurn,
} from '../../../../src/conversation/conversation.ts';
import type { LoopEvent, TurnEnd } from '../../../../src/conversation/events.ts';
import { createTurn, foldStep } from '../../../../src/conversation/fold.ts';
import type { Question } from '../../../../src/conversation/question.ts';
import { allReasoning } from '../../../../src/conversation/rounds.ts';
import type { Call, Turn } from '../../../../src/conversation/turn.ts';
import { createExchangeWindow } from '../../../../src/editor/chatView/exchangeWindow.ts';
import { createOutgoingText } from '../../../../src/editor/chatView/outgoingText.ts';
import { createPanelChannel } from '../../../../src/editor/chatView/panelChannel.ts';
import { createPanelPosts } from '../../../../src/editor/chatView/panelPosts.ts';
import { createTurnPosts } from '../../../../src/editor/chatView/turnPosts.ts';
import type { HostMessage, PostedMessage } from '../../../../src/panel/hostMessages.ts';
import type { PanelState } from '../../../../src/panel/panelState.ts';
import type { ExchangeView, TurnView } from '../../../../src/panel/views.ts';
import type { StreamEvent } from '../../../../src/service/client.ts';
import { foldPanel, type Panel } from '../../../../src/webview/chat/state.ts';
import {
  answer,
  chunk,
  conversationOf,
  FACTS,
  reasoning,
  SERVICE_ENDED,
  USER_ENDED,
} from '../../conversation/turns.ts';

type AnyEvent = StreamEvent | LoopEvent | TurnEnd;

const CALLS_END: AnyEvent = { type: 'round-ended', calls: [] };
const WAS_REASONING: AnyEvent = { type: 'tag-closed', open: '', close: '</think>', wasReasoning: true };

/** As the panel shows answers: in a form, JSON in a fence that opens at once; for a purpose, something made of it. */
function shown({ format, purpose }: Question, { answer: text, outcome }: Turn): string {
  if (purpose !== undefined) {
    const made = text.toUpperCase().replace(/[^A-Z]+$/, '');
    return outcome === undefined || outcome === 'complete' ? made : `cut: ${text}`;
  }
  return format !== undefined && outcome === undefined && text !== '' ? `fence ${text}` : text;
}

function shownAppended({ format, purpose }: Question, before: string, appended: string): string | undefined {
  if (purpose !== undefined) return undefined;
  return format !== undefined && before === '' && appended !== '' ? `fence ${appended}` : appended;
}

/** A conversation that changes, for any number of pages. */
function makeConversation(question: Partial<Question> = {}) {
  const first = createTurn('t1', 0, FACTS);
  const exchange: Exchange = {
    id: 'e1',
    question: { text: 'Why?', images: [], origin: undefined, ...question },
    attempts: [first],
    shown: 0,
  };
  let conversation = conversationOf(exchange);
  let turn = first;
  let at = 0;
  let deleted = false;
  const pages: ReturnType<typeof makePage>[] = [];
  return {
    now: () => conversation,
    turn: () => turn,
    page() {
      const page = makePage(
        () => conversation,
        () => deleted,
      );
      pages.push(page);
      return page;
    },
    happen(...events: readonly AnyEvent[]) {
      for (const event of events) {
        const step = foldStep(turn, { at: ++at, event });
        turn = step.turn;
        conversation = withTurn(conversation, 'e1', turn);
        for (const page of pages) if (page.channel.isOpen()) page.posts.turnStep('e1', step);
      }
    },
    setDeleted(next: boolean) {
      deleted = next;
      for (const page of pages) if (page.channel.isOpen()) page.posts.surroundings();
    },
    put(next: Exchange) {
      conversation = withExchange(conversation, next);
      for (const page of pages) if (page.channel.isOpen()) page.posts.exchangePut(next);
    },
  };
}

function toView(exchange: Exchange): ExchangeView {
  const turn = shownTurn(exchange);
  return {
    id: exchange.id,
    turn: turn && { ...toTurn(turn), reasoning: allReasoning(turn), answer: shown(exchange.question, turn) },
  } as ExchangeView;
}

const toTurn = ({ id, phase, rounds }: Turn) =>
  ({
    id,
    phase,
    rounds: rounds.map(({ toolCalls }) => ({
      answer: '',
      calls: toolCalls.map(({ arguments: json, result }) => ({
        arguments: json,
        result: result?.text,
        images: [],
      })),
    })),
  }) as unknown as TurnView;

function makePage(conversation: () => Conversation, deleted = () => false) {
  const messages: HostMessage[] = [];
  const warnings: string[] = [];
  let panel: Panel | undefined;
  const webview = {
    async postMessage(posted: PostedMessage) {
      const next = foldPanel(panel, posted);
      assert.ok(next !== 'resync' && next !== 'outdated', String(next));
      messages.push(next.message);
      panel = next.state;
      return true;
    },
  };
  const channel = createPanelChannel({ webview, log: { warn: (text) => warnings.push(text) } });
  const text = createOutgoingText({ shown, shownAppended });
  const turns = createTurnPosts({ channel, text, view: (_, turn) => toTurn(turn) });
  const posts = createPanelPosts({
    channel,
    text,
    turns,
    window: createExchangeWindow(),
    conversation,
    isDeleted: () => deleted(),
    onShown: () => undefined,
    views: {
      panel: (_, { from, to }, exchanges) =>
        ({ earlier: from, later: to, exchanges }) as unknown as PanelState,
      exchange: (_, exchange) => toView(exchange),
      surroundings: () => ({}) as PanelState['surroundings'],
      isBoxMoved: () => false,
    },
  });
  return {
    channel,
    posts,
    messages,
    warnings,
    cancel: turns.cancel,
    ready() {
      channel.open();
      posts.snapshot();
    },
    hide() {
      channel.close();
      turns.cancel();
    },
    shown: (exchangeId = 'e1') => panel?.panel.exchanges.find(({ id }) => id === exchangeId)?.turn,
    types: () => messages.map(({ type }) => type),
  };
}

type Page = ReturnType<typeof makePage>;

const exchangesIn = ({ messages }: Page) =>
  messages.flatMap((message) => (message.type === 'exchange' ? [message.exchange.id] : []));

/** Of an answer that continues another one, only the whole text can be shown. */
const toShownAppended = (question: Question, before: string, appended: string) =>
  question.continues === undefined ? shownAppended(question, before, appended) : undefined;

function assertShows(page: Page, turn: Turn, question: Partial<Question> = {}): void {
  const { reasoning: thought, answer: said, rounds } = page.shown() ?? {};
  assert.deepEqual(rounds, toTurn(turn).rounds);
  assert.equal(thought, allReasoning(turn));
  assert.equal(said, shown({ text: '', images: [], origin: undefined, ...question }, turn));
}

describe('What is posted to a page', () => {
  let pages: Page[] = [];
  afterEach(() => {
    for (const page of pages) page.cancel();
    pages = [];
    mock.restoreAll();
  });
  const open = (conversation: ReturnType<typeof makeConversation>) => {
    const page = conversation.page();
    pages.push(page);
    page.ready();
    return page;
  };

  it('is the first text at once, and then what comes within a frame as one message', () => {
    // All of this is within one frame, however busy the machine is.
    mock.method(performance, 'now', () => 0);
    const conversation = makeConversation();
    const page = open(conversation);
    conversation.happen(reasoning('Hm'), reasoning('m'), reasoning('.'), reasoning(' Well.'));
    assert.deepEqual(page.types(), ['snapshot', 'text', 'turn']);
    conversation.happen(answer('Be'));
    assert.deepEqual(page.types(), ['snapshot', 'text', 'turn', 'text', 'turn']);
    assert.deepEqual(page.messages[3], {
      type: 'text',
      seq: 4,
      turnId: 't1',
      reasoning: 'm. Well.',
      answer: 'Be',
    });
    conversation.happen(answer('cause.'), SERVICE_ENDED);
    assertShows(page, conversation.turn());
  });

  it('is all of a turn for a page that is opened in the middle of it, and from there what is appended', () => {
    const conversation = makeConversation();
    const early = open(conversation);
    conversation.happen(reasoning('Hm.'), answer('Be'), answer('ca'));
    const late = open(conversation);
    conversation.happen(answer('use.'), SERVICE_ENDED);
    assertShows(early, conversation.turn());
    assertShows(late, conversation.turn());
    assert.ok(!late.types().includes('exchange'));
  });

  it('is nothing while the page is hidden, and a snapshot afterwards', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    conversation.happen(reasoning('Hm.'), reasoning(' Well.'));
    page.hide();
    const sent = page.messages.length;
    conversation.happen(answer('Because'));
    assert.equal(page.messages.length, sent);
    page.ready();
    assertShows(page, conversation.turn());
    conversation.happen(answer('.'), SERVICE_ENDED);
    assertShows(page, conversation.turn());
  });

  it('is a snapshot when what was taken for the answer turns out to be reasoning', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    conversation.happen(answer('Hm'), answer('m.'), WAS_REASONING);
    assert.equal(page.types().at(-1), 'snapshot');
    assertShows(page, conversation.turn());
    conversation.happen(answer('Because.'), SERVICE_ENDED);
    assertShows(page, conversation.turn());
  });

  it('joins the reasoning of rounds as the whole does', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    conversation.happen(reasoning('One.'), CALLS_END, reasoning('Two'), reasoning('.'), answer('So.'));
    conversation.happen(CALLS_END, CALLS_END, reasoning('Three.'), SERVICE_ENDED);
    assert.equal(page.shown()?.reasoning, 'One.\n\nTwo.\n\nThree.');
    assertShows(page, conversation.turn());
  });

  it('needs no snapshot for a round that ends without words', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    conversation.happen(reasoning('One.'), CALLS_END, reasoning('Two.'), answer('Done.'), SERVICE_ENDED);
    assert.deepEqual(page.types().filter((type) => type === 'snapshot').length, 1);
    assertShows(page, conversation.turn());
  });

  it('has the arguments and the result of a tool call once, however often the turn changes', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    const call: Call = {
      id: 'c1',
      index: 0,
      name: 'read',
      arguments: '{"path":"here"}',
      state: 'running',
      result: undefined,
      startedAt: undefined,
      endedAt: undefined,
    };
    const done: Call = { ...call, state: 'done', result: { text: 'long result' } };
    conversation.happen(answer('So.'), { type: 'round-ended', calls: [call] });
    conversation.happen({ type: 'call-changed', index: 0, call: done });
    conversation.happen({ type: 'round-begun', added: '' }, reasoning('Hm.'), answer('Be'), answer('cause.'));
    conversation.happen(CALLS_END, answer('Done.'), SERVICE_ENDED);
    const turns = page.messages.filter(({ type }) => type === 'turn');
    assert.ok(turns.length > 4, String(turns.length));
    const countOf = (text: string) =>
      turns.filter((message) => JSON.stringify(message).includes(text)).length;
    assert.equal(countOf('long result'), 1);
    // Once more for each change of the call.
    assert.ok(countOf('here') <= 2, String(countOf('here')));
    assertShows(page, conversation.turn());
    // A page that is opened later has all of it.
    assertShows(open(conversation), conversation.turn());
  });

  it('keeps the halves of a character together', async () => {
    const conversation = makeConversation();
    const page = open(conversation);
    const [first, second] = ['\ud83d', '\ude00'];
    conversation.happen(answer(`A${first}`));
    assert.equal(page.shown()?.answer, 'A');
    conversation.happen(answer(`${second}B`), USER_ENDED);
    assert.equal(page.shown()?.answer, 'A😀B');
    const texts = page.messages.flatMap((message) => (message.type === 'text' ? [message.answer] : []));
    assert.ok(texts.every((text) => text.isWellFormed()));
  });

  it('is half a character too, when the turn ended with it', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    conversation.happen(answer('A\ud83d'), USER_ENDED);
    assertShows(page, conversation.turn());
  });

  it('does not repeat text that an exchange brought whole in between', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    conversation.happen(answer('Be'), answer('ca'));
    page.posts.exchangeChanged('t1');
    conversation.happen(answer('use.'), SERVICE_ENDED);
    assertShows(page, conversation.turn());
  });

  it('leaves out the text of an attempt that is not shown, and brings it whole when it is', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    const [exchange] = conversation.now().exchanges;
    assert.ok(exchange);
    const old = { ...createTurn('t0', 0, FACTS), answer: 'An older answer.' };
    const attempts = () => [old, conversation.turn()];
    conversation.put({ ...exchange, attempts: attempts(), shown: 1 });
    conversation.happen(answer('Be'));
    conversation.put({ ...exchange, attempts: attempts(), shown: 0 });
    const sent = page.types().filter((type) => type === 'text').length;
    conversation.happen(answer('ca'), answer('use'));
    assert.equal(page.types().filter((type) => type === 'text').length, sent);
    assert.equal(page.shown()?.answer, 'An older answer.');
    conversation.put({ ...exchange, attempts: attempts(), shown: 1 });
    conversation.happen(answer('.'), SERVICE_ENDED);
    assertShows(page, conversation.turn());
  });

  it('is also the exchange that continues an answer, when another attempt of that answer is shown', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    conversation.happen(answer('Be'), USER_ENDED);
    const [exchange] = conversation.now().exchanges;
    assert.ok(exchange);
    const old = { ...createTurn('t0', 0, FACTS), answer: 'An older answer.' };
    const rest = { ...createTurn('t2', 0, FACTS), answer: 'cause.' };
    const next = { id: 'e2', attempts: [rest], shown: 0 };
    conversation.put({ ...next, question: { ...exchange.question, continues: 't1' } });
    const put = () => conversation.put({ ...exchange, attempts: [old, conversation.turn()], shown: 0 });
    put();
    assert.deepEqual(exchangesIn(page).slice(-2), ['e1', 'e2']);
    // An exchange that continues nothing stays as it is.
    conversation.put({ ...next, question: exchange.question });
    put();
    assert.deepEqual(exchangesIn(page).slice(-2), ['e2', 'e1']);
  });

  it('is also what the earlier parts of an answer are from now on, when another part is put after them', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    conversation.happen(answer('Be'), USER_ENDED);
    const [exchange] = conversation.now().exchanges;
    assert.ok(exchange);
    const part = (n: number): Exchange => ({
      id: `e${n}`,
      question: { ...exchange.question, continues: `t${n - 1}` },
      attempts: [{ ...createTurn(`t${n}`, 0, FACTS), answer: '' }],
      shown: 0,
    });
    conversation.put(part(2));
    const { length } = page.messages;
    conversation.put(part(3));
    const posted = page.messages.slice(length);
    assert.deepEqual(
      posted.flatMap((message) => (message.type === 'turn' ? [message.turn.id] : [])),
      ['t2', 't1'],
    );
  });

  it('is also what the earlier part of an answer is again, when the part after it has ended without text', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    conversation.happen(answer('Be'), USER_ENDED);
    const [exchange] = conversation.now().exchanges;
    assert.ok(exchange);
    const second = createTurn('t2', 0, FACTS);
    const question = { ...exchange.question, continues: 't1' };
    conversation.put({ id: 'e2', question, attempts: [second], shown: 0 });
    const { length } = page.messages;
    page.posts.turnStep('e2', foldStep(second, { at: 1, event: USER_ENDED }));
    assert.deepEqual(
      page.messages.slice(length).flatMap((message) => (message.type === 'turn' ? [message.turn.id] : [])),
      ['t2', 't1'],
    );
  });

  it('is the earlier part and then only what is appended to it, for an answer that continues another one', () => {
    let whole = '';
    const question: Question = { text: 'Continue.', images: [], origin: undefined, continues: 't0' };
    const text = createOutgoingText({ shown: () => whole, shownAppended: toShownAppended });
    const happened = (turn: Turn, event: AnyEvent) => foldStep(turn, { at: 1, event });
    const first = createTurn('t1', 0, FACTS);
    const exchange: Exchange = { id: 'e1', question, attempts: [first], shown: 0 };
    whole = 'One and';
    text.sent(exchange);
    const step = happened(first, answer('and two'));
    whole = 'One and two';
    assert.equal(text.take(exchange, step), 'taken');
    assert.equal(text.drain('t1')?.answer, ' two');
  });

  it('is a snapshot when an answer turns out not to continue the other one', () => {
    const shownWhole = (_: Question, { outcome, answer: own }: Turn) =>
      outcome === undefined ? `One and${own}` : own;
    const text = createOutgoingText({ shown: shownWhole, shownAppended: toShownAppended });
    const question: Question = { text: 'Continue.', images: [], origin: undefined, continues: 't0' };
    const first = createTurn('t1', 0, FACTS);
    const exchange: Exchange = { id: 'e1', question, attempts: [first], shown: 0 };
    text.sent(exchange);
    assert.equal(text.take(exchange, foldStep(first, { at: 1, event: SERVICE_ENDED })), 'other');
  });

  it('is what an answer in a form is shown as, and at its end the answer as it came', () => {
    const format = { type: 'json_object' } as unknown as NonNullable<Question['format']>;
    const conversation = makeConversation({ format });
    const page = open(conversation);
    conversation.happen(answer('{"a"'), answer(':1'));
    page.posts.exchangeChanged('t1');
    assert.equal(page.shown()?.answer, 'fence {"a":1');
    conversation.happen(answer('}'), SERVICE_ENDED);
    assert.equal(page.shown()?.answer, '{"a":1}');
  });

  it('is a snapshot when the conversation is deleted, and when it is restored', () => {
    const conversation = makeConversation();
    const page = open(conversation);
    conversation.setDeleted(true);
    conversation.setDeleted(true);
    conversation.setDeleted(false);
    assert.deepEqual(page.types(), ['snapshot', 'snapshot', 'surroundings', 'snapshot']);
  });

  it('writes to the log what could not be posted', async () => {
    const warnings: string[] = [];
    const webview = { postMessage: () => Promise.reject(new Error('gone')) };
    const channel = createPanelChannel({ webview, log: { warn: (text) => warnings.push(text) } });
    channel.open();
    channel.send({ type: 'focus' });
    await new Promise(setImmediate);
    assert.deepEqual(warnings, ['the message focus to the panel failed: Error: gone']);
  });

  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom('\ud83d', '\ude00', ''),
  );
  const event: fc.Arbitrary<AnyEvent> = fc.oneof(
    { arbitrary: piece.map((text) => reasoning(text)), weight: 5 },
    { arbitrary: piece.map((text) => answer(text)), weight: 5 },
    {
      arbitrary: fc
        .tuple(piece, piece)
        .map(([thought, said]) => chunk({ answer: said, reasoning: { name: 'reasoning', text: thought } })),
      weight: 2,
    },
    { arbitrary: fc.constant(CALLS_END), weight: 1 },
    { arbitrary: fc.constant(WAS_REASONING), weight: 1 },
    { arbitrary: fc.constant<AnyEvent>({ type: 'keep-alive' }), weight: 1 },
  );
  const action = fc.oneof(
    { arbitrary: event, weight: 8 },
    { arbitrary: fc.constantFrom('hide', 'show', 'whole', 'open'), weight: 1 },
  );
  const format = { type: 'json_object' } as unknown as NonNullable<Question['format']>;
  for (const question of [{}, { format }, { purpose: 'findings' as const }]) {
    const name = 'purpose' in question ? 'for a purpose' : 'format' in question ? 'in a form' : 'as it is';
    it(`is at the end what the turn says, whatever happened, for an answer ${name}`, () => {
      fc.assert(
        fc.property(
          fc.array(action, { maxLength: 40 }),
          fc.constantFrom(SERVICE_ENDED, USER_ENDED),
          (actions, end) => {
            const conversation = makeConversation(question);
            const first = open(conversation);
            for (const one of actions) {
              if (typeof one === 'object') conversation.happen(one);
              else if (one === 'hide') first.hide();
              else if (one === 'show') first.ready();
              else if (one === 'whole') first.posts.exchangeChanged('t1');
              else open(conversation);
            }
            if (!first.channel.isOpen()) first.ready();
            conversation.happen(end);
            for (const page of pages) {
              page.cancel();
              assertShows(page, conversation.turn(), question);
            }
            pages = [];
          },
        ),
        { numRuns: 300 },
      );
    });
  }
});
