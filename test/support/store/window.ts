/** A window on the conversation database, without an editor: it asks, runs, and ends turns as the conversations do. */
import assert from 'node:assert/strict';
import { withExchange, withTurn } from '../../../src/conversation/conversation.ts';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { type ConversationStore, createConversationStore } from '../../../src/history/conversationStore.ts';
import { type History, openHistory } from '../../../src/history/history.ts';
import { answer, completeTurn, FACTS } from '../../unit/conversation/turns.ts';
import { exchange, PRICES } from '../../unit/history/support.ts';

export interface RunningTurn {
  readonly conversationId: string;
  readonly exchangeId: string;
  turn: Turn;
}

export interface Asked {
  readonly text: string;
  readonly turnId: string;
  /** Taken from the queue, with this id. */
  readonly queuedId?: string;
  /** The exchange whose question is asked again, as the user saw it. */
  readonly again?: string;
}

export interface Window {
  readonly store: ConversationStore;
  /** The queued questions, by the id of the conversation. */
  readonly running: ReadonlyMap<string, RunningTurn>;
  /** Returns whether the question was sent. */
  ask(conversationId: string, asked: Asked): boolean;
  progress(conversationId: string): void;
  end(conversationId: string, text: string): void;
  renewLeases(): void;
  /** Closes the window: running turns are interrupted. */
  close(): void;
  /** Ends the window without any further write. */
  kill(): void;
}

export interface WindowDeps {
  readonly folder: string;
  now(): number;
}

export function openWindow({ folder, now }: WindowDeps): Window {
  const opened = openHistory({
    folder,
    place: 'a window',
    now,
    onSetAside: () => assert.fail('the database was set aside'),
    onWrong: assert.fail,
  });
  assert.ok(opened.ok);
  let dead = false;
  const history = guarded(opened.history, () => dead);
  const store = createConversationStore({
    history,
    prices: () => PRICES,
    onTrouble: (trouble, error) => assert.ok(dead || trouble === undefined, String(error)),
    onFailure: (what, error) => assert.ok(dead, `${what}: ${String(error)}`),
  });
  const running = new Map<string, RunningTurn>();

  /** Takes a queued question from the queue, and returns whether it can be sent. */
  function mayRun(id: string, queuedId: string | undefined): boolean {
    if (store.renew(id) !== undefined) return false;
    store.poll();
    if (store.get(id) === undefined) return false;
    return queuedId === undefined || store.dequeue(id, queuedId);
  }

  return {
    store,
    running,
    ask(id, { text, turnId, queuedId, again }) {
      if (running.has(id)) return false;
      store.poll();
      if (store.get(id) === undefined || store.take(id) !== undefined) return false;
      if (!mayRun(id, queuedId)) {
        store.release(id);
        return false;
      }
      const now = store.latest(id);
      const known = now?.exchanges.find((one) => one.id === again);
      if (now === undefined || (again !== undefined && known === undefined)) {
        store.release(id);
        return false;
      }
      const turn = createTurn(turnId, 1000, FACTS);
      const attempts = [...(known?.attempts ?? []), turn];
      const next = {
        ...(known ?? exchange(queuedId ?? `e-${turnId}`, text, [])),
        attempts,
        shown: attempts.length - 1,
      };
      store.put(withExchange(now, next), next.id);
      running.set(id, { conversationId: id, exchangeId: next.id, turn });
      return true;
    },
    progress(id) {
      const one = running.get(id);
      const now = store.get(id);
      if (one === undefined || now === undefined) return;
      one.turn = foldTurn(one.turn, { at: 100, event: answer('Some text. ') });
      store.progress(withTurn(now, one.exchangeId, one.turn), one.turn);
    },
    end(id, text) {
      const one = running.get(id);
      if (one === undefined) return;
      running.delete(id);
      const ended: Turn = { ...completeTurn(text), id: one.turn.id, startedAt: 1000 };
      store.release(id);
      const now = store.latest(id);
      if (now === undefined) store.putEnd(id, one.exchangeId, ended);
      else store.put(withTurn(now, one.exchangeId, ended), one.exchangeId);
    },
    renewLeases: () => opened.history.renew(),
    close: () => store.dispose(),
    kill() {
      dead = true;
      store.dispose();
      opened.history.close();
    },
  };
}

/** The database of a process that can be killed. */
function guarded(history: History, isDead: () => boolean): History {
  const entries = Object.entries(history).map(([name, call]) => [
    name,
    (...args: unknown[]) => {
      if (isDead()) throw new Error('the window was killed');
      return (call as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return { ...(Object.fromEntries(entries) as unknown as History), isOpen: history.isOpen };
}
