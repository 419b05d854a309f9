/** Which choice of a response the answer is. K3 asks for one (`n` is never sent), but a service can send several. */
import { decodeChunk } from './decode.ts';
import { asArray, asIndex, asObject } from './json.ts';
import type { Chunk } from './types.ts';

/** The choices of the events so far. */
export interface SeenChoices {
  /** The number of the first choice with text. */
  readonly first: number | undefined;
  /** The highest number of a choice. */
  readonly top: number | undefined;
  /** Several choices come side by side, so that only one of them is the answer. */
  readonly isApart: boolean;
}

export const NO_CHOICES: SeenChoices = { first: undefined, top: undefined, isApart: false };

export interface PickedChoice {
  /** The event or response without other choices. */
  readonly json: unknown;
  readonly seen: SeenChoices;
}

/**
 * Some gateways count the number up with each event, or give the answer another one than the reasoning, so a higher number alone
 * is no other answer. Two choices in one event are, and so is the text of a number that had a higher one after it.
 *
 * @param json an event of a stream, or a response, also one that was cut
 */
export function pickChoice(json: unknown, seen: SeenChoices): PickedChoice {
  const choices = asArray(asObject(json)?.['choices']) ?? NONE;
  if (choices.length > 1) return pickOfSeveral(json, choices, seen);
  const [choice] = choices;
  const index = indexOf(choice);
  const { first, top } = seen;
  // Almost every event has the only choice again.
  if (index === undefined || (index === first && index === top)) return { json, seen };
  const isText = isAnswer(choice);
  const next = {
    first: first ?? (isText ? index : undefined),
    top: Math.max(top ?? index, index),
    isApart: seen.isApart || (isText && top !== undefined && index < top),
  };
  const isOwn = !next.isApart || index === next.first;
  return { json: isOwn ? json : withOnly(json), seen: next };
}

function pickOfSeveral(json: unknown, choices: readonly unknown[], seen: SeenChoices): PickedChoice {
  const numbered = choices.find((choice) => indexOf(choice) === (seen.first ?? 0));
  const unnumbered = choices.find((choice) => indexOf(choice) === undefined);
  const own = numbered ?? unnumbered ?? (seen.isApart ? undefined : choices[0]);
  const isApart = seen.isApart || choices.some((choice) => choice !== own && isAnswer(choice));
  const next = {
    first: seen.first ?? (isApart || isAnswer(own) ? indexOf(own) : undefined),
    top: Math.max(...choices.map((choice) => indexOf(choice) ?? 0), seen.top ?? 0),
    isApart,
  };
  return { json: withOnly(json, own), seen: next };
}

const NONE: readonly never[] = [];

const withOnly = (json: unknown, choice?: unknown) => ({
  ...asObject(json),
  choices: choice === undefined ? NONE : [choice],
});

const indexOf = (choice: unknown): number | undefined => asIndex(asObject(choice)?.['index']);

export const hasText = ({ answer, reasoning, toolCalls }: Chunk): boolean =>
  answer !== '' || reasoning !== undefined || toolCalls.length > 0;

export const carriesAnything = (chunk: Chunk): boolean =>
  hasText(chunk) || chunk.reasoningDetails.length > 0 || chunk.usage !== undefined;

function isAnswer(choice: unknown): boolean {
  const chunk = decodeChunk({ choices: [choice] });
  return chunk !== undefined && hasText(chunk);
}
