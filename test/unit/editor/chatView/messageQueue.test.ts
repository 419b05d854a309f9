/** The queue of a conversation in two windows: one queue, and a state of its own in each window. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ContextItem } from '../../../../src/conversation/context/context.ts';
import type { Question } from '../../../../src/conversation/question.ts';
import type { QueuedQuestion } from '../../../../src/conversation/queue.ts';
import { toRound } from '../../../../src/conversation/rounds.ts';
import type { Outcome, Turn } from '../../../../src/conversation/turn.ts';
import {
  createMessageQueue,
  isQueuePaused,
  type MessageQueue,
} from '../../../../src/editor/chatView/messageQueue.ts';
import { createWaitingMessages } from '../../../../src/editor/chatView/waitingMessages.ts';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import type { AskResult } from '../../../../src/editor/conversations/turnStart.ts';
import { type Refusal, refuse } from '../../../../src/requests/refusal.ts';
import { eventually } from '../../../support/eventually.ts';
import { completeTurn, turnOf } from '../../conversation/turns.ts';

const ID = 'c1';

/** What the windows share: the queue, and in which of them a turn runs. */
interface Shared {
  stored: readonly QueuedQuestion[];
  runsIn: string | undefined;
  deleted: boolean;
  asked: string[];
  /** The questions as they were sent. */
  sent: Question[];
}

interface Window extends Pick<MessageQueue, 'isAhead' | 'send' | 'pause' | 'dropped'> {
  readonly composer: Composer;
  add(text: string): void;
  /** Starts a turn that is not from the queue. */
  start(): void;
  /** The question that was about to be sent isn't sent after all. */
  free(): Promise<void>;
  end(outcome: Outcome): Promise<void>;
  /** A turn ends with calls that aren't run, because it had the maximum number of rounds. */
  endOutOfRounds(): Promise<void>;
  /** A turn ends with a call that isn't run, because it may be incomplete. */
  endWithUnrunCall(): Promise<void>;
  remove(text: string): void;
  /** The window has found out what the other one has changed. */
  poll(): Promise<void>;
  setDeleted(deleted: boolean): Promise<void>;
  isPaused(): boolean;
  /** Called while the context of a queued message is read. */
  whileReading: () => void | Promise<void>;
  refusal: Refusal | undefined;
  /** Context that has changed since it was queued. */
  readonly newest: Map<ContextItem, ContextItem>;
}

const toQuestion = (text: string): Question => ({ text, images: [], origin: undefined });

function openWindow(name: string, shared: Shared): Window {
  const composer = {
    get queue() {
      return shared.stored;
    },
    queuePaused: true,
    sendingQueued: false,
    waiting: false,
    refusal: undefined,
  } as unknown as Composer;
  const isRunning = () => shared.runsIn === name;
  const holder = () =>
    shared.runsIn === undefined || isRunning() ? undefined : { conversationId: ID, place: shared.runsIn };

  /** As `Conversations` does: one turn at a time, and the question is taken from the queue when it is asked. */
  async function askQueued(_: string, { id, question }: QueuedQuestion): Promise<AskResult> {
    if (isRunning()) return refuse({ kind: 'running' });
    const other = holder();
    if (other !== undefined) return refuse({ kind: 'elsewhere', place: other.place });
    if (shared.deleted) return refuse({ kind: 'gone' });
    if (window.refusal !== undefined) return refuse(window.refusal);
    if (!shared.stored.some((queued) => queued.id === id)) return refuse({ kind: 'changed' });
    shared.stored = shared.stored.filter((queued) => queued.id !== id);
    shared.asked.push(question.text);
    shared.sent.push(question);
    shared.runsIn = name;
    return { ok: true, turnId: id };
  }

  const composers = { of: () => composer, changed: () => undefined };
  const queue = createMessageQueue({
    conversations: {
      get: () => (shared.deleted ? undefined : ({} as never)),
      isRunning,
      holder,
      queue: () => shared.stored,
      askQueued,
    },
    composers: {
      ...composers,
      // As `Composers` does.
      enqueue: (_, question) => {
        if (composer.queue.length === 0) composer.queuePaused = false;
        shared.stored = [...shared.stored, { id: `id of ${question.text}`, question }];
      },
    },
    waiting: createWaitingMessages(composers),
    async refreshAll({ question: { context = [] } }) {
      await window.whileReading();
      return context.map((item) => window.newest.get(item) ?? item);
    },
    toRefusal: (error) => refuse({ kind: 'transport', message: String(error) }),
    describe: ({ kind }) => `refused: ${kind}`,
  });

  async function end(turn: Turn): Promise<void> {
    shared.runsIn = undefined;
    const before = turnOf([]);
    const place = { conversationId: ID, exchangeId: 'e1' };
    await queue.follow({ type: 'turn', ...place, before, turn, appended: undefined });
  }

  const window: Window = {
    ...queue,
    composer,
    add: (text) => queue.add(ID, toQuestion(text)),
    start() {
      shared.runsIn = name;
    },
    free() {
      shared.runsIn = undefined;
      return queue.follow({ type: 'free', conversationId: ID });
    },
    end: (outcome) => end({ ...completeTurn(), outcome }),
    endOutOfRounds() {
      const turn = completeTurn();
      return end({ ...turn, tries: 0, rounds: [toRound(turn, [], 0)] });
    },
    endWithUnrunCall() {
      const call = { index: 0, id: 'a', name: 'read', arguments: '{}' };
      return end({ ...completeTurn('I look.'), toolCalls: [call] });
    },
    remove(text) {
      shared.stored = shared.stored.filter(({ question }) => question.text !== text);
    },
    poll: () => queue.follow({ type: 'listed' }),
    setDeleted(deleted) {
      shared.deleted = deleted;
      if (deleted) shared.runsIn = undefined;
      return queue.follow({ type: 'replaced', conversationId: ID });
    },
    isPaused: () => isQueuePaused(composer, { running: isRunning(), elsewhere: holder()?.place }),
    whileReading: () => undefined,
    refusal: undefined,
    newest: new Map(),
  };
  return window;
}

/** A drive that doesn’t answer. */
const hanging = () => new Promise<void>(() => undefined);

describe('The message queue', () => {
  let shared: Shared;
  let here: Window;
  let there: Window;
  beforeEach(() => {
    shared = { stored: [], runsIn: undefined, deleted: false, asked: [], sent: [] };
    here = openWindow('here', shared);
    there = openWindow('there', shared);
  });

  const waiting = () => shared.stored.map(({ question }) => question.text);

  /** Queues messages while an answer runs here. */
  function queueUp(...texts: readonly string[]): void {
    here.start();
    for (const text of texts) here.add(text);
  }

  it('sends one message after each complete answer', async () => {
    queueUp('One', 'Two');
    assert.equal(here.isPaused(), false);
    await here.end('complete');
    assert.deepEqual([shared.asked, waiting()], [['One'], ['Two']]);
    await here.end('complete');
    await here.end('complete');
    assert.deepEqual([shared.asked, waiting()], [['One', 'Two'], []]);
  });

  for (const outcome of ['stopped', 'failed', 'truncated', 'interrupted'] as const)
    it(`is paused after an answer that ended as ${outcome}, until the user sends it`, async () => {
      queueUp('One', 'Two');
      await here.end(outcome);
      assert.deepEqual(shared.asked, []);
      assert.ok(here.isPaused());
      await here.send(ID);
      assert.equal(here.isPaused(), false);
      await here.end('complete');
      assert.deepEqual(shared.asked, ['One', 'Two']);
    });

  it('is paused while the user is asked whether a turn that is out of rounds goes on', async () => {
    queueUp('One');
    await here.endOutOfRounds();
    assert.deepEqual(shared.asked, []);
    assert.ok(here.isPaused());
  });

  it('is paused after an answer that ended with a call that was not run', async () => {
    queueUp('One');
    await here.endWithUnrunCall();
    assert.deepEqual(shared.asked, []);
    assert.ok(here.isPaused());
  });

  it('makes a new message wait behind those in a paused queue, and is not sent by it', async () => {
    queueUp('One');
    await here.end('stopped');
    assert.ok(here.isAhead(ID));
    here.add('Two');
    assert.deepEqual([shared.asked, waiting()], [[], ['One', 'Two']]);
    assert.ok(here.isPaused());
    await here.send(ID);
    await here.end('complete');
    assert.deepEqual(shared.asked, ['One', 'Two']);
  });

  it('stays paused after another turn, and when a message is added during that turn', async () => {
    queueUp('One');
    await here.end('stopped');
    here.start();
    here.add('Two');
    assert.ok(here.isPaused());
    await here.end('complete');
    assert.deepEqual(shared.asked, []);
    assert.ok(here.isPaused());
  });

  it('is not in the way when it is empty', async () => {
    assert.equal(here.isAhead(ID), false);
    queueUp('One');
    await here.end('stopped');
    here.remove('One');
    assert.equal(here.isAhead(ID), false);
    // What is queued during the next answer follows it, as if nothing had been stopped.
    queueUp('Two');
    await here.end('complete');
    assert.deepEqual(shared.asked, ['Two']);
  });

  it('is paused after a reload', async () => {
    queueUp('One');
    shared.runsIn = undefined;
    const reloaded = openWindow('here', shared);
    assert.ok(reloaded.isPaused());
    reloaded.start();
    await reloaded.end('complete');
    assert.deepEqual(shared.asked, []);
    await reloaded.send(ID);
    assert.deepEqual(shared.asked, ['One']);
  });

  it('sends a message once when it is sent twice', async () => {
    queueUp('One', 'Two');
    await here.end('stopped');
    await Promise.all([here.send(ID), here.send(ID)]);
    assert.deepEqual([shared.asked, waiting()], [['One'], ['Two']]);
  });

  it('sends a message once when two windows send it', async () => {
    queueUp('One', 'Two');
    await here.end('stopped');
    assert.deepEqual([here.isPaused(), there.isPaused()], [true, true]);
    await Promise.all([here.send(ID), there.send(ID)]);
    assert.deepEqual([shared.asked, waiting()], [['One'], ['Two']]);
    assert.deepEqual([here.isPaused(), there.isPaused()], [false, false]);
    // Only the window that answers goes on with the queue.
    await (shared.runsIn === 'here' ? here : there).end('complete');
    assert.deepEqual(shared.asked, ['One', 'Two']);
  });

  it('is not paused in a window while another window answers, and lets that one refuse a new message', () => {
    queueUp('One');
    assert.equal(there.isPaused(), false);
    assert.equal(there.isAhead(ID), false);
  });

  it('sends the next message when the first one is removed while it is prepared', async () => {
    queueUp('One', 'Two');
    here.whileReading = () => here.remove('One');
    await here.end('complete');
    assert.deepEqual(shared.asked, ['Two']);
    assert.equal(here.composer.refusal, undefined);
  });

  it('sends nothing when it is stopped while the next message is prepared', async () => {
    queueUp('One');
    here.whileReading = () => here.pause(ID);
    await here.end('complete');
    assert.deepEqual([shared.asked, waiting()], [[], ['One']]);
    assert.ok(here.isPaused());
  });

  it('goes on when a message is removed, or when it is stopped, while its files are on a drive that doesn’t answer', async () => {
    queueUp('One', 'Two', 'Three');
    here.whileReading = hanging;
    void here.end('complete');
    here.whileReading = () => undefined;
    here.remove('One');
    here.dropped(ID);
    await new Promise(setImmediate);
    assert.deepEqual(shared.asked, ['Two']);
    here.whileReading = hanging;
    void here.end('complete');
    here.pause(ID);
    await new Promise(setImmediate);
    assert.deepEqual([here.isPaused(), here.isAhead(ID)], [true, true]);
    here.whileReading = () => undefined;
    await here.send(ID);
    assert.deepEqual(shared.asked, ['Two', 'Three']);
  });

  it('goes on when another window removes the message whose files are on a drive that doesn’t answer, and not when it sends it', async () => {
    queueUp('One', 'Two', 'Three');
    here.whileReading = hanging;
    void here.end('complete');
    here.whileReading = () => undefined;
    await here.poll();
    there.remove('One');
    await here.poll();
    await new Promise(setImmediate);
    assert.deepEqual(shared.asked, ['Two']);
    here.whileReading = hanging;
    void here.end('complete');
    here.whileReading = () => undefined;
    await there.send(ID);
    await here.poll();
    await new Promise(setImmediate);
    assert.deepEqual(shared.asked, ['Two', 'Three']);
    const { queuePaused, sendingQueued, refusal } = here.composer;
    assert.deepEqual([queuePaused, sendingQueued, refusal], [true, false, undefined]);
  });

  it('can be stopped, which is shown, while the files of a message are on a drive that doesn’t answer', async () => {
    queueUp('One');
    here.whileReading = () => new Promise<void>(() => undefined);
    const ended = here.end('complete');
    await eventually(async () => assert.equal(here.composer.waiting, true));
    here.pause(ID);
    await ended;
    assert.deepEqual([here.composer.waiting, here.isPaused(), waiting()], [false, true, ['One']]);
  });

  it('makes a message wait that is sent while the next one is prepared', async () => {
    queueUp('One');
    let ahead = false;
    here.whileReading = () => {
      ahead = here.isAhead(ID);
      if (waiting().length === 1) here.add('Two');
    };
    await here.end('complete');
    assert.ok(ahead);
    await here.end('complete');
    assert.deepEqual(shared.asked, ['One', 'Two']);
  });

  it('is paused with the reason when a message is refused, and keeps it first', async () => {
    queueUp('One', 'Two');
    here.refusal = { kind: 'no-route' };
    await here.end('complete');
    assert.deepEqual([shared.asked, waiting()], [[], ['One', 'Two']]);
    assert.equal(here.composer.refusal, 'refused: no-route');
    assert.ok(here.isPaused());
  });

  it('is paused with the reason when the context of a message cannot be read', async () => {
    queueUp('One');
    here.whileReading = () => Promise.reject(new Error('gone'));
    await here.end('complete');
    assert.equal(here.composer.refusal, 'refused: transport');
    assert.ok(here.isPaused());
  });

  it('sends a message with the images and the format that it was queued with, and with its context as it is now', async () => {
    const before: ContextItem = { kind: 'file', label: 'a.ts', parts: [{ label: 'a.ts', text: 'before' }] };
    const now: ContextItem = { ...before, parts: [{ label: 'a.ts', text: 'now' }] };
    const queued: Question = {
      text: 'One',
      images: [{ name: 'a.png', url: 'ms://a' }],
      context: [before],
      origin: undefined,
      format: { kind: 'json' },
    };
    here.start();
    shared.stored = [{ id: 'q1', question: queued }];
    here.composer.queuePaused = false;
    here.newest.set(before, now);
    await here.end('complete');
    assert.deepEqual(shared.sent, [{ ...queued, context: [now] }]);
    // Equal questions are stored as equal bytes.
    assert.deepEqual(Object.keys(shared.sent[0] ?? {}), ['text', 'images', 'context', 'origin', 'format']);
  });

  it('follows the answer that was started before it could send', async () => {
    queueUp('One');
    here.whileReading = () => here.start();
    await here.end('complete');
    assert.equal(here.composer.refusal, undefined);
    assert.equal(here.isPaused(), false);
    here.whileReading = () => undefined;
    await here.end('complete');
    assert.deepEqual(shared.asked, ['One']);
  });

  it('goes on when the question that was faster isn’t sent after all', async () => {
    queueUp('One');
    here.whileReading = () => here.start();
    await here.end('complete');
    assert.deepEqual(shared.asked, []);
    here.whileReading = () => undefined;
    await here.free();
    assert.deepEqual(shared.asked, ['One']);
  });

  it('stays paused when a question isn’t sent after all', async () => {
    queueUp('One');
    await here.end('stopped');
    await here.free();
    assert.deepEqual(shared.asked, []);
    assert.ok(here.isPaused());
  });

  it('is paused when its conversation was deleted during the answer and is restored', async () => {
    queueUp('One');
    await here.setDeleted(true);
    await here.setDeleted(false);
    assert.ok(here.isPaused());
    here.start();
    await here.end('complete');
    assert.deepEqual([shared.asked, waiting()], [[], ['One']]);
  });

  it('does not send what another window queued and stopped', async () => {
    queueUp('One');
    await here.end('complete');
    await here.end('complete');
    there.start();
    there.add('Two');
    await there.end('stopped');
    assert.ok(here.isPaused());
    here.start();
    await here.end('complete');
    assert.deepEqual(shared.asked, ['One']);
  });
});
