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

/** Stands for all exchanges, instead of an exchange ID. */
const ALL = '';

export interface Recorder {
  /** Writes a change of a header or a branch. If `exchangeId` is given, this exchange changed as well, or one of its turns ended. */
  save(conversation: Conversation, exchangeId?: string): void;
  /** Writes a complete conversation to a database that may not contain it. */
  saveWhole(conversation: Conversation): void;
  /** Writes a copy of another conversation, whose cost is already recorded. */
  saveCopy(conversation: Conversation): void;
  /** Called when text of a running turn arrives. */
  progress(conversationId: string, turn: Turn): void;
  /** Called when a turn has ended and needs no more writes. */
  drop(turnId: string): void;
  /** Called when a conversation is deleted. Writes the text of its running turns that has arrived, and nothing of them afterwards. */
  forget(conversationId: string): void;
  /** Writes everything that is pending. */
  flush(): void;
  /** Whether a part of a conversation couldn't be written yet. */
  isUnsaved(conversationId: string): boolean;
  /** The reason why something couldn't be written yet. */
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
  /** Runs a function that writes a part of a conversation. */
  around(conversationId: string, write: () => void): void;
  prices(): Prices;
  /** Returns a conversation by its ID, for writes that failed before. */
  get(conversationId: string): Conversation | undefined;
  /** Called when the header of a conversation and all its pending parts are written. */
  onSaved(conversationId: string): void;
  onTrouble(trouble: StorageTrouble | undefined, error?: unknown): void;
}

const NOTHING: WrittenText = { reasoning: '', answer: '', rounds: [] };

interface Running {
  readonly conversationId: string;
  turn: Turn;
  /** The text and rounds of the turn that the database has. */
  written: WrittenText;
  due: boolean;
  /** Nothing was written since this entry was created. The database may contain text from before the conversation was deleted. */
  first: boolean;
}

export function createRecorder(deps: RecorderDeps): Recorder {
  const { history } = deps;
  const running = new Map<string, Running>();
  /**
   * The IDs of exchanges that have to be written, by conversation ID. Other exchanges aren't written, because another window may
   * have changed them.
   */
  const unsaved = new Map<string, Set<string>>();
  /** Copies of conversations as they were created, until they are written. */
  const copies = new Map<string, Conversation>();
  /** Writes by the IDs of conversations and turns, and the write of the leases. */
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
    // If the conversation has no question here, another window may have asked one, so the head isn't changed.
    if (last !== undefined) history.putHead(conversation.id, last.id);
  }

  function save(conversation: Conversation, exchangeId?: string): void {
    const { id } = conversation;
    // Noted before the attempt, because listeners that hear of a failed write ask which conversations are unsaved.
    const due = note(id, exchangeId);
    const writeDue = () => write(conversation, (one) => due.has(ALL) || due.has(one));
    const written = attempt(id, () => {
      // A copy is written in one transaction, because a partial copy couldn't be recognized as such.
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
      // Then all of it is written, including the end of its turn.
      if (unsaved.has(conversationId)) note(conversationId, ALL);
      for (const [turnId, entry] of running) {
        if (entry.conversationId !== conversationId) continue;
        if (entry.due) flushTurn(entry);
        // Text that can't be written now is written with the whole conversation.
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
