/** The conversations, and the turns that run in them: the one stateful object, and the owner of the truth. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { createTurn, foldTurn } from '../chat/fold.ts';
import { runTurn } from '../chat/run.ts';
import { exchangesBefore } from '../chat/transcript.ts';
import type { Conversation, Exchange, Question, Turn } from '../chat/turn.ts';
import { shownTurn } from '../chat/turn.ts';
import { describeTurn, type Log } from './log.ts';
import {
  type AttemptOptions,
  type PreparationDeps,
  type Prepared,
  prepare,
  type Refusal,
  refuse,
} from './preparation.ts';

export type Asked =
  | { readonly ok: true; readonly turnId: string }
  | { readonly ok: false; readonly refusal: Refusal };

export type ConversationChange =
  /** A conversation was created, deleted or renamed. */
  | { readonly type: 'listed' }
  /** Another conversation is the open one. */
  | { readonly type: 'opened' }
  /** An exchange is new, or shows another attempt. */
  | { readonly type: 'exchange'; readonly conversationId: string; readonly exchange: Exchange }
  /** Something happened to a turn. Fires for every delta: listeners are quick, or wait. */
  | {
      readonly type: 'turn';
      readonly conversationId: string;
      readonly exchangeId: string;
      readonly turn: Turn;
      readonly before: Turn;
    }
  /** The reader has seen, or dismissed, the problem of a turn. */
  | { readonly type: 'seen'; readonly conversationId: string; readonly turnId: string };

export interface Found {
  readonly conversation: Conversation;
  readonly exchange: Exchange;
  readonly turn: Turn;
}

export interface Conversations extends vscode.Disposable {
  readonly onDidChange: vscode.Event<ConversationChange>;
  all(): readonly Conversation[];
  get(id: string): Conversation | undefined;
  /** The conversation that the side bar shows; there always is one. */
  current(): Conversation;
  create(): Conversation;
  open(id: string): void;
  delete(id: string): void;
  rename(id: string, title: string): void;
  find(turnId: string): Found | undefined;
  /** Asks a new question at the end of a conversation. */
  ask(conversationId: string, question: Question, options?: AttemptOptions): Promise<Asked>;
  /** Answers the question of a turn once more, as another attempt of the same exchange. */
  askAgain(turnId: string, options?: AttemptOptions): Promise<Asked>;
  showAttempt(conversationId: string, exchangeId: string, attempt: number): void;
  /** Stops what runs in a conversation; what had arrived stays. */
  stop(conversationId: string): void;
  isRunning(conversationId: string): boolean;
  markSeen(turnId: string): void;
  isSeen(turnId: string): boolean;
}

export interface ConversationsDeps extends PreparationDeps {
  readonly log: Log;
  /** Title of a conversation in which nothing was asked yet. */
  readonly untitled: string;
}

export function createConversations(deps: ConversationsDeps): Conversations {
  const changed = new vscode.EventEmitter<ConversationChange>();
  const seen = new Set<string>();
  const running = new Map<string, AbortController>();
  let conversations: readonly Conversation[] = [emptyConversation(deps.untitled)];
  let currentId = conversations[0]?.id ?? '';

  const get = (id: string) => conversations.find((conversation) => conversation.id === id);
  const replace = (next: Conversation) => {
    conversations = conversations.map((conversation) => (conversation.id === next.id ? next : conversation));
  };

  function find(turnId: string): Found | undefined {
    for (const conversation of conversations) {
      for (const exchange of conversation.exchanges) {
        const turn = exchange.attempts.find(({ id }) => id === turnId);
        if (turn !== undefined) return { conversation, exchange, turn };
      }
    }
    return undefined;
  }

  function putExchange(conversationId: string, exchange: Exchange): void {
    const conversation = get(conversationId);
    if (conversation === undefined) return;
    const known = conversation.exchanges.some(({ id }) => id === exchange.id);
    const exchanges = known
      ? conversation.exchanges.map((other) => (other.id === exchange.id ? exchange : other))
      : [...conversation.exchanges, exchange];
    const titled = conversation.exchanges.length === 0 && conversation.title === deps.untitled;
    replace({
      ...conversation,
      exchanges,
      title: titled ? toTitle(exchange.question, deps.untitled) : conversation.title,
    });
    changed.fire({ type: 'exchange', conversationId, exchange });
    if (titled) changed.fire({ type: 'listed' });
  }

  function putTurn(conversationId: string, exchangeId: string, turn: Turn, before: Turn): void {
    const conversation = get(conversationId);
    const exchange = conversation?.exchanges.find(({ id }) => id === exchangeId);
    if (conversation === undefined || exchange === undefined) return;
    const attempts = exchange.attempts.map((other) => (other.id === turn.id ? turn : other));
    const next = { ...exchange, attempts };
    replace({
      ...conversation,
      exchanges: conversation.exchanges.map((other) => (other.id === exchangeId ? next : other)),
    });
    changed.fire({ type: 'turn', conversationId, exchangeId, turn, before });
  }

  /** Begins an attempt. Everything that can refuse does so before the exchange is touched. */
  async function begin(
    conversationId: string,
    known: Exchange | undefined,
    question: Question,
    options: AttemptOptions,
  ): Promise<Asked> {
    if (running.has(conversationId)) return refuse({ kind: 'running' });
    const controller = new AbortController();
    running.set(conversationId, controller);
    const prepared = await prepare(deps, get(conversationId), known, question, options).catch(
      (error: unknown) =>
        refuse({ kind: 'transport', message: error instanceof Error ? error.message : String(error) }),
    );
    if (!prepared.ok) {
      running.delete(conversationId);
      return prepared;
    }
    const turn = createTurn(randomUUID(), Date.now(), prepared.facts);
    const attempts = [...(known?.attempts ?? []), turn];
    const exchange: Exchange = {
      id: known?.id ?? randomUUID(),
      question,
      attempts,
      shown: attempts.length - 1,
    };
    putExchange(conversationId, exchange);
    void run(conversationId, exchange.id, turn, prepared, controller);
    return { ok: true, turnId: turn.id };
  }

  async function run(
    conversationId: string,
    exchangeId: string,
    begun: Turn,
    prepared: Prepared,
    controller: AbortController,
  ): Promise<void> {
    let turn = begun;
    const deps_ = { client: prepared.client, now: () => performance.now() };
    for await (const event of runTurn(deps_, prepared.request, controller.signal)) {
      const before = turn;
      turn = foldTurn(turn, event);
      if (turn.outcome !== undefined) running.delete(conversationId);
      putTurn(conversationId, exchangeId, turn, before);
    }
    deps.log.info(describeTurn(turn));
  }

  return {
    onDidChange: changed.event,
    all: () => conversations,
    get,
    current: () => get(currentId) ?? conversations[0] ?? emptyConversation(deps.untitled),
    create() {
      // An empty one is used again: pressing "new" twice makes no litter.
      const unused = conversations.find(({ exchanges }) => exchanges.length === 0);
      const conversation = unused ?? emptyConversation(deps.untitled);
      if (unused === undefined) conversations = [conversation, ...conversations];
      currentId = conversation.id;
      changed.fire({ type: 'listed' });
      changed.fire({ type: 'opened' });
      return conversation;
    },
    open(id) {
      if (get(id) === undefined || id === currentId) return;
      currentId = id;
      changed.fire({ type: 'opened' });
    },
    delete(id) {
      running.get(id)?.abort();
      conversations = conversations.filter((conversation) => conversation.id !== id);
      if (conversations.length === 0) conversations = [emptyConversation(deps.untitled)];
      if (id === currentId) currentId = conversations[0]?.id ?? '';
      changed.fire({ type: 'listed' });
      changed.fire({ type: 'opened' });
    },
    rename(id, title) {
      const conversation = get(id);
      if (conversation === undefined) return;
      replace({ ...conversation, title });
      changed.fire({ type: 'listed' });
    },
    find,
    ask: (conversationId, question, options = {}) => begin(conversationId, undefined, question, options),
    async askAgain(turnId, options = {}) {
      const found = find(turnId);
      if (found === undefined) return refuse({ kind: 'running' });
      return begin(found.conversation.id, found.exchange, found.exchange.question, options);
    },
    showAttempt(conversationId, exchangeId, attempt) {
      const exchange = get(conversationId)?.exchanges.find(({ id }) => id === exchangeId);
      if (exchange?.attempts[attempt] === undefined) return;
      putExchange(conversationId, { ...exchange, shown: attempt });
    },
    stop: (conversationId) => running.get(conversationId)?.abort(),
    isRunning: (conversationId) => running.has(conversationId),
    markSeen(turnId) {
      const found = find(turnId);
      if (found === undefined || seen.has(turnId)) return;
      seen.add(turnId);
      changed.fire({ type: 'seen', conversationId: found.conversation.id, turnId });
    },
    isSeen: (turnId) => seen.has(turnId),
    dispose() {
      for (const controller of running.values()) controller.abort();
      changed.dispose();
    },
  };
}

function emptyConversation(title: string): Conversation {
  return { id: randomUUID(), createdAt: Date.now(), title, exchanges: [] };
}

const LONGEST_TITLE = 60;

/** The first line of the first question. */
function toTitle(question: Question, untitled: string): string {
  const line = question.text.trim().split('\n', 1)[0]?.trim() ?? '';
  if (line === '') return question.images[0]?.name ?? untitled;
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…`;
}

/** The answered turn before an exchange, against whose cache the next one is measured. */
export function turnBefore(conversation: Conversation, exchangeId: string): Turn | undefined {
  return exchangesBefore(conversation, exchangeId)
    .map(shownTurn)
    .findLast((turn) => turn?.usage !== undefined);
}
