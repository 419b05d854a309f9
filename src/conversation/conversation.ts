/** A conversation: its exchanges, and those that an edited question has replaced. */
import { type Question, withPreset } from './question.ts';
import { withoutContinuation } from './requestMessages/continuation.ts';
import type { Turn } from './turn.ts';

/** A question and all its attempts. The attempt that is shown is the one that later requests contain. */
export interface Exchange {
  readonly id: string;
  readonly question: Question;
  readonly attempts: readonly Turn[];
  /** Index into `attempts`. */
  readonly shown: number;
}

/** Exchanges that were replaced when an earlier question was edited. */
export interface Branch {
  /** The exchange before the branch. Undefined if the branch starts at the beginning of the conversation. */
  readonly after: string | undefined;
  readonly exchanges: readonly Exchange[];
}

export interface Conversation {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly title: string;
  /** The user entered the title. Otherwise, it is the first question. */
  readonly named: boolean;
  readonly pinned: boolean;
  /**
   * Where the conversation was started, as a label: the workspace's name and address. It belongs to the
   * conversation, not to a path.
   */
  readonly workspace: string | undefined;
  /** The conversation that this one was forked from. */
  readonly forkedFrom: string | undefined;
  /** The exchanges that are shown and sent. */
  readonly exchanges: readonly Exchange[];
  readonly branches: readonly Branch[];
}

/**
 * The question as it was asked for an attempt. Its lines may have changed since the first attempt, and the attempt may have a
 * preset of its own.
 */
export function askedQuestion({ question }: Pick<Exchange, 'question'>, { request }: Turn): Question {
  const { origin, more, preset } = request;
  const about = { ...(origin && { origin }), ...(more && { more }) };
  return withPreset(origin === undefined ? question : { ...question, ...about }, preset);
}

/**
 * The text of a question as an attempt sent it, without the reasoning that it continues from. An attempt with other lines than
 * the first one has sent these.
 */
export function sentText({ question: { text } }: Pick<Exchange, 'question'>, turn: Turn | undefined): string {
  const { origin, prompt } = turn?.request ?? {};
  return origin === undefined || prompt === undefined ? text : withoutContinuation(prompt, text);
}

/** The question of an exchange as the shown attempt asked it: about the lines where its code was then. */
export function shownQuestion(exchange: Exchange): Question {
  const turn = shownTurn(exchange);
  return turn === undefined ? exchange.question : askedQuestion(exchange, turn);
}

/** The turn of an exchange that is shown. Undefined if the exchange has no turn yet. */
export function shownTurn(exchange: Exchange): Turn | undefined {
  return exchange.attempts[exchange.shown];
}

/** The number of the shown attempt of a stored exchange, limited to those that it has: the shown one may have been lost. */
export const limitShown = (shown: number, { length }: readonly Turn[]): number =>
  Math.max(0, Math.min(Math.trunc(shown) || 0, length - 1));

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
