/**
 * The text of turns on its way to one page: how much of it the page has, and what was appended since. Appended text is
 * passed on as it came; nothing here reads an answer that is shown as it is.
 */
import type { TurnStep } from '../../chat/events.ts';
import { BETWEEN_ROUNDS } from '../../chat/rounds.ts';
import { type Exchange, type Question, shownTurn, type Turn } from '../../chat/turn.ts';
import type { TurnText } from '../../panel/views.ts';

/**
 * What a step of a turn means for the page. `absent`: the turn is not on the page. `taken`: what it appended, if
 * anything, waits. `other`: the shown text changed in a way that appending cannot say, so the page needs a snapshot.
 */
export type Taken = 'absent' | 'taken' | 'other';

export interface OutgoingText {
  /** An exchange goes to the page whole: the page has the text of its shown turn. */
  sent(exchange: Exchange): void;
  /** Takes what a step appended. */
  take(exchange: Exchange | undefined, step: TurnStep): Taken;
  /** The text of a turn that waits, which the page has from then on; undefined when there is none. */
  drain(turnId: string): TurnText | undefined;
  /** Whether a turn is on the page. */
  has(turnId: string): boolean;
  /** The page is emptied: a snapshot follows. */
  clear(): void;
}

export interface OutgoingTextDeps {
  /** The answer of a turn as it is shown. */
  shown(question: Question, turn: Turn): string;
  /** What appended text adds to the shown answer; undefined when only the whole answer says that. */
  shownAppended(question: Question, before: string, appended: string): string | undefined;
}

/** A turn on the page. Lengths are in UTF-16 units. */
interface OnPage {
  readonly turnId: string;
  /** Of the reasoning of all rounds, and of the answer as it came: what the page has and what waits. */
  reasoning: number;
  answer: number;
  /** Of the shown answer that the page has. */
  shown: number;
  waiting: { reasoning: string; answer: string };
  /** The latest state of a turn whose shown answer is made from the whole; undefined when nothing of it waits. */
  derived: { readonly question: Question; readonly turn: Turn } | undefined;
  ended: boolean;
}

const NOTHING: TurnText = { reasoning: '', answer: '' };

export function createOutgoingText({ shown, shownAppended }: OutgoingTextDeps): OutgoingText {
  /** By the id of the exchange: one of its attempts is shown. */
  const onPage = new Map<string, OnPage>();

  function find(turnId: string): OnPage | undefined {
    for (const page of onPage.values()) if (page.turnId === turnId) return page;
    return undefined;
  }

  /** At its end, an answer in a form may turn out to be something else, which is shown as it came. */
  function isOther({ question }: Exchange, { before, turn }: TurnStep): boolean {
    if (turn.outcome === undefined) return false;
    if (question.purpose === undefined && question.format === undefined) return false;
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
      // The page got the turn whole in between, with what this step appended.
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

/** What a step appended to the reasoning of all rounds, which is one text, and to the answer. */
function toAllReasoning({ before, turn, appended = NOTHING }: TurnStep): TurnText {
  if (turn.rounds.length === 0) return appended;
  const begins =
    appended.reasoning !== '' &&
    before.reasoning === '' &&
    turn.rounds.some(({ reasoning }) => reasoning !== '');
  return begins ? { ...appended, reasoning: BETWEEN_ROUNDS + appended.reasoning } : appended;
}

/** The length of the reasoning of all rounds as one text, without making it. */
function reasoningLength({ rounds, reasoning }: Turn): number {
  if (rounds.length === 0) return reasoning.length;
  const lengths = [...rounds.map((round) => round.reasoning.length), reasoning.length].filter(
    (length) => length > 0,
  );
  return lengths.reduce(
    (sum, length) => sum + length,
    Math.max(0, lengths.length - 1) * BETWEEN_ROUNDS.length,
  );
}

/** Without a first half of a surrogate pair at the end: it is passed on with the other half. */
function withoutHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
