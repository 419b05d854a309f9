/** A window without an editor: it asks questions as a conversation does, and keeps them in a database. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type Conversation,
  createConversation,
  withExchange,
  withTurn,
} from '../../src/conversation/conversation.ts';
import type { Toolbox } from '../../src/conversation/toolCalls/tools.ts';
import type { Outcome, Turn } from '../../src/conversation/turn.ts';
import { type ConversationStore, createConversationStore } from '../../src/history/conversationStore.ts';
import { openHistory } from '../../src/history/history.ts';
import { toConversationContent } from '../../src/requests/conversationRequest.ts';
import { createTurns } from '../../src/requests/turns.ts';
import { DEFAULT_PRICES } from '../../src/service/prices.ts';
import type { Transport } from '../../src/service/transport.ts';
import type { Route } from '../../src/service/types.ts';
import type { SilenceLimits } from '../../src/service/watchdog.ts';
import { ownNow } from './ownTime.ts';

export interface Asked {
  readonly id: string;
  readonly route: Route;
  readonly transport: Transport;
  readonly limits: SilenceLimits;
  readonly toolbox: Toolbox;
  readonly signal: AbortSignal;
  onTurn(turn: Turn): void;
}

export interface Ended {
  readonly turn: Turn;
  /** The number of steps that gave the turn an outcome. */
  readonly ends: number;
  /** The time at which the turn ended, in own time. */
  readonly at: number;
}

export interface Window {
  readonly store: ConversationStore;
  /** Asks a question in a new conversation, and returns when its turn has ended. */
  ask(asked: Asked): Promise<Ended>;
  /** The outcomes with which the costs of a conversation are recorded. */
  account(id: string): readonly string[];
  /** The conversation as another window reads it. */
  stored(id: string): Conversation | undefined;
  close(): void;
}

/** @param forgetsEnds whether ends of turns are not recorded, to test the harness */
export function openWindow(forgetsEnds = false): Window {
  const folder = mkdtempSync(join(tmpdir(), 'k3-faults-'));
  const opening = {
    folder,
    place: 'faults',
    onSetAside: () => assert.fail('the database was set aside'),
    onWrong: (what: string) => assert.fail(what),
  };
  const opened = openHistory(opening);
  assert.ok(opened.ok);
  const { history } = opened;
  const store = createConversationStore({
    history,
    prices: () => DEFAULT_PRICES,
    onTrouble: (trouble, error) => assert.equal(trouble, undefined, String(error)),
    onFailure: (what, error) => assert.fail(`${what}: ${String(error)}`),
  });
  const reader = openHistory({ ...opening, place: 'reader' });
  assert.ok(reader.ok);
  const database = new DatabaseSync(join(folder, 'conversations.db'), { readOnly: true });
  const spend = database.prepare('SELECT outcome FROM spend WHERE conversation_id = ?');
  return {
    store,
    ask: (asked) => ask(store, asked, forgetsEnds),
    account: (id) => spend.all(id).map((row) => String(row['outcome'])),
    stored: (id) => reader.history.load(id),
    close() {
      store.dispose();
      reader.history.close();
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Asks a question in a new conversation of a store, and returns when its turn has ended. */
export async function ask(store: ConversationStore, asked: Asked, forgetsEnds = false): Promise<Ended> {
  const { id, route, transport, limits, toolbox, signal } = asked;
  const question = { text: 'Why?', images: [], origin: undefined };
  const turns = createTurns({
    settings: () => ({
      systemPrompt: '',
      maxCompletionTokens: undefined,
      effort: undefined,
      promptCacheKey: false,
      prices: DEFAULT_PRICES,
      limits,
      dailyCap: undefined,
      problems: [],
    }),
    routes: { named: () => undefined, active: () => ({ route, demoKey: undefined }) },
    keys: { find: async () => ({ found: true, key: 'sk-faults', source: 'stored' }) },
    transports: { for: async () => transport },
    spentToday: () => 0,
    confirm: async () => true,
    putSpend: () => assert.fail('the conversation records the cost'),
    log: { info: () => undefined, warn: (line) => assert.fail(line) },
  });
  const begun = createConversation(id, Date.now(), id, undefined);
  const prepared = await turns.prepare(
    {
      asker: 'conversation',
      countedAs: undefined,
      content: (settings) =>
        toConversationContent(
          settings,
          { conversation: begun, exchange: undefined, question, route },
          {},
          () => toolbox,
        ),
    },
    signal,
  );
  assert.ok(prepared.ok);
  assert.equal(store.take(id), undefined);
  const exchangeId = `${id} e`;
  let conversation = withExchange(begun, {
    id: exchangeId,
    question,
    attempts: [prepared.initialTurn],
    shown: 0,
  });
  store.put(conversation, exchangeId);
  const outcomes: Outcome[] = [];
  let at = 0;
  const turn = await prepared.run({
    signal,
    onStep(step) {
      conversation = withTurn(conversation, exchangeId, step.turn);
      if (step.turn.outcome === undefined) store.progress(conversation, step.turn);
      else {
        outcomes.push(step.turn.outcome);
        at = ownNow();
        store.release(id);
        if (!forgetsEnds) store.put(conversation, exchangeId);
      }
      asked.onTurn(step.turn);
    },
  });
  return { turn, ends: outcomes.length, at };
}
