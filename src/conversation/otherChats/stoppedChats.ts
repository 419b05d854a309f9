/**
 * Finds the conversation of a chat of the editor whose first answer was stopped. The editor drops the result of such a
 * response, which would name the conversation, but keeps what it shows of it.
 */
export interface StoppedChat {
  readonly conversationId: string;
  readonly prompt: string;
  /** The answer when it was stopped. The chat may show less of it: what was on its way then is dropped. */
  readonly text: string;
  /** It was continued since. */
  readonly continued: boolean;
}

/**
 * The conversation of a chat that begins with a prompt and this text of an answer; undefined if there is none. Of several,
 * it is the one whose whole answer this is; otherwise one that was not continued yet, because later requests name it.
 *
 * @param chats the oldest first
 */
export function findStopped(
  chats: readonly StoppedChat[],
  { prompt, text }: Pick<StoppedChat, 'prompt' | 'text'>,
): string | undefined {
  const shown = text.trim();
  const fits = (one: StoppedChat) =>
    shown === '' ? one.text.trim() === '' : one.text.trim().startsWith(shown);
  const isPart = (one: StoppedChat) => Number(one.text.trim() !== shown);
  return chats
    .filter((one) => one.prompt === prompt && fits(one))
    .toSorted(
      (a, b) =>
        isPart(a) - isPart(b) || Number(a.continued) - Number(b.continued) || a.text.length - b.text.length,
    )
    .at(0)?.conversationId;
}
