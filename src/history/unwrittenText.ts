/** Determines the text and rounds of a running turn that aren't in the database yet. */
import type { Round, Turn } from '../conversation/turn.ts';
import { withoutHalf } from '../text/surrogates.ts';

/** The text and rounds of a running turn that are in the database. */
export interface WrittenText {
  readonly reasoning: string;
  readonly answer: string;
  readonly rounds: readonly Round[];
}

export interface UnwrittenText {
  /** The text and rounds in the database after this write. */
  readonly now: WrittenText;
  /** The rounds that are new or have changed, each with its position. */
  readonly rounds: readonly (readonly [number, Round])[];
  /** The text behind the written text. Undefined if the written text has changed, so that all text has to be replaced. */
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
  // Text can move from the answer to the reasoning or into a round, which can't be stored by appending, also if the new text is
  // longer.
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
