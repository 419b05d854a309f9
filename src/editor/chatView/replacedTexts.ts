/**
 * Returns the text of a message to the message box if it could not be sent and the user has sent another message meanwhile:
 * then the box no longer has the text, and the later message has removed the reason.
 */
import type { Composers } from '../composer/composers.ts';

interface Message {
  readonly text: string;
  /** Another message was sent while this one was on its way. */
  isReplaced: boolean;
  /** Undefined while the message is on its way. */
  end: { readonly isTaken: boolean; readonly refusal: string | undefined } | undefined;
}

/**
 * Returns a function to call when a message is on its way. It returns a function to call when that message was sent or
 * refused. Texts return to the box only when no message is on its way anymore, because such a message would take them for a
 * change of the box by the user.
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
