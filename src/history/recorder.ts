/**
 * Writes conversations to the database: questions and outcomes at once, text of running turns twice a second. A write
 * that fails stays pending and is repeated with the next attempt that succeeds.
 */
import type { Conversation } from '../conversation/conversation.ts';
import type { Turn } from '../conversation/turn.ts';
import type { Prices } from '../service/prices.ts';
import { toLinkedExchanges } from './branches.ts';
import type { History } from './history.ts';
import type { StorageTrouble } from './sqlite.ts';
import { unwrittenText, type WrittenText } from './unwrittenText.ts';
import { createWriteAttempts } from './writeAttempts.ts';

/** How long text waits before it is written, in milliseconds. A killed process loses at most this much. */
const FLUSH_MS = 500;
/** Pause between attempts while writing fails, in milliseconds. */
const RETRY_MS = 5000;

/** Instead of the id of an exchange. */
const ALL = '';

export interface Recorder {
  /** A header or branch changed. With `exchangeId`, that exchange changed as well, or one of its turns ended. */
  save(conversation: Conversation, exchangeId?: string): void;
  /** Writes a complete conversation, for a database that may not contain it. */
  saveWhole(conversation: Conversation): void;
  /** Writes a copy of another conversation, whose cost is already recorded. */
  saveCopy(conversation: Conversation): void;
  /** Text of a running turn arrived. */
  progress(conversationId: string, turn: Turn): void;
  /** A turn has ended, and needs no more writes. */
  drop(turnId: string): void;
  /** A conversation is deleted. Writes what arrived of its running turns, and nothing of them after that. */
  forget(conversationId: string): void;
  /** Writes everything that is pending. */
  flush(): void;
  /** Whether a part of a conversation could not be written yet. */
  isUnsaved(conversationId: string): boolean;
  /** Why something could not be written yet. */
  trouble(): StorageTrouble | undefined;
  dispose(): void;
}

export interface RecorderDeps {
  readonly history: Pick<
    History,
    | 'together'
    | 'putHeader'
    | 'putExchange'
    | 'putHead'
    | 'append'
    | 'rewrite'
    | 'putRound'
    | 'finish'
    | 'renew'
  >;
  /** Runs what writes a part of a conversation. */
  around(conversationId: string, write: () => void): void;
  prices(): Prices;
  /** A conversation by its id, for writes that failed before. */
  get(conversationId: string): Conversation | undefined;
  /** The header of a conversation is written, and everything else of it that was due. */
  onSaved(conversationId: string): void;
  onTrouble(trouble: StorageTrouble | undefined, error?: unknown): void;
}

const NOTHING: WrittenText = { reasoning: '', answer: '', rounds: [] };

interface Running {
  readonly conversationId: string;
  turn: Turn;
  /** What the database has of it. */
  written: WrittenText;
  due: boolean;
  /** Nothing was written since it is known here. There can be text from before its conversation was deleted. */
  first: boolean;
}

export function createRecorder(deps: RecorderDeps): Recorder {
  const { history } = deps;
  const running = new Map<string, Running>();
  /** The exchanges that have to be written, by the ids of conversations. Others may be as another window has left them since. */
  const unsaved = new Map<string, Set<string>>();
  /** Copies as they were made, until they are written. */
  const copies = new Map<string, Conversation>();
  /** Writes by the ids of conversations and turns, and that of the leases. */
  const { attempt, settle, ...failing } = createWriteAttempts((next, error) => deps.onTrouble(next, error));
  let timer: NodeJS.Timeout | undefined;

  function schedule(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush();
    }, ms);
  }

  /** @param exchangeId undefined if only the header or the path changed */
  function note(conversationId: string, exchangeId: string | undefined): ReadonlySet<string> {
    const due = unsaved.get(conversationId) ?? new Set();
    if (exchangeId !== undefined) due.add(exchangeId);
    unsaved.set(conversationId, due);
    return due;
  }

  function drop(turnId: string): void {
    running.delete(turnId);
    settle(turnId);
  }

  function write(conversation: Conversation, which: (exchangeId: string) => boolean): void {
    history.putHeader(conversation);
    const copy = copies.get(conversation.id);
    for (const linked of copy ? toLinkedExchanges(copy.exchanges, copy.branches) : [])
      history.putExchange(conversation.id, linked, undefined);
    const prices = deps.prices();
    for (const linked of toLinkedExchanges(conversation.exchanges, conversation.branches)) {
      if (!which(linked.exchange.id)) continue;
      history.putExchange(conversation.id, linked, prices);
      for (const turn of linked.exchange.attempts) {
        if (turn.outcome === undefined) continue;
        history.finish(conversation.id, linked.exchange.id, turn, prices);
        drop(turn.id);
      }
    }
    const last = conversation.exchanges.at(-1);
    // Another window may have asked in one without a question.
    if (last !== undefined) history.putHead(conversation.id, last.id);
  }

  function save(conversation: Conversation, exchangeId?: string): void {
    const { id } = conversation;
    // Who is told that the write failed asks what isn't saved.
    const due = note(id, exchangeId);
    const writeDue = () => write(conversation, (one) => due.has(ALL) || due.has(one));
    const written = attempt(id, () => {
      // Whoever finds a part of a copy can't tell that it isn't all of it.
      if (copies.has(id)) history.together(writeDue);
      else deps.around(id, writeDue);
      unsaved.delete(id);
      copies.delete(id);
    });
    if (written) deps.onSaved(id);
    else schedule(RETRY_MS);
  }

  function flushTurn(entry: Running): void {
    const { conversationId, turn, written } = entry;
    const { now, rounds, appended } = unwrittenText(turn, written);
    const came = attempt(turn.id, () => {
      for (const [position, round] of rounds) history.putRound(conversationId, turn.id, position, round);
      if (appended === undefined || entry.first) history.rewrite(turn);
      else history.append(turn, appended);
    });
    if (!came) {
      schedule(RETRY_MS);
      return;
    }
    entry.written = now;
    Object.assign(entry, { due: false, first: false });
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const id of unsaved.keys()) {
      const conversation = deps.get(id);
      if (conversation === undefined) {
        unsaved.delete(id);
        settle(id);
      } else save(conversation);
    }
    for (const entry of running.values()) if (entry.due) flushTurn(entry);
    if (running.size > 0) {
      attempt('leases', () => history.renew());
      schedule(FLUSH_MS);
    } else settle('leases');
    if (failing.any()) schedule(RETRY_MS);
  }

  return {
    save,
    saveWhole(conversation) {
      for (const entry of running.values())
        if (entry.conversationId === conversation.id)
          Object.assign(entry, { written: NOTHING, due: true, first: true });
      save(conversation, ALL);
    },
    saveCopy(conversation) {
      copies.set(conversation.id, conversation);
      save(conversation, ALL);
    },
    progress(conversationId, turn) {
      const known = running.get(turn.id);
      if (known === undefined) {
        running.set(turn.id, { conversationId, turn, written: NOTHING, due: true, first: true });
      } else {
        known.turn = turn;
        known.due = true;
      }
      schedule(FLUSH_MS);
    },
    drop,
    forget(conversationId) {
      // The end of its turn is written with it, too.
      if (unsaved.has(conversationId)) note(conversationId, ALL);
      for (const [turnId, entry] of running) {
        if (entry.conversationId !== conversationId) continue;
        if (entry.due) flushTurn(entry);
        // What can't be written now is written with the whole conversation.
        if (entry.due) {
          note(conversationId, ALL);
          failing.add(conversationId);
        }
        drop(turnId);
      }
    },
    flush,
    isUnsaved: (conversationId) =>
      unsaved.has(conversationId) ||
      [...running.values()].some(
        (entry) => entry.conversationId === conversationId && failing.has(entry.turn.id),
      ),
    trouble: failing.trouble,
    dispose() {
      flush();
      clearTimeout(timer);
    },
  };
}
