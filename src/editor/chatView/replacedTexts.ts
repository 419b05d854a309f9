/**
 * Messages that were not sent after all, although the user has sent another one since: the message box doesn’t have their text any
 * more, and the other one has taken away why.
 */
import type { Composers } from '../composer/composers.ts';

interface Message {
  readonly text: string;
  /** Another one was sent while it was on its way. */
  isReplaced: boolean;
  /** Undefined while it is on its way. */
  end: { readonly isTaken: boolean; readonly refusal: string | undefined } | undefined;
}

/**
 * Returns the function that is called when a message is on its way, and returns the one that is called at its end. Texts go back to
 * the box when nothing is on its way any more, which would be taken for what was changed in the box.
 */
export function createReplacedTexts({ of, compose }: Pick<Composers, 'of' | 'compose'>) {
  const underWay = new Map<string, readonly Message[]>();

  function giveBack(conversationId: string, { text, isReplaced, end }: Message): void {
    const composer = of(conversationId);
    if (!isReplaced || end?.isTaken !== false || composer.draft.includes(text)) return;
    composer.refusal ??= end.refusal;
    compose(conversationId, text);
  }

  return (
    conversationId: string,
    text: string,
  ): ((isTaken: boolean, refusal: string | undefined) => void) => {
    const message: Message = { text, isReplaced: false, end: undefined };
    const before = underWay.get(conversationId) ?? [];
    for (const one of before) one.isReplaced = true;
    underWay.set(conversationId, [...before, message]);
    return (isTaken, refusal) => {
      message.end = { isTaken, refusal };
      const all = underWay.get(conversationId) ?? [];
      if (all.some(({ end }) => end === undefined)) return;
      underWay.delete(conversationId);
      for (const one of all) giveBack(conversationId, one);
    };
  };
}
