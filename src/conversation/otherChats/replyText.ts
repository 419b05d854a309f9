/**
 * The text that another chat gets while a turn runs. Such a chat only takes more text, so what turns out to be reasoning
 * without an opening tag (docs/service.md, Reasoning has several names) can't be taken back: it is held back on routes
 * that are known for it.
 */
import type { TurnStep } from '../events.ts';
import { followShownText, NOTHING_SHOWN } from './shownText.ts';

export interface AddedText {
  readonly reasoning: string;
  readonly answer: string;
}

/** Whether reasoning came without an opening tag. */
export const hadNoOpeningTag = ({ turn }: Pick<TurnStep, 'turn'>): boolean => turn.reasoningTags?.open === '';

/**
 * Returns what each step of a turn adds.
 *
 * @param held the answer is held back until there is reasoning, or the turn has ended
 */
export function createReplyText(held: boolean): (step: TurnStep) => AddedText {
  let shown = NOTHING_SHOWN;
  return ({ before, turn, appended }) => {
    const isHeld = held && turn.reasoning === '' && turn.outcome === undefined;
    // Held text has become reasoning. Without that, the chat has it as part of the answer already.
    const closed = held && before.reasoning === '' && appended === undefined ? turn.reasoning : '';
    const reasoning = (appended?.reasoning ?? '') + closed;
    if (isHeld) return { reasoning, answer: '' };
    const { added, shown: next } = followShownText(shown, turn, appended?.answer);
    shown = next;
    return { reasoning, answer: added };
  };
}
