/** Which choice of a response the answer is. K3 asks for one (`n` is never sent), but a service can send several. */
import { asArray, asNumber, asObject } from './json.ts';

export interface PickedChoice {
  /** The event or response without other choices. */
  readonly json: unknown;
  /** The number that the service gives to the choice. Undefined if it gives none, or if there is no choice. */
  readonly index: number | undefined;
  /** The other choices in the same event or response. */
  readonly others: readonly unknown[];
}

/**
 * @param json an event of a stream, or a complete response
 * @param known the number of the choice that the answer has been read from so far. A service may give it any. Undefined before
 *   there is text: the answer is choice 0 then, or the first one if no choice has that number
 */
export function pickChoice(json: unknown, known: number | undefined): PickedChoice {
  const choices = asArray(asObject(json)?.['choices']) ?? NONE;
  const [first] = choices;
  const index = indexOf(first);
  // Almost every event has one choice, which is that of the answer.
  if (choices.length < 2 && isSame(index, known)) return { json, index, others: NONE };
  const own =
    known === undefined
      ? (choices.find((choice) => indexOf(choice) === 0) ?? first)
      : choices.find((choice) => isSame(indexOf(choice), known));
  return {
    json: { ...asObject(json), choices: own === undefined ? NONE : [own] },
    index: indexOf(own),
    others: choices.filter((choice) => choice !== own),
  };
}

const NONE: readonly never[] = [];

const indexOf = (choice: unknown): number | undefined => asNumber(asObject(choice)?.['index']);

/** A choice without a number is always that of the answer. */
const isSame = (index: number | undefined, known: number | undefined): boolean =>
  index === undefined || known === undefined || index === known;
