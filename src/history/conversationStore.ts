/**
 * The conversations at hand: those that are open, in memory; all others, on the disk. Works without a store as well,
 * and then forgets when the window closes.
 */
import { costOf } from '../chat/cost.ts';
import { foldTurn } from '../chat/fold.ts';
import type { Conversation, Exchange, Question, Turn } from '../chat/turn.ts';
import type { Prices } from '../service/limits.ts';
import { toLinkedExchanges } from './branches.ts';
import type { Summary } from './conversationRows.ts';
import type { History } from './history.ts';
import type { Holder } from './leaseRows.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { type StorageTrouble, toStorageTrouble } from './sqlite.ts';

export interface ConversationStore {
  /** Newest first; without those in which nothing was asked. */
  list(): readonly Summary[];
  get(id: string): Conversation | undefined;
  /** The conversations in memory. */
  open(): readonly Conversation[];
  /** Puts a conversation in place of what it was. `exchangeId` names what changed, when it is one exchange. */
  put(conversation: Conversation, exchangeId?: string): void;
  /** The same while text of one of its turns arrives. */
  progress(conversation: Conversation, turn: Turn): void;
  /** Puts a copy of another conversation, whose cost is in the account already. */
  putCopy(conversation: Conversation): void;
  remove(id: string): void;
  restore(id: string): void;
  /** Takes a conversation in order to let a turn run in it. Otherwise tells who has it. */
  take(id: string): Holder | undefined;
  release(id: string): void;
  /** The other window in which a conversation runs. */
  holder(id: string): Holder | undefined;
  draft(id: string): string;
  putDraft(conversation: Conversation, draft: string): void;
  queue(id: string): readonly Question[];
  putQueue(id: string, queue: readonly Question[]): void;
  /** Counts what a turn cost that belongs to no conversation here. */
  putSpend(conversationId: string, turn: Turn): void;
  /** USD since a time in epoch milliseconds, over all conversations. */
  costSince(time: number): number;
  /** Looks whether another window has written. Returns the ids of the open conversations that are others now. */
  poll(): { readonly listed: boolean; readonly changed: readonly string[] };
  trouble(): StorageTrouble | undefined;
  /** Writes what is due, and forgets what runs: the next window finds it interrupted. */
  dispose(): void;
}

export interface ConversationStoreDeps {
  readonly history: History | undefined;
  prices(): Prices;
  /** What cannot be written waits, and `trouble` says why; undefined once it is written. */
  onTrouble(trouble: StorageTrouble | undefined, error?: unknown): void;
  /** The store did not do something, and the window goes on without. Told once for each reason until it works again. */
  onFailure(what: string, error: unknown): void;
}

/** Conversations that are kept in memory though nobody looks at them. */
const MOST_OPEN = 20;

export function createConversationStore(deps: ConversationStoreDeps): ConversationStore {
  const { history } = deps;
  /** In the order of their use, the latest last. */
  const memory = new Map<string, Conversation>();
  const removed = new Map<string, Conversation>();
  const drafts = new Map<string, string>();
  const revisions = new Map<string, number | undefined>();
  const running = new Set<string>();
  /** What was spent by turns that no conversation has and the store did not take. */
  const unwritten: Turn[] = [];
  /** Failures that were told. */
  const told = new Set<string>();
  const recorder: Recorder | undefined =
    history &&
    createRecorder({
      history,
      prices: deps.prices,
      get: (id) => memory.get(id),
      onTrouble(trouble, error) {
        if (trouble === undefined) told.clear();
        deps.onTrouble(trouble, error);
      },
    });
  let listed: readonly Summary[] | undefined;
  let version = history?.version();

  function keep(conversation: Conversation): void {
    memory.delete(conversation.id);
    memory.set(conversation.id, conversation);
    if (memory.size <= MOST_OPEN || history === undefined || recorder?.trouble() !== undefined) return;
    for (const [id, other] of memory) {
      if (memory.size <= MOST_OPEN) break;
      if (!running.has(id) && other.exchanges.length > 0) memory.delete(id);
    }
  }

  function save(conversation: Conversation, exchangeId: string | undefined): void {
    recorder?.save(conversation, exchangeId);
    revisions.set(conversation.id, revisionOf(conversation.id));
    listed = undefined;
  }

  /** Reading fails where writing does; the window goes on with what it has, and says so once. */
  function attempt<Result>(what: string, run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      const kind = `${what}: ${toStorageTrouble(error)}`;
      if (!told.has(kind)) deps.onFailure(what, error);
      told.add(kind);
      return undefined;
    }
  }

  const revisionOf = (id: string) =>
    attempt('looking for changes of other windows', () => history?.revision(id));

  function load(id: string): Conversation | undefined {
    const stored = attempt('reading a conversation', () => history?.load(id));
    if (stored === undefined) return undefined;
    revisions.set(id, revisionOf(id));
    const left = unended(stored);
    if (left.length === 0 || holderOf(id) !== undefined) return stored;
    const mended = withEnds(stored);
    for (const exchangeId of left) save(mended, exchangeId);
    return mended;
  }

  /** Another store stands in the place of the one that had them. */
  function saveOpen(): void {
    for (const conversation of memory.values()) {
      if (conversation.exchanges.length === 0) continue;
      recorder?.saveWhole(conversation);
      revisions.set(conversation.id, revisionOf(conversation.id));
    }
  }

  const holderOf = (id: string) =>
    attempt('looking for the window of a conversation', () => history?.holder(id));

  return {
    list() {
      listed ??= attempt('listing the conversations', () => history?.list()) ?? [];
      const known = new Set(listed.map(({ id }) => id));
      const unsaved = [...memory.values()].filter(
        ({ id, exchanges }) => exchanges.length > 0 && !known.has(id),
      );
      return unsaved.length === 0
        ? listed
        : [...unsaved.map(toSummary), ...listed].toSorted((a, b) => b.changedAt - a.changedAt);
    },
    get(id) {
      const known = memory.get(id);
      if (known !== undefined) return known;
      if (removed.has(id)) return undefined;
      const loaded = load(id);
      if (loaded !== undefined) keep(loaded);
      return loaded;
    },
    open: () => [...memory.values()],
    put(conversation, exchangeId) {
      keep(conversation);
      if (conversation.exchanges.length > 0) save(conversation, exchangeId);
    },
    progress(conversation, turn) {
      memory.set(conversation.id, conversation);
      recorder?.progress(conversation.id, turn);
    },
    putCopy(conversation) {
      keep(conversation);
      attempt('writing a copy', () => {
        history?.putHeader(conversation);
        for (const linked of toLinkedExchanges(conversation.exchanges, conversation.branches))
          history?.putExchange(conversation.id, linked, undefined);
        history?.putHead(conversation.id, conversation.exchanges.at(-1)?.id);
      });
      save(conversation, conversation.exchanges.at(-1)?.id);
    },
    remove(id) {
      const conversation = memory.get(id);
      if (conversation !== undefined) removed.set(id, conversation);
      memory.delete(id);
      attempt('deleting a conversation', () => history?.remove(id));
      listed = undefined;
    },
    restore(id) {
      const conversation = removed.get(id);
      removed.delete(id);
      attempt('restoring a conversation', () => history?.restore(id));
      // What ran when it was deleted was stopped by that.
      if (conversation !== undefined) keep(withEnds(conversation));
      listed = undefined;
    },
    take(id) {
      const taken = attempt('taking a conversation', () => history?.take(id) ?? true) ?? true;
      if (!taken) return holderOf(id) ?? { conversationId: id, place: '' };
      running.add(id);
      return undefined;
    },
    release(id) {
      running.delete(id);
      attempt('releasing a conversation', () => history?.release(id));
    },
    holder: holderOf,
    draft: (id) => drafts.get(id) ?? attempt('reading a draft', () => history?.draft(id)) ?? '',
    putDraft(conversation, draft) {
      drafts.set(conversation.id, draft);
      attempt('keeping a draft', () => {
        if (conversation.exchanges.length === 0) history?.putHeader(conversation);
        history?.putDraft(conversation.id, draft);
      });
    },
    queue: (id) => attempt('reading the waiting questions', () => history?.queue(id)) ?? [],
    putQueue: (id, queue) =>
      void attempt('keeping the waiting questions', () => history?.putQueue(id, queue)),
    putSpend(conversationId, turn) {
      const written = attempt('writing what a turn cost', () => {
        history?.putSpend(conversationId, turn, deps.prices());
        return history !== undefined;
      });
      if (written !== true) unwritten.push(turn);
    },
    costSince(time) {
      const prices = deps.prices();
      const sumOf = (turns: readonly Turn[]) =>
        turns
          .filter(({ startedAt, outcome }) => startedAt >= time && outcome !== undefined)
          .reduce((sum, turn) => sum + (costOf(turn, prices) ?? 0), 0);
      const stored = attempt('adding up what was spent', () => history?.costSince(time));
      if (stored !== undefined) return stored + sumOf(unwritten);
      // Those that were deleted were paid as well.
      const turns = [...memory.values(), ...removed.values()].flatMap(({ exchanges }) =>
        exchanges.flatMap(({ attempts }) => attempts),
      );
      return sumOf([...turns, ...unwritten]);
    },
    poll() {
      const now = attempt('looking for changes of other windows', () => history?.version());
      if (now === version) return { listed: false, changed: [] };
      const replaced = now?.split('/')[0] !== version?.split('/')[0];
      version = now;
      listed = undefined;
      if (replaced) saveOpen();
      const changed = [...memory.keys()].filter(
        (id) => !running.has(id) && revisions.has(id) && revisionOf(id) !== revisions.get(id),
      );
      for (const id of changed) {
        memory.delete(id);
        revisions.delete(id);
      }
      return { listed: true, changed };
    },
    trouble: () => recorder?.trouble(),
    dispose() {
      recorder?.dispose();
      for (const id of running) attempt('releasing a conversation', () => history?.release(id));
      attempt('closing the store', () => history?.close());
    },
  };
}

/** Ids of the exchanges in which a turn never ended. */
function unended({ exchanges, branches }: Conversation): readonly string[] {
  return [...exchanges, ...branches.flatMap((branch) => branch.exchanges)]
    .filter(({ attempts }) => attempts.some(({ outcome }) => outcome === undefined))
    .map(({ id }) => id);
}

/** Turns whose process is gone end where the last of them was seen: most often interrupted. */
function withEnds(conversation: Conversation): Conversation {
  const end = (turn: Turn): Turn =>
    foldTurn(turn, {
      at: turn.timings.lastLife,
      event: { type: 'ended', by: 'service', failure: undefined },
    });
  const mend = (exchange: Exchange): Exchange => ({ ...exchange, attempts: exchange.attempts.map(end) });
  return {
    ...conversation,
    exchanges: conversation.exchanges.map(mend),
    branches: conversation.branches.map((branch) => ({ ...branch, exchanges: branch.exchanges.map(mend) })),
  };
}

/** A row of the list for a conversation that is in memory only. */
function toSummary(conversation: Conversation): Summary {
  const turns = conversation.exchanges.flatMap(({ attempts }) => attempts);
  return {
    id: conversation.id,
    changedAt: turns.reduce((latest, { startedAt }) => Math.max(latest, startedAt), conversation.createdAt),
    title: conversation.title,
    pinned: conversation.pinned,
    workspace: conversation.workspace,
    routes: [...new Set(turns.map(({ request }) => request.routeName))],
    cost: 0,
    unreported: 0,
  };
}
