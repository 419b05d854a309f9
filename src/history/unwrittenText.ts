/** What the database lacks of a running turn. */
import type { Round, Turn } from '../conversation/turn.ts';
import { withoutHalf } from '../text/surrogates.ts';

/** What the database has of a running turn. */
export interface WrittenText {
  readonly reasoning: string;
  readonly answer: string;
  readonly rounds: readonly Round[];
}

export interface UnwrittenText {
  /** What the database has when it is written. */
  readonly now: WrittenText;
  /** The rounds that are new or have changed, each with its position. */
  readonly rounds: readonly (readonly [number, Round])[];
  /** What came behind the text that is written. Undefined if the text is another one, which is written as a whole. */
  readonly appended: Pick<WrittenText, 'reasoning' | 'answer'> | undefined;
}

export function unwrittenText(
  turn: Pick<Turn, 'reasoning' | 'answer' | 'rounds'>,
  written: WrittenText,
): UnwrittenText {
  const { rounds } = turn;
  // SQLite can't store half of a surrogate pair.
  const reasoning = withoutHalf(turn.reasoning);
  const answer = withoutHalf(turn.answer);
  // Text can move from the answer to the reasoning or into a round, which can't be stored by appending. The new text may be
  // longer already.
  const moved =
    !reasoning.startsWith(written.reasoning) ||
    !answer.startsWith(written.answer) ||
    rounds.length !== written.rounds.length;
  return {
    now: { reasoning, answer, rounds },
    rounds: [...rounds.entries()].filter(([position, round]) => round !== written.rounds[position]),
    appended: moved
      ? undefined
      : {
          reasoning: reasoning.slice(written.reasoning.length),
          answer: answer.slice(written.answer.length),
        },
  };
}
