/**
 * The parts of an answer that was cut off and continued. The message of the last part shows the text of all parts, and each turn has
 * the reasoning of its own part.
 */

import { toStepTexts } from '../../panel/reasoningSteps.ts';
import type { ExchangeView, TurnText, TurnView } from '../../panel/views.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import type { CitedStep } from '../../panel/why.ts';

export interface AnswerPart {
  readonly exchangeId: string;
  readonly turn: TurnView & TurnText;
}

export interface AnswerParts {
  /** The parts that are on the page, in order; most answers have one. */
  readonly parts: readonly AnswerPart[];
  /** The message that requests parts of the answer that are not on the page; undefined if none is missing. */
  readonly missing: Extract<WebviewMessage, { type: 'show-earlier' | 'show-later' }> | undefined;
}

/** The parts of the answer that a message shows, completely or in part; undefined if it has none. */
export function answerPartsOf(
  exchanges: readonly ExchangeView[],
  exchangeId: string,
): AnswerParts | undefined {
  const from = exchanges.findIndex(({ id }) => id === exchangeId);
  const own = exchanges[from]?.turn;
  if (own === undefined) return undefined;
  const after = exchanges.slice(from + 1).findLast(({ turn }) => turn?.earlierParts.includes(own.id));
  const whole = after?.turn ?? own;
  const ids = new Set([...whole.earlierParts, whole.id]);
  const parts = exchanges.flatMap(({ id, turn }) =>
    turn !== undefined && ids.has(turn.id) ? [{ exchangeId: id, turn }] : [],
  );
  if (parts.length < ids.size) return { parts, missing: { type: 'show-earlier' } };
  const isOpen = whole.continued && exchanges.at(-1)?.turn?.id === whole.id;
  return { parts, missing: isOpen ? { type: 'show-later' } : undefined };
}

/** A step of the reasoning, with the exchange of its message. */
export interface PlacedStep extends Omit<CitedStep, 'strength'> {
  readonly exchangeId: string;
  readonly text: string;
}

/** The steps of all parts, in order. */
export function placedStepsOf(parts: readonly AnswerPart[]): readonly PlacedStep[] {
  return parts.flatMap(({ exchangeId, turn }) =>
    toStepTexts(turn.reasoning).map((text, step) => ({ exchangeId, turnId: turn.id, step, text })),
  );
}

export const turnIdsOf = (parts: readonly AnswerPart[]) => parts.map(({ turn }) => turn.id);

export const haveReasoning = (parts: readonly AnswerPart[]) =>
  parts.some(({ turn }) => turn.reasoning !== '');
