/**
 * Tracks the text of turns that is sent to one page: how much of it the page has, and what was appended since. Appended
 * text is passed on unchanged. An answer that is shown as it was received is never read as a whole.
 */

import { type Exchange, shownTurn } from '../../conversation/conversation.ts';
import type { TurnStep } from '../../conversation/events.ts';
import type { Question } from '../../conversation/question.ts';
import { ROUND_SEPARATOR } from '../../conversation/rounds.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { TurnText } from '../../panel/views.ts';
import { withoutHalf } from '../../text/surrogates.ts';

/**
 * What to do about a step of a turn. `absent`: the turn is not on the page. `taken`: the appended text, if any, is
 * buffered. `other`: the shown text changed in another way than by appending, so the page needs a snapshot.
 */
export type Taken = 'absent' | 'taken' | 'other';

export interface OutgoingText {
  /** Records that a complete exchange is sent: the page then has all the text of its shown turn. */
  sent(exchange: Exchange): void;
  /** Buffers the text that a step appended. */
  take(exchange: Exchange | undefined, step: TurnStep): Taken;
  /** Returns the buffered text of a turn, which then counts as sent; undefined when there is none. */
  drain(turnId: string): TurnText | undefined;
  /** Whether a turn is on the page. */
  has(turnId: string): boolean;
  /** Forgets all turns, because a snapshot follows. */
  clear(): void;
}

export interface OutgoingTextDeps {
  /** The text that the panel shows for the answer of a turn. */
  shown(question: Question, turn: Turn): string;
  /** What appended text adds to the shown answer; undefined when the complete answer is needed to tell. */
  shownAppended(question: Question, before: string, appended: string): string | undefined;
}

/** A turn on the page. Lengths are in UTF-16 units. */
interface OnPage {
  readonly turnId: string;
  /** Length of the reasoning of all rounds and of the received answer, sent and buffered. */
  reasoning: number;
  answer: number;
  /** Length of the shown answer that was sent. */
  shown: number;
  waiting: { reasoning: string; answer: string };
  /**
   * The latest state of a turn whose shown answer is derived from the complete answer; undefined when nothing is
   * buffered.
   */
  derived: { readonly question: Question; readonly turn: Turn } | undefined;
  ended: boolean;
}

const NOTHING: TurnText = { reasoning: '', answer: '' };

export function createOutgoingText({ shown, shownAppended }: OutgoingTextDeps): OutgoingText {
  /** By exchange id. Only one attempt of an exchange is shown. */
  const onPage = new Map<string, OnPage>();

  function find(turnId: string): OnPage | undefined {
    for (const page of onPage.values()) if (page.turnId === turnId) return page;
    return undefined;
  }

  /**
   * Whether the shown answer no longer begins with the text that was shown before. That can happen at the end of an answer
   * in a format, which is shown unchanged if it doesn't have that format, and of an answer that doesn't continue its
   * earlier parts.
   */
  function isOther({ question }: Exchange, { before, turn }: TurnStep): boolean {
    if (turn.outcome === undefined) return false;
    const { purpose, format, continues } = question;
    if (purpose === undefined && format === undefined && continues === undefined) return false;
    return !shown(question, turn).startsWith(shown(question, before));
  }

  function append(page: OnPage, { question }: Exchange, { before, turn }: TurnStep, text: TurnText): void {
    page.waiting.reasoning += text.reasoning;
    page.reasoning += text.reasoning.length;
    page.answer += text.answer.length;
    page.ended = turn.outcome !== undefined;
    const answer = shownAppended(question, before.answer, text.answer);
    if (answer === undefined) page.derived = { question, turn };
    else page.waiting.answer += answer;
  }

  return {
    sent(exchange) {
      const turn = shownTurn(exchange);
      if (turn === undefined) onPage.delete(exchange.id);
      else
        onPage.set(exchange.id, {
          turnId: turn.id,
          reasoning: reasoningLength(turn),
          answer: turn.answer.length,
          shown: shown(exchange.question, turn).length,
          waiting: { ...NOTHING },
          derived: undefined,
          ended: turn.outcome !== undefined,
        });
    },
    take(exchange, step) {
      const page = exchange && onPage.get(exchange.id);
      if (exchange === undefined || page?.turnId !== step.turn.id) return 'absent';
      const { reasoning, answer } = {
        reasoning: reasoningLength(step.turn),
        answer: step.turn.answer.length,
      };
      const text = toAllReasoning(step);
      const fits =
        page.reasoning + text.reasoning.length === reasoning && page.answer + text.answer.length === answer;
      // The page has received the complete turn in between, including what this step appended.
      const known = page.reasoning === reasoning && page.answer === answer;
      if ((!fits && !known) || isOther(exchange, step)) return 'other';
      append(page, exchange, step, fits ? text : NOTHING);
      return 'taken';
    },
    drain(turnId) {
      const page = find(turnId);
      if (page === undefined) return undefined;
      const { waiting, derived } = page;
      const answer = derived ? shown(derived.question, derived.turn).slice(page.shown) : waiting.answer;
      const now = page.ended
        ? { reasoning: waiting.reasoning, answer }
        : { reasoning: withoutHalf(waiting.reasoning), answer: withoutHalf(answer) };
      waiting.reasoning = waiting.reasoning.slice(now.reasoning.length);
      waiting.answer = derived ? '' : answer.slice(now.answer.length);
      page.derived = undefined;
      page.shown += now.answer.length;
      return now.reasoning === '' && now.answer === '' ? undefined : now;
    },
    has: (turnId) => find(turnId) !== undefined,
    clear: () => onPage.clear(),
  };
}

/** The text that a step appended to the reasoning of all rounds, which is shown as one text, and to the answer. */
function toAllReasoning({ before, turn, appended = NOTHING }: TurnStep): TurnText {
  if (turn.rounds.length === 0) return appended;
  const begins =
    appended.reasoning !== '' &&
    before.reasoning === '' &&
    turn.rounds.some(({ reasoning }) => reasoning !== '');
  return begins ? { ...appended, reasoning: ROUND_SEPARATOR + appended.reasoning } : appended;
}

/** The length of the reasoning of all rounds joined, without building the string. */
function reasoningLength({ rounds, reasoning }: Turn): number {
  if (rounds.length === 0) return reasoning.length;
  const lengths = [...rounds.map((round) => round.reasoning.length), reasoning.length].filter(
    (length) => length > 0,
  );
  return lengths.reduce(
    (sum, length) => sum + length,
    Math.max(0, lengths.length - 1) * ROUND_SEPARATOR.length,
  );
}
