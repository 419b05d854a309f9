/** Finds the choice of a response that is the answer. K3 asks for one choice (`n` is never sent), but a service can send several. */
import { decodeChunk } from './decodeChunk.ts';
import { asArray, asCount, asObject, asString, type JsonObject } from './json.ts';
import type { Chunk, Usage } from './types.ts';

/**
 * What the events so far have shown about the choices of a response. The number of a choice is its `index`. Text is reasoning,
 * answer text, or tool calls (see `bringsText`).
 */
export interface SeenChoices {
  /** The number of the first choice with text. */
  readonly first: number | undefined;
  /** The highest number so far. */
  readonly top: number | undefined;
  /** The first choice with text had no number, because some services leave out a 0. */
  readonly isUnnumbered: boolean;
  /** Text came without a number, although the number of the first choice isn't 0. */
  readonly isMissing: boolean;
  /** Text came with another number than that of the first choice. */
  readonly hasOther: boolean;
  /** When text came with another number for the first time, the first choice had already given answer text or tool calls. */
  readonly hasOtherAnswer: boolean;
  /** After answer text or tool calls, the first choice had a finish reason in an event without text. */
  readonly isEnded: boolean;
  /** After answer text or tool calls, another number had a finish reason in an event without text. */
  readonly isOtherEnded: boolean;
  /**
   * After answer text or tool calls, the first choice, or another number, had a finish reason, with or without text in the same
   * event.
   */
  readonly isFinished: boolean;
  readonly isOtherFinished: boolean;
  /** The numbers that had a role but no text before the first text. Choices usually begin like this. */
  readonly begun: readonly number[];
  /** The last other number that had a role but no text after the first text. Parts of one answer can begin like this, too. */
  readonly late: number | undefined;
  /**
   * Text came that may belong to another choice. It is kept, so that nothing is lost. The finish reasons show at the end whether
   * there are two choices.
   */
  readonly isDoubted: boolean;
  /** There are several choices, so only the text of one of them is the answer. */
  readonly isApart: boolean;
}

export const NO_CHOICES: SeenChoices = {
  first: undefined,
  top: undefined,
  isUnnumbered: false,
  isMissing: false,
  hasOther: false,
  hasOtherAnswer: false,
  isEnded: false,
  isOtherEnded: false,
  isFinished: false,
  isOtherFinished: false,
  begun: [],
  late: undefined,
  isDoubted: false,
  isApart: false,
};

export interface PickedChoice {
  /** The event or response without the choices that aren't the answer. */
  readonly json: unknown;
  readonly seen: SeenChoices;
  /** The event has the first text with a new, higher number. The next event shows whether it belongs to another choice. */
  readonly isDoubtful?: true;
}

/**
 * Removes the choices that aren't the answer from an event. A higher number alone doesn't mean another choice: some gateways
 * increment the number with each event, or give the answer another number than the reasoning. There are several choices if
 *
 * - one event has text of several,
 * - two numbers both began with a role before any text,
 * - text of a number comes after text of a higher one,
 * - text of another number comes after the answer has ended, or
 * - the answer goes on with another number, and both numbers have a finish reason.
 *
 * @param json an event of a stream, or a response, also one that was cut off
 * @param hasAnswer whether answer text or tool calls came before, not only reasoning
 */
export function pickChoice(json: unknown, seen: SeenChoices, hasAnswer = false): PickedChoice {
  const choices = asArray(asObject(json)?.['choices']) ?? NONE;
  if (choices.length > 1) return pickOfSeveral(json, choices, seen);
  const [choice] = choices;
  const number = indexOf(choice);
  const { first, top } = seen;
  const index = number ?? 0;
  // If the first choice was sent with a 0, a choice without a number belongs to the answer, too.
  const isBare = number === undefined && first === 0 && !seen.isUnnumbered;
  if (choice === undefined || isBare) return { json, seen };
  const isFinish = hasAnswer && !(seen.isEnded && seen.isOtherEnded) && hasFinishReason(choice);
  // The fast path: almost every event has the same choice as the one before.
  if (index === first && index === top && !isFinish && !seen.isMissing) return { json, seen };
  const chunk = decodeChunk({ choices: [choice] });
  const isText = chunk !== undefined && bringsText(chunk);
  const isOther = first !== undefined && index !== first;
  const isHigher = isText && isOther && top !== undefined && (index > top || index === seen.late);
  const begins = !isText && hasRole(choice);
  const isEnd = isFinish && !isText;
  const next = {
    first: first ?? (isText ? index : undefined),
    top: number === undefined && first === undefined && !isText ? top : Math.max(top ?? index, index),
    isUnnumbered: seen.isUnnumbered || (first === undefined && isText && number === undefined),
    hasOther: seen.hasOther || (isText && isOther),
    hasOtherAnswer: seen.hasOtherAnswer || (isText && isOther && hasAnswer && !seen.hasOther),
    isEnded: seen.isEnded || (isEnd && !isOther),
    isOtherEnded: seen.isOtherEnded || (isEnd && isOther),
    isFinished: seen.isFinished || (isFinish && !isOther),
    isOtherFinished: seen.isOtherFinished || (isFinish && isOther),
    isMissing: seen.isMissing || (isText && isOther && number === undefined),
    begun: begins && first === undefined ? withNumber(seen.begun, index) : seen.begun,
    late: begins && isOther ? index : isText && index === seen.late ? undefined : seen.late,
    // Tool calls of the answer itself can also begin with a role.
    isDoubted: seen.isDoubted || (isText && hasAnswer && index === seen.late && chunk.toolCalls.length === 0),
    isApart: seen.isApart,
  };
  next.isApart ||= next.hasOtherAnswer && next.isEnded && next.isOtherEnded;
  if (isText && isOther) next.isApart ||= seen.isEnded || areBegun(seen, index);
  // If a number was missing, only text that alternates between the two numbers shows that there are two choices.
  if (isText) next.isApart ||= next.isMissing ? !isOther : top !== undefined && index < top;
  const isOwn = !next.isApart || index === next.first;
  return {
    json: isOwn ? json : withOnly(json),
    seen: next,
    // If the number went up before, the service increments it, so this event isn't doubtful.
    ...(isHigher && !next.isApart && !seen.hasOther && { isDoubtful: true }),
  };
}

/** The maximum length of `begun`. No service sends that many choices, but some send roles with increasing numbers as a sign of life. */
const MAX_BEGUN = 128;

const withNumber = (begun: readonly number[], index: number): readonly number[] =>
  begun.length === MAX_BEGUN || begun.includes(index) ? begun : [...begun, index];

/** Whether this choice and the first one both began before any text. */
const areBegun = ({ begun, first }: SeenChoices, index: number): boolean =>
  first !== undefined && begun.includes(index) && begun.includes(first);

function pickOfSeveral(json: unknown, choices: readonly unknown[], seen: SeenChoices): PickedChoice {
  const numbered = choices.find((choice) => indexOf(choice) === (seen.first ?? 0));
  const unnumbered = choices.find((choice) => indexOf(choice) === undefined);
  const own = numbered ?? unnumbered ?? (seen.isApart ? undefined : choices[0]);
  const isApart = seen.isApart || choices.some((choice) => choice !== own && isAnswer(choice));
  const isFirst = seen.first === undefined && (isApart || isAnswer(own));
  const next = {
    ...seen,
    first: isFirst ? (indexOf(own) ?? 0) : seen.first,
    isUnnumbered: seen.isUnnumbered || (isFirst && indexOf(own) === undefined),
    // Not `Math.max(...)`, which fails with a hundred thousand arguments.
    top: choices.reduce<number>((top, choice) => Math.max(top, indexOf(choice) ?? 0), seen.top ?? 0),
    isApart,
  };
  return { json: withOnly(json, own), seen: next };
}

const NONE: readonly never[] = [];

const withOnly = (json: unknown, choice?: unknown) => ({
  ...asObject(json),
  choices: choice === undefined ? NONE : [choice],
});

const hasFinishReason = (choice: unknown): boolean => Boolean(asObject(choice)?.['finish_reason']);

/** The first choice of an event, or of a response. */
export const choiceOf = (json: unknown): JsonObject | undefined =>
  asObject(asArray(asObject(json)?.['choices'])?.[0]);

export const hasRole = (choice: unknown): boolean =>
  asString(asObject(asObject(choice)?.['delta'])?.['role']) === 'assistant';

const indexOf = (choice: unknown): number | undefined => asCount(asObject(choice)?.['index']);

export const EMPTY_CHUNK: Chunk = {
  id: undefined,
  model: undefined,
  reasoning: undefined,
  reasoningDetails: [],
  answer: '',
  toolCalls: [],
  finishReason: undefined,
  usage: undefined,
};

/** Whether a report of usage counts output. Some services report the input separately. */
export const hasOutputCount = (usage: Usage | undefined): boolean =>
  !!usage?.completionTokens || !!usage?.totalTokens;

/** The chunk of another choice without its text. Its usage is kept, because usage belongs to the whole response. */
export const withoutChoice = (chunk: Chunk): Chunk => ({
  ...chunk,
  reasoning: undefined,
  reasoningDetails: NONE,
  answer: '',
  toolCalls: NONE,
  finishReason: undefined,
});

/** Whether a chunk has answer text or tool calls. */
export const isOfAnswer = ({ answer, toolCalls }: Chunk): boolean => answer !== '' || toolCalls.length > 0;

/** Whether a chunk has reasoning, answer text, or tool calls. */
export const bringsText = (chunk: Chunk): boolean => isOfAnswer(chunk) || chunk.reasoning !== undefined;

/** Whether a chunk has nothing but text, or is empty. */
export const isTextAlone = ({ reasoningDetails, toolCalls, finishReason, usage }: Chunk): boolean =>
  reasoningDetails.length === 0 &&
  toolCalls.length === 0 &&
  finishReason === undefined &&
  usage === undefined;

export const carriesAnything = (chunk: Chunk): boolean =>
  bringsText(chunk) || chunk.reasoningDetails.length > 0 || chunk.usage !== undefined;

function isAnswer(choice: unknown): boolean {
  const chunk = decodeChunk({ choices: [choice] });
  return chunk !== undefined && bringsText(chunk);
}
