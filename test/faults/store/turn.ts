/** A turn of a window on a database, with an answer without a network, and checks of the disk afterwards. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Turn } from '../../../src/conversation/turn.ts';
import { type ConversationStore, createConversationStore } from '../../../src/history/conversationStore.ts';
import type { SetAsideReport } from '../../../src/history/database.ts';
import { type History, openHistory } from '../../../src/history/history.ts';
import { DEFAULT_PRICES as PRICES } from '../../../src/service/prices.ts';
import { DEFAULT_LIMITS } from '../../../src/service/watchdog.ts';
import { NO_TEXT, planOf, type Text } from '../answer.ts';
import type { Violation } from '../judge.ts';
import { textOf } from '../play.ts';
import { added } from '../reply.ts';
import { ask } from '../window.ts';

export interface StoreWindow {
  readonly store: ConversationStore;
  /** The messages to the chat about the disk, in order. */
  readonly troubles: readonly unknown[];
  readonly setAside: readonly SetAsideReport[];
}

/** A window on a database. `change` replaces parts of the database. */
export function openStoreWindow(
  folder: string,
  { change = (history: History) => history, now = Date.now } = {},
): StoreWindow {
  const troubles: unknown[] = [];
  const setAside: SetAsideReport[] = [];
  const opened = openHistory({
    folder,
    place: 'a window',
    now,
    onSetAside: (report) => setAside.push(report),
    onWrong: (what) => troubles.push(what),
  });
  if (!opened.ok) throw new Error(opened.message);
  const store = createConversationStore({
    history: change(opened.history),
    prices: () => PRICES,
    onTrouble: (trouble) => troubles.push(trouble),
    onFailure: (what) => troubles.push(what),
  });
  return { store, troubles, setAside };
}

const EVENTS = planOf('headers', 'direct').after;
export const EVENT_COUNT = EVENTS.length;
export const HALF = Math.floor(EVENT_COUNT / 2);
export const HALF_TEXT: Text = added(NO_TEXT, EVENTS.slice(0, HALF));
export const WHOLE_TEXT: Text = added(NO_TEXT, EVENTS);

/** Runs a turn in a new conversation, and calls `before` before each event of its answer. */
export async function playTurn(
  store: ConversationStore,
  id: string,
  before: (at: number) => unknown = () => undefined,
): Promise<Turn> {
  async function* body() {
    for (const [at, { data }] of EVENTS.entries()) {
      await before(at);
      yield new TextEncoder().encode(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
      await setImmediate();
    }
  }
  const { turn } = await ask(store, {
    id,
    route: {
      name: 'direct',
      kind: 'direct',
      root: 'http://localhost/v1',
      origin: 'http://localhost',
      model: 'svc-k3',
    },
    transport: async () => ({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: body() }),
    limits: DEFAULT_LIMITS,
    toolbox: { definitions: [], run: async () => ({ text: '' }) },
    signal: new AbortController().signal,
    onTurn: () => undefined,
  });
  return turn;
}

export interface StorePlayed {
  readonly outcome: string;
  readonly charactersLost: number;
  readonly accountMissing: number;
  readonly violations: readonly Violation[];
}

const length = ({ reasoning, answer, calls }: Text) => reasoning.length + answer.length + calls.length;

/** Compares a conversation on the disk, as a newly opened window reads it, with the expected one. */
export function judgeStored(
  folder: string,
  id: string,
  { outcome = 'complete', text = WHOLE_TEXT }: { readonly outcome?: string; readonly text?: Text } = {},
): StorePlayed {
  const violations: Violation[] = [];
  const { store, troubles } = openStoreWindow(folder);
  const turn = store.get(id)?.exchanges[0]?.attempts[0];
  store.dispose();
  const database = new DatabaseSync(join(folder, 'conversations.db'), { readOnly: true });
  const account = database.prepare('SELECT outcome FROM spend WHERE conversation_id = ?').all(id);
  database.close();
  const stored = turn === undefined ? NO_TEXT : textOf(turn);
  const holds = JSON.stringify(stored) === JSON.stringify(text);
  if (!holds)
    violations.push({ rule: 'lost', says: `${JSON.stringify(stored)} instead of ${JSON.stringify(text)}` });
  if (turn?.outcome === undefined) violations.push({ rule: 'not ended', says: 'no outcome' });
  else if (turn.outcome !== outcome)
    violations.push({ rule: 'outcome', says: `${turn.outcome}, expected ${outcome}` });
  if (account.length !== 1)
    violations.push({ rule: 'account', says: `${account.length} entries in the account` });
  else if (account[0]?.['outcome'] !== outcome)
    violations.push({ rule: 'account', says: `stands there as ${account[0]?.['outcome']}` });
  if (troubles.length > 0) violations.push({ rule: 'told', says: `the next window: ${troubles.join(', ')}` });
  return {
    outcome: turn?.outcome ?? 'running',
    charactersLost: holds ? 0 : Math.max(1, length(text) - length(stored)),
    accountMissing: account.length === 0 ? 1 : 0,
    violations,
  };
}

/** Whether the conversation, or its question, isn't on the disk. */
export function isUnasked(folder: string, id: string): boolean {
  const { store } = openStoreWindow(folder);
  const unasked = (store.get(id)?.exchanges.length ?? 0) === 0;
  store.dispose();
  return unasked;
}

export const withRule = (played: StorePlayed, ...more: readonly (Violation | false)[]): StorePlayed => ({
  ...played,
  violations: [...played.violations, ...more.filter((one) => one !== false)],
});
