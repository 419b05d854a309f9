/**
 * Writes conversations to the database: questions and outcomes at once, text of running turns twice a second. A write
 * that fails stays pending and is repeated with the next attempt that succeeds.
 */
import type { Conversation, Round, Turn } from '../chat/turn.ts';
import type { Prices } from '../service/limits.ts';
import { toLinkedExchanges } from './branches.ts';
import type { History } from './history.ts';
import { type StorageTrouble, toStorageTrouble } from './sqlite.ts';

/** How long text waits before it is written, in milliseconds. A killed process loses at most this much. */
const FLUSH_MS = 500;
/** Pause between attempts while writing fails, in milliseconds. */
const RETRY_MS = 5000;

export interface Recorder {
  /** A header or branch changed. With `exchangeId`, that exchange changed as well, or one of its turns ended. */
  save(conversation: Conversation, exchangeId?: string): void;
  /** Writes a complete conversation, for a database that may not contain it. */
  saveWhole(conversation: Conversation): void;
  /** Text of a running turn arrived. */
  progress(conversationId: string, turn: Turn): void;
  /** A conversation is deleted. Writes what arrived of its running turns, and nothing of them after that. */
  forget(conversationId: string): void;
  /** Writes everything that is pending. */
  flush(): void;
  /** Why writing fails at the moment. */
  trouble(): StorageTrouble | undefined;
  dispose(): void;
}

export interface RecorderDeps {
  readonly history: Pick<
    History,
    'putHeader' | 'putExchange' | 'putHead' | 'append' | 'rewrite' | 'putRound' | 'finish' | 'renew'
  >;
  prices(): Prices;
  /** A conversation by its id, for writes that failed before. */
  get(conversationId: string): Conversation | undefined;
  onTrouble(trouble: StorageTrouble | undefined, error?: unknown): void;
}

interface Written {
  reasoning: number;
  answer: number;
  rounds: readonly Round[];
}

interface Running {
  readonly conversationId: string;
  turn: Turn;
  readonly written: Written;
  due: boolean;
}

export function createRecorder(deps: RecorderDeps): Recorder {
  const { history } = deps;
  const running = new Map<string, Running>();
  const unsaved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let trouble: StorageTrouble | undefined;

  function change(next: StorageTrouble | undefined, error?: unknown): void {
    if (trouble === next) return;
    trouble = next;
    deps.onTrouble(next, error);
  }

  /**
   * Runs a write and records whether it succeeded. A change is reported once and determines when the next attempt is.
   */
  function attempt(write: () => void): boolean {
    try {
      write();
      change(undefined);
      return true;
    } catch (error) {
      change(toStorageTrouble(error), error);
      return false;
    }
  }

  function schedule(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush();
    }, ms);
  }

  function write(conversation: Conversation, which: (exchangeId: string) => boolean): void {
    history.putHeader(conversation);
    const prices = deps.prices();
    for (const linked of toLinkedExchanges(conversation.exchanges, conversation.branches)) {
      if (!which(linked.exchange.id)) continue;
      history.putExchange(conversation.id, linked, prices);
      for (const turn of linked.exchange.attempts) {
        if (turn.outcome === undefined) continue;
        history.finish(conversation.id, linked.exchange.id, turn, prices);
        running.delete(turn.id);
      }
    }
    history.putHead(conversation.id, conversation.exchanges.at(-1)?.id);
  }

  function save(conversation: Conversation, exchangeId?: string): void {
    const all = unsaved.has(conversation.id);
    if (attempt(() => write(conversation, (id) => all || id === exchangeId))) {
      unsaved.delete(conversation.id);
      return;
    }
    unsaved.add(conversation.id);
    schedule(RETRY_MS);
  }

  function flushTurn(entry: Running): void {
    const { conversationId, turn, written } = entry;
    const { rounds } = turn;
    const until = { reasoning: wholeLength(turn.reasoning), answer: wholeLength(turn.answer) };
    const text = {
      reasoning: turn.reasoning.slice(written.reasoning, until.reasoning),
      answer: turn.answer.slice(written.answer, until.answer),
    };
    // Text can move from the answer to the reasoning or into a round, which can't be stored by appending.
    const moved = turn.answer.length < written.answer || rounds.length !== written.rounds.length;
    const came = attempt(() => {
      for (const [position, round] of rounds.entries()) {
        if (round !== written.rounds[position]) history.putRound(conversationId, turn.id, position, round);
      }
      if (moved) history.rewrite(turn);
      else history.append(turn, text);
    });
    if (!came) {
      schedule(RETRY_MS);
      return;
    }
    Object.assign(written, until, { rounds });
    entry.due = false;
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const id of unsaved) {
      const conversation = deps.get(id);
      if (conversation === undefined) unsaved.delete(id);
      else save(conversation);
    }
    for (const entry of running.values()) if (entry.due) flushTurn(entry);
    if (running.size > 0) {
      attempt(() => history.renew());
      schedule(FLUSH_MS);
    }
  }

  return {
    save,
    saveWhole(conversation) {
      unsaved.add(conversation.id);
      save(conversation);
    },
    progress(conversationId, turn) {
      const known = running.get(turn.id);
      if (known === undefined) {
        const written = { reasoning: 0, answer: 0, rounds: [] };
        running.set(turn.id, { conversationId, turn, written, due: true });
      } else {
        known.turn = turn;
        known.due = true;
      }
      schedule(FLUSH_MS);
    },
    forget(conversationId) {
      for (const [turnId, entry] of running) {
        if (entry.conversationId !== conversationId) continue;
        if (entry.due) flushTurn(entry);
        running.delete(turnId);
      }
    },
    flush,
    trouble: () => trouble,
    dispose() {
      flush();
      clearTimeout(timer);
    },
  };
}

/** The length without an unpaired surrogate at the end, whose second half is still to arrive. SQLite can't store it. */
function wholeLength(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
