/** Which choice of a response the answer is. K3 asks for one (`n` is never sent), but a service can send several. */
import { decodeChunk } from './decodeChunk.ts';
import { asArray, asCount, asObject, asString, type JsonObject } from './json.ts';
import type { Chunk, Usage } from './types.ts';

/** The choices of the events so far. */
export interface SeenChoices {
  /** The number of the first choice with text. */
  readonly first: number | undefined;
  /** The highest number of a choice. */
  readonly top: number | undefined;
  /** The first choice with text had no number: some services leave out a 0. */
  readonly isUnnumbered: boolean;
  /** Text had no number, and the first one has a number that isn't 0. */
  readonly isMissing: boolean;
  /** Text had another number than the first one. */
  readonly hasOther: boolean;
  /** Text had another number than the first one, which had given text or calls of an answer. */
  readonly hasOtherAnswer: boolean;
  /** The first choice has given text or calls of an answer, and then a finish reason without more text. */
  readonly isEnded: boolean;
  /** Another number had a finish reason without text. */
  readonly isOtherEnded: boolean;
  /** The first choice, or another number, had a finish reason, with or without text. */
  readonly isFinished: boolean;
  readonly isOtherFinished: boolean;
  /** The numbers with a role and no text before the first text, as choices begin. */
  readonly begun: readonly number[];
  /** The same for the last number behind that. Parts of one answer may begin so, too. */
  readonly late: number | undefined;
  /** There may be another choice, but all text is taken for that of one, because nothing must be lost. The ends show whether there is. */
  readonly isDoubted: boolean;
  /** Several choices come side by side, so that only one of them is the answer. */
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
  /** The event or response without other choices. */
  readonly json: unknown;
  readonly seen: SeenChoices;
  /** It is the first text of another number, a higher one. The next event shows whether that is another choice. */
  readonly isDoubtful?: true;
}

/**
 * Some gateways count the number up with each event, or give the answer another one than the reasoning, so a higher number alone
 * is no other answer. Two choices in one event are, and so are two that both began with the role before any text, the text of a number that had
 * a higher one after it, text of another number when the answer has ended, and ends of two numbers.
 *
 * @param json an event of a stream, or a response, also one that was cut
 * @param hasAnswer whether text or calls of an answer were read before, not only reasoning
 */
export function pickChoice(json: unknown, seen: SeenChoices, hasAnswer = false): PickedChoice {
  const choices = asArray(asObject(json)?.['choices']) ?? NONE;
  if (choices.length > 1) return pickOfSeveral(json, choices, seen);
  const [choice] = choices;
  const number = indexOf(choice);
  const { first, top } = seen;
  const index = number ?? 0;
  // Where 0 was written, a missing number isn't 0.
  const isBare = number === undefined && first === 0 && !seen.isUnnumbered;
  if (choice === undefined || isBare) return { json, seen };
  const isFinish = hasAnswer && !(seen.isEnded && seen.isOtherEnded) && hasFinishReason(choice);
  // Almost every event has the only choice again.
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
    // The calls of one answer can begin with a role as well.
    isDoubted: seen.isDoubted || (isText && hasAnswer && index === seen.late && chunk.toolCalls.length === 0),
    isApart: seen.isApart,
  };
  next.isApart ||= next.hasOtherAnswer && next.isEnded && next.isOtherEnded;
  if (isText && isOther) next.isApart ||= seen.isEnded || areBegun(seen, index);
  // Only text of both in turn shows that a missing number is another one.
  if (isText) next.isApart ||= next.isMissing ? !isOther : top !== undefined && index < top;
  const isOwn = !next.isApart || index === next.first;
  return {
    json: isOwn ? json : withOnly(json),
    seen: next,
    // A number that went up before is counted up.
    ...(isHigher && !next.isApart && !seen.hasOther && { isDoubtful: true }),
  };
}

/** More choices than services send. Some send a role as a sign of life, and count its number up. */
const MAX_BEGUN = 128;

const withNumber = (begun: readonly number[], index: number): readonly number[] =>
  begun.length === MAX_BEGUN || begun.includes(index) ? begun : [...begun, index];

/** Whether a choice and the first one both began before any text. */
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
    // Not with all as arguments: a function can't have a hundred thousand.
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

/** Whether a report counts output. Some services report the input by itself. */
export const hasOutputCount = (usage: Usage | undefined): boolean =>
  !!usage?.completionTokens || !!usage?.totalTokens;

/** A chunk of another choice: its usage is that of the response. */
export const withoutChoice = (chunk: Chunk): Chunk => ({
  ...chunk,
  reasoning: undefined,
  reasoningDetails: NONE,
  answer: '',
  toolCalls: NONE,
  finishReason: undefined,
});

/** Whether it has text or calls of the answer itself. */
export const isOfAnswer = ({ answer, toolCalls }: Chunk): boolean => answer !== '' || toolCalls.length > 0;

/** Whether it has reasoning, or text or calls of the answer. */
export const bringsText = (chunk: Chunk): boolean => isOfAnswer(chunk) || chunk.reasoning !== undefined;

/** Whether it has nothing but text, or nothing at all. */
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
