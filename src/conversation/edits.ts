/** Changes to a conversation. They are pure: each returns a new conversation. None deletes anything. */

import { allExchanges } from './allExchanges.ts';
import { type Branch, type Conversation, type Exchange, shownTurn } from './conversation.ts';
import { shorten } from './cutText.ts';
import type { Question } from './question.ts';
import { withTurnIds } from './requestMessages/omissions.ts';
import { firstLineOf } from './shownQuestion.ts';
import type { Turn } from './turn.ts';

/** An empty conversation. `createdAt` is in epoch milliseconds. */
export function createConversation(
  id: string,
  createdAt: number,
  title: string,
  workspace: string | undefined,
): Conversation {
  return {
    id,
    createdAt,
    title,
    named: false,
    pinned: false,
    workspace,
    forkedFrom: undefined,
    exchanges: [],
    branches: [],
  };
}

/** Replaces the exchange with the same id, or adds the exchange at the end. */
export function withExchange(conversation: Conversation, exchange: Exchange): Conversation {
  const at = conversation.exchanges.findIndex(({ id }) => id === exchange.id);
  return {
    ...conversation,
    exchanges: at === -1 ? [...conversation.exchanges, exchange] : conversation.exchanges.with(at, exchange),
  };
}

/** Replaces the turn with the same id. */
export function withTurn(conversation: Conversation, exchangeId: string, turn: Turn): Conversation {
  const replace = (exchange: Exchange): Exchange =>
    exchange.id !== exchangeId
      ? exchange
      : { ...exchange, attempts: exchange.attempts.map((other) => (other.id === turn.id ? turn : other)) };
  if (conversation.exchanges.some(({ id }) => id === exchangeId))
    return { ...conversation, exchanges: conversation.exchanges.map(replace) };
  return {
    ...conversation,
    branches: conversation.branches.map((branch) => ({
      ...branch,
      exchanges: branch.exchanges.map(replace),
    })),
  };
}

/** The turn as if no route had been chosen for it. */
export function withoutChosenRoute(turn: Turn): Turn {
  const { chosen, ...request } = turn.request;
  const { route, ...others } = chosen ?? {};
  const isEmpty = Object.keys(others).length === 0;
  return { ...turn, request: isEmpty ? request : { ...request, chosen: others } };
}

/** Moves an exchange and everything after it to a branch, so that its question can be edited. */
export function withoutTail(conversation: Conversation, exchangeId: string): Conversation {
  const at = conversation.exchanges.findIndex(({ id }) => id === exchangeId);
  if (at === -1) return conversation;
  const aside: Branch = {
    after: conversation.exchanges[at - 1]?.id,
    exchanges: conversation.exchanges.slice(at),
  };
  return {
    ...conversation,
    exchanges: conversation.exchanges.slice(0, at),
    branches: [...conversation.branches, aside],
  };
}

/**
 * The first exchanges of all branches that start after the same exchange, including the one that is shown, in
 * the order in which they were started.
 */
export function versionsOf(conversation: Conversation, exchangeId: string): readonly Exchange[] {
  const at = conversation.exchanges.findIndex(({ id }) => id === exchangeId);
  const shown = conversation.exchanges[at];
  if (shown === undefined) return [];
  const after = conversation.exchanges[at - 1]?.id;
  const others = conversation.branches.flatMap((branch) => {
    const first = branch.exchanges[0];
    // What is shown first can be a branch whose parent was lost, too.
    const follows = at === 0 ? parentOf(conversation, branch) === undefined : branch.after === after;
    return follows && first !== undefined ? [first] : [];
  });
  return [...others, shown].toSorted((a, b) => begunAt(a) - begunAt(b));
}

/** The exchange that a branch starts after. If it was lost, as in a damaged database, the branch starts at the beginning. */
const parentOf = (conversation: Conversation, { after }: Branch): string | undefined =>
  allExchanges(conversation).some(({ id }) => id === after) ? after : undefined;

function begunAt(exchange: Exchange): number {
  return exchange.attempts[0]?.startedAt ?? Number.POSITIVE_INFINITY;
}

/**
 * Shows the branch that starts with an exchange, in place of the one that is shown, and the way to it: a branch can start
 * on another one.
 */
export const withBranch = (conversation: Conversation, exchangeId: string): Conversation =>
  showBranch(conversation, exchangeId, conversation);

/** @param whole the conversation with the branches that are on the way already */
function showBranch(conversation: Conversation, exchangeId: string, whole: Conversation): Conversation {
  const branch = conversation.branches.find(({ exchanges }) => exchanges[0]?.id === exchangeId);
  if (branch === undefined) return conversation;
  const after = parentOf(whole, branch);
  // Without this one, so that the way to it isn't looked for in it: an import can have branches that lead to themselves.
  const others = { ...conversation, branches: conversation.branches.filter((other) => other !== branch) };
  const base = after === undefined ? others : withShown(others, after, whole);
  const at = after === undefined ? 0 : base.exchanges.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && at === 0) return conversation;
  const tail = base.exchanges.slice(at);
  return {
    ...base,
    exchanges: [...base.exchanges.slice(0, at), ...branch.exchanges],
    branches: tail.length === 0 ? base.branches : [...base.branches, { after, exchanges: tail }],
  };
}

/** Shows the way to an exchange. What is shown instead so far is kept as a branch. */
function withShown(conversation: Conversation, exchangeId: string, whole = conversation): Conversation {
  if (conversation.exchanges.some(({ id }) => id === exchangeId)) return conversation;
  const branch = conversation.branches.find(({ exchanges }) => exchanges.some(({ id }) => id === exchangeId));
  const first = branch?.exchanges[0];
  return first === undefined ? conversation : showBranch(conversation, first.id, whole);
}

/**
 * The conversation up to and including an exchange, on whatever branch it is, so that another question can follow it.
 * Everything else is kept as branches.
 */
export function withEnd(conversation: Conversation, exchangeId: string): Conversation {
  const shown = withShown(conversation, exchangeId);
  const at = shown.exchanges.findIndex(({ id }) => id === exchangeId);
  const next = at === -1 ? undefined : shown.exchanges[at + 1];
  return next === undefined ? shown : withoutTail(shown, next.id);
}

/**
 * A copy with new ids, up to and including an exchange, or of everything that is shown. Other branches are
 * not copied.
 */
export function forkOf(
  conversation: Conversation,
  upTo: string | undefined,
  { createdAt, newId }: { readonly createdAt: number; newId(): string },
): Conversation {
  // The exchange can be on a branch by now, if another window has edited a question.
  const kept = (upTo === undefined ? conversation : withEnd(conversation, upTo)).exchanges;
  // A continued turn and the question that continues it get the same new id.
  const turnIds = new Map<string, string>();
  const idOf = (turnId: string) => {
    const id = turnIds.get(turnId) ?? newId();
    turnIds.set(turnId, id);
    return id;
  };
  return {
    ...conversation,
    id: newId(),
    createdAt,
    pinned: false,
    forkedFrom: conversation.id,
    exchanges: kept.flatMap((exchange) => {
      const ended = exchange.attempts.filter(({ outcome }) => outcome !== undefined);
      if (ended.length === 0) return [];
      const { question } = exchange;
      const { continues } = question;
      const at = ended.findIndex(({ id }) => id === exchange.attempts[exchange.shown]?.id);
      return {
        ...exchange,
        id: newId(),
        question: continues === undefined ? question : { ...question, continues: idOf(continues) },
        attempts: ended.map((turn) => ({ ...withTurnIds(turn, idOf), id: idOf(turn.id) })),
        shown: at === -1 ? ended.length - 1 : at,
      };
    }),
    branches: [],
  };
}

/**
 * The title of a conversation to which an exchange is added: that of its first question, or of a later one while no
 * question was answered.
 */
export function titleWith(
  { named, title, exchanges }: Conversation,
  { id, question }: Exchange,
  untitled: string,
): string {
  const isNew = exchanges.every((exchange) => exchange.id !== id);
  // Nobody wrote the question that continues an answer.
  const isWritten = question.continues === undefined;
  return !named && isNew && isWritten && exchanges.every(isUnanswered)
    ? toConversationTitle(question, untitled)
    : title;
}

function isUnanswered(exchange: Exchange): boolean {
  const turn = shownTurn(exchange);
  return turn === undefined || turn.outcome === 'failed';
}

/** The end of the title of a fork in English. */
const FORK = / \(fork(?: \d{1,4})?\)$/;
const LAST_NUMBER = /(\d{1,4})\D*$/;

/**
 * The title of a fork, with a number if another one has it.
 *
 * @param name the title of the fork with a number from 1, in the display language
 */
export function toForkTitle(
  title: string,
  taken: ReadonlySet<string>,
  name: (title: string, fork: number) => string,
): string {
  const number = Number(LAST_NUMBER.exec(title)?.[1] ?? 1);
  const end = [name('', 1), name('', number)].find((one) => title.endsWith(one)) ?? '';
  const original = title.slice(0, title.length - end.length).replace(FORK, '');
  let fork = 1;
  while (taken.has(name(original, fork))) fork++;
  return name(original, fork);
}

const MAX_TITLE_LENGTH = 60;

/** The first line of a question, as the title of a conversation. */
export function toConversationTitle(question: Question, untitled: string): string {
  const line = firstLineOf(question);
  if (line === '') return question.images[0]?.name ?? question.context?.[0]?.label ?? untitled;
  return shorten(line, MAX_TITLE_LENGTH);
}
