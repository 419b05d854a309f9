/**
 * The text that another chat gets while a turn runs. In such a chat, text can only be appended. So text that turns out to be
 * reasoning without an opening tag (docs/service.md, Reasoning has several names) can't be taken back: it is held back on routes
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
 * Creates a function that returns the text that each step of a turn adds.
 *
 * @param held whether the answer is held back until there is reasoning or the turn has ended
 */
export function createReplyText(held: boolean): (step: TurnStep) => AddedText {
  let shown = NOTHING_SHOWN;
  return ({ before, turn, appended }) => {
    const isHeld = held && turn.reasoning === '' && turn.outcome === undefined;
    // Text that was held back has become reasoning. Otherwise, the chat already has it as part of the answer.
    const closed = held && before.reasoning === '' && appended === undefined ? turn.reasoning : '';
    const reasoning = (appended?.reasoning ?? '') + closed;
    if (isHeld) return { reasoning, answer: '' };
    const { added, shown: next } = followShownText(shown, turn, appended?.answer);
    shown = next;
    return { reasoning, answer: added };
  };
}
