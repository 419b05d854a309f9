/**
 * Tracks which text of a turn was shown in a place where text can only be appended, never changed or removed.
 */

/** The text of a turn so far. */
interface TurnText {
  readonly rounds: readonly { readonly answer: string }[];
  readonly answer: string;
}

export interface ShownText {
  /** The index of the text in the turn: the number of rounds before it. */
  readonly rounds: number;
  /** The part of that text that was shown. */
  readonly text: string;
  /** Whether any text was shown. */
  readonly any: boolean;
}

export const NOTHING_SHOWN: ShownText = { rounds: 0, text: '', any: false };

/**
 * The text to append for the current state of a turn: everything in its rounds and its answer that was not
 * shown yet. If a text was replaced, for example because it turned out to be reasoning, the new text is
 * appended. Two texts are separated by a blank line.
 */
export function foldShownText(
  shown: ShownText,
  { rounds, answer }: TurnText,
): { readonly added: string; readonly shown: ShownText } {
  let { any } = shown;
  let added = '';
  const texts = [...rounds.map((round) => round.answer), answer].slice(shown.rounds);
  for (const [index, text] of texts.entries()) {
    const before = index === 0 && text.startsWith(shown.text) ? shown.text : '';
    if (text === before) continue;
    added += (before === '' && any ? '\n\n' : '') + text.slice(before.length);
    any = true;
  }
  return { added, shown: { rounds: rounds.length, text: answer, any } };
}

/**
 * The same for a turn after one more step, without comparing all of the shown text.
 *
 * @param appended the text that the step added to the answer; undefined if the text changed in another way
 */
export function followShownText(
  shown: ShownText,
  turn: TurnText,
  appended: string | undefined,
): ReturnType<typeof foldShownText> {
  const { rounds, answer } = turn;
  const isNext =
    appended !== undefined &&
    shown.rounds === rounds.length &&
    shown.text.length + appended.length === answer.length;
  if (!isNext) return foldShownText(shown, turn);
  if (appended === '') return { added: '', shown };
  const separator = shown.text === '' && shown.any ? '\n\n' : '';
  return { added: separator + appended, shown: { ...shown, text: answer, any: true } };
}
