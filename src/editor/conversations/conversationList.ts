/** The conversations and their running turns. This is the only place that changes them. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import {
  createConversation,
  forkOf,
  titleWith,
  toForkTitle,
  withBranch,
  withExchange,
  withoutImage,
  withTurn,
} from '../../chat/edits.ts';
import type { TurnStep } from '../../chat/events.ts';
import type { Place } from '../../chat/place.ts';
import type { QueuedQuestion } from '../../chat/queue.ts';
import type { Conversation, Exchange, Question, Turn } from '../../chat/turn.ts';
import type { Unsent } from '../../chat/unsent.ts';
import type { Summary } from '../../history/conversationRows.ts';
import type { ConversationStore } from '../../history/conversationStore.ts';
import type { Holder } from '../../history/leaseRows.ts';
import type { AttemptOptions, ToolboxOf } from '../../turns/conversationRequest.ts';
import { refuse } from '../../turns/refusal.ts';
import type { Turns } from '../../turns/turns.ts';
import type { Log } from '../base/log.ts';
import type { LastConversation } from './lastConversation.ts';
import { createTurnRunner } from './turnRunner.ts';
import { type AskResult, createTurnStart } from './turnStart.ts';

export type ConversationChange =
  /** A conversation was created, deleted, renamed or pinned, here or in another window. */
  | { readonly type: 'listed' }
  /** Another conversation was opened. */
  | { readonly type: 'opened' }
  /** Any part of a conversation may have changed. */
  | { readonly type: 'replaced'; readonly conversationId: string }
  /** An exchange was added, or shows another attempt. */
  | { readonly type: 'exchange'; readonly conversationId: string; readonly exchange: Exchange }
  /** A turn changed. Fires for every delta, so listeners must be fast or throttled. */
  | ({ readonly type: 'turn'; readonly conversationId: string; readonly exchangeId: string } & TurnStep)
  /** The user has seen or dismissed the problem of a turn. */
  | { readonly type: 'seen'; readonly conversationId: string; readonly turnId: string };

export interface Found {
  readonly conversation: Conversation;
  readonly exchange: Exchange;
  readonly turn: Turn;
}

export interface Conversations extends vscode.Disposable {
  readonly onDidChange: vscode.Event<ConversationChange>;
  /** Summaries of all conversations, newest first. */
  list(): readonly Summary[];
  /** The conversations that were loaded in this window. */
  loaded(): readonly Conversation[];
  get(id: string): Conversation | undefined;
  /**
   * The conversation in the side bar. One is created if there is none. When another window deleted it, it stays,
   * without its exchanges, until the user restores it or opens another one.
   */
  current(): Conversation;
  create(): Conversation;
  /** Creates a conversation without opening it. */
  createAside(title: string): Conversation;
  open(id: string): void;
  /** Deletes a conversation. `restore` undoes this. */
  delete(id: string): void;
  restore(id: string): void;
  /** A deleted conversation that can be restored, without its exchanges. */
  deleted(id: string): Conversation | undefined;
  rename(id: string, title: string): void;
  pin(id: string, pinned: boolean): void;
  /** Opens a copy of a conversation, up to and including an exchange, or complete. */
  fork(id: string, exchangeId?: string): Conversation | undefined;
  /** Adds an exchange from another chat of the editor, which has ended already, and its cost. */
  append(id: string, exchange: Exchange): void;
  /** Adds an imported conversation, as a copy if any of its ids is known. One that is there already is not added. */
  addImported(conversation: Conversation): { readonly id: string; readonly isNew: boolean };
  find(turnId: string): Found | undefined;
  /** Asks a new question at the end of a conversation. */
  ask(conversationId: string, question: Question, options?: AttemptOptions): Promise<AskResult>;
  /**
   * Asks a question of the queue, with its context as it is now, and takes it from the queue in the moment in which it
   * becomes part of the conversation. Asks nothing when another window has taken it before.
   */
  askQueued(conversationId: string, queued: QueuedQuestion): Promise<AskResult>;
  /** Asks an edited question. The original exchange and all after it are kept as a branch. */
  askInstead(
    conversationId: string,
    exchangeId: string,
    question: Question,
    options?: AttemptOptions,
  ): Promise<AskResult>;
  /** Asks a question after an exchange, on whatever branch that is. Everything after it is kept as a branch. */
  askAfter(
    conversationId: string,
    exchangeId: string,
    question: Question,
    options?: AttemptOptions,
  ): Promise<AskResult>;
  /** Asks the question of a turn again, as another attempt in the same exchange. */
  askAgain(turnId: string, options?: AttemptOptions): Promise<AskResult>;
  showAttempt(conversationId: string, exchangeId: string, attempt: number): void;
  /** Keeps an image of a question, but doesn't send it anymore. */
  omitImage(conversationId: string, exchangeId: string, index: number): void;
  /** Shows the branch that starts with an exchange. */
  showBranch(conversationId: string, exchangeId: string): void;
  /** Stops the running turn. The text received so far is kept. */
  stop(conversationId: string): void;
  /** Stops one running tool call. The model gets this as the result, and the turn continues. */
  stopCall(conversationId: string, callId: string): void;
  isRunning(conversationId: string): boolean;
  /** The other window that runs a turn in a conversation. Meanwhile the conversation is read-only here. */
  holder(conversationId: string): Holder | undefined;
  draft(conversationId: string): string;
  putDraft(conversationId: string, draft: string): void;
  queue(conversationId: string): readonly QueuedQuestion[];
  enqueue(conversationId: string, question: Question): void;
  dequeue(conversationId: string, queuedId: string): void;
  clearQueue(conversationId: string): void;
  /** What is not sent yet, besides the text of the draft. */
  unsent(conversationId: string): Unsent;
  /** Keeps the parts that are given. */
  putUnsent(conversationId: string, parts: Partial<Unsent>): void;
  /** Sets which tools the turns of a conversation may call. Until then there are none. */
  useTools(toolboxOf: ToolboxOf): void;
  markSeen(turnId: string): void;
  isSeen(turnId: string): boolean;
}

export interface ConversationsDeps {
  readonly turns: Pick<Turns, 'prepare'>;
  readonly log: Log;
  readonly store: ConversationStore;
  /** The title of a conversation without a question. */
  readonly untitled: string;
  /** The name of the workspace, which is stored with new conversations. */
  readonly workspace: string | undefined;
  /** The conversation that was open before a reload. */
  readonly lastConversation: LastConversation;
}

const nameFork = (title: string, fork: number): string =>
  fork === 1 ? vscode.l10n.t('{0} (fork)', title) : vscode.l10n.t('{0} (fork {1})', title, fork);

/** How often changes of other windows are read, in milliseconds. */
const POLL_MS = 2000;

export function createConversations(deps: ConversationsDeps): Conversations {
  const { store, lastConversation } = deps;
  const changed = new vscode.EventEmitter<ConversationChange>();
  const seen = new Set<string>();
  let currentId = lastConversation.get() ?? '';
  let toolboxOf: ToolboxOf = () => undefined;

  const { get, latest } = store;
  const startEmpty = () => {
    const fresh = createConversation(randomUUID(), Date.now(), deps.untitled, deps.workspace);
    store.put(fresh);
    return fresh;
  };
  const unused = () => store.open().find(({ exchanges, named }) => exchanges.length === 0 && !named);

  function current(): Conversation {
    const known = get(currentId) ?? store.removed(currentId);
    if (known !== undefined) return known;
    const conversation = unused() ?? startEmpty();
    currentId = conversation.id;
    lastConversation.set(conversation.id);
    return conversation;
  }

  function makeCurrent(id: string): void {
    currentId = id;
    lastConversation.set(id);
    changed.fire({ type: 'opened' });
  }

  function find(turnId: string): Found | undefined {
    for (const conversation of store.open()) {
      for (const exchange of conversation.exchanges) {
        const turn = exchange.attempts.find(({ id }) => id === turnId);
        if (turn !== undefined) return { conversation, exchange, turn };
      }
    }
    return undefined;
  }

  function putExchange(conversationId: string, exchange: Exchange): void {
    const conversation = latest(conversationId);
    if (conversation === undefined) return;
    const title = titleWith(conversation, exchange, deps.untitled);
    store.put({ ...withExchange(conversation, exchange), title }, exchange.id);
    changed.fire({ type: 'exchange', conversationId, exchange });
    changed.fire({ type: 'listed' });
  }

  function putTurn(conversationId: string, exchangeId: string, step: TurnStep): void {
    const { turn } = step;
    // The end is written as it is, whatever another window wrote while this one didn't run.
    const conversation = turn.outcome === undefined ? get(conversationId) : latest(conversationId);
    if (conversation === undefined) {
      // It was deleted during the turn. The end is kept anyway, and its panels show that nothing runs anymore.
      if (turn.outcome === undefined) return;
      store.putEnd(conversationId, exchangeId, turn);
      changed.fire({ type: 'listed' });
      return;
    }
    const next = withTurn(conversation, exchangeId, turn);
    if (turn.outcome === undefined) store.progress(next, turn);
    else store.put(next, exchangeId);
    changed.fire({ type: 'turn', conversationId, exchangeId, ...step });
    if (turn.outcome !== undefined) changed.fire({ type: 'listed' });
  }

  function put(conversation: Conversation): void {
    store.put(conversation);
    changed.fire({ type: 'replaced', conversationId: conversation.id });
    changed.fire({ type: 'listed' });
  }

  const runner = createTurnRunner({ log: deps.log, store, onTurn: putTurn });
  const start = createTurnStart({
    turns: deps.turns,
    runner,
    store,
    poll,
    toolboxOf: (id) => toolboxOf(id),
    put,
    putExchange,
    replaced: (conversationId) => changed.fire({ type: 'replaced', conversationId }),
  });
  const begin = (conversationId: string, place: Place, question: Question, options: AttemptOptions) =>
    start({ conversationId, place, question, options });

  function poll(): void {
    const { listed, changed: others, removed, lost } = store.poll();
    // What has arrived of a stopped turn is kept, beside the turn of the other window.
    for (const conversationId of [...removed, ...lost]) runner.stop(conversationId);
    for (const conversationId of others) changed.fire({ type: 'replaced', conversationId });
    if (listed) changed.fire({ type: 'listed' });
  }

  const polling = setInterval(poll, POLL_MS);

  return {
    onDidChange: changed.event,
    list: store.list,
    loaded: store.open,
    get,
    current,
    create() {
      // An empty conversation is reused, so that there is at most one.
      const conversation = unused() ?? startEmpty();
      makeCurrent(conversation.id);
      return conversation;
    },
    createAside(title) {
      const fresh = createConversation(randomUUID(), Date.now(), title, deps.workspace);
      const conversation = { ...fresh, named: true };
      store.put(conversation);
      return conversation;
    },
    append: putExchange,
    open(id) {
      if (id !== currentId && get(id) !== undefined) makeCurrent(id);
    },
    delete(id) {
      runner.stop(id);
      const wasOpen = id === currentId;
      store.remove(id);
      if (wasOpen) {
        currentId = '';
        makeCurrent(current().id);
      }
      changed.fire({ type: 'replaced', conversationId: id });
      changed.fire({ type: 'listed' });
    },
    restore(id) {
      store.restore(id);
      changed.fire({ type: 'replaced', conversationId: id });
      changed.fire({ type: 'listed' });
    },
    deleted: store.removed,
    rename(id, title) {
      const conversation = latest(id);
      if (conversation !== undefined) put({ ...conversation, title, named: true });
    },
    pin(id, pinned) {
      const conversation = latest(id);
      if (conversation !== undefined) put({ ...conversation, pinned });
    },
    fork(id, exchangeId) {
      const conversation = get(id);
      if (conversation === undefined) return undefined;
      const taken = new Set(store.list().map((one) => one.title));
      const title = toForkTitle(conversation.title, taken, nameFork);
      const copy = forkOf(conversation, exchangeId, { createdAt: Date.now(), newId: randomUUID });
      const fork = { ...copy, title };
      store.putCopy(fork);
      changed.fire({ type: 'listed' });
      makeCurrent(fork.id);
      return fork;
    },
    addImported(conversation) {
      const imported = store.putImported(conversation, { createdAt: Date.now(), newId: randomUUID });
      changed.fire({ type: 'listed' });
      return imported;
    },
    find,
    ask: (conversationId, question, options = {}) =>
      begin(conversationId, { kind: 'end' }, question, options),
    askQueued: (conversationId, { id, question }) =>
      start({ conversationId, place: { kind: 'end' }, question, options: {}, queuedId: id }),
    askInstead: (conversationId, exchangeId, question, options = {}) =>
      begin(conversationId, { kind: 'instead', exchangeId }, question, options),
    askAfter: (conversationId, exchangeId, question, options = {}) =>
      begin(conversationId, { kind: 'after', exchangeId }, question, options),
    async askAgain(turnId, options = {}) {
      const found = find(turnId);
      if (found === undefined) return refuse({ kind: 'running' });
      const { conversation, exchange } = found;
      return begin(conversation.id, { kind: 'again', exchangeId: exchange.id }, exchange.question, options);
    },
    showAttempt(conversationId, exchangeId, attempt) {
      const exchange = latest(conversationId)?.exchanges.find(({ id }) => id === exchangeId);
      if (exchange?.attempts[attempt] === undefined) return;
      putExchange(conversationId, { ...exchange, shown: attempt });
    },
    omitImage(conversationId, exchangeId, index) {
      const conversation = latest(conversationId);
      const exchange =
        conversation &&
        withoutImage(conversation, exchangeId, index).exchanges.find(({ id }) => id === exchangeId);
      if (exchange !== undefined) putExchange(conversationId, exchange);
    },
    showBranch(conversationId, exchangeId) {
      const conversation = latest(conversationId);
      if (conversation !== undefined && !runner.isRunning(conversationId))
        put(withBranch(conversation, exchangeId));
    },
    stop: runner.stop,
    stopCall: runner.stopCall,
    isRunning: runner.isRunning,
    holder: store.holder,
    draft: store.draft,
    putDraft: store.putDraft,
    unsent: store.unsent,
    putUnsent: store.putUnsent,
    queue: store.queue,
    enqueue: (conversationId, question) => store.enqueue(conversationId, { id: randomUUID(), question }),
    dequeue: store.dequeue,
    clearQueue: store.clearQueue,
    useTools(next) {
      toolboxOf = next;
    },
    markSeen(turnId) {
      const found = find(turnId);
      if (found === undefined || seen.has(turnId)) return;
      seen.add(turnId);
      changed.fire({ type: 'seen', conversationId: found.conversation.id, turnId });
    },
    isSeen: (turnId) => seen.has(turnId),
    dispose() {
      clearInterval(polling);
      // Saved before the turns are stopped: a turn that ends with the window was interrupted, not stopped.
      store.dispose();
      runner.dispose();
      changed.dispose();
    },
  };
}
