/**
 * Finds the conversation of a chat of the editor whose first answer was stopped. The editor drops the result of such a
 * response, which would name the conversation, but keeps what it shows of it.
 */
export interface StoppedChat {
  readonly conversationId: string;
  readonly prompt: string;
  /** The answer when it was stopped. The chat may show less of it, because text that was on its way is dropped. */
  readonly text: string;
  /** Whether the conversation was continued after that. */
  readonly continued: boolean;
}

/**
 * The conversation of a chat that begins with this prompt and this text of an answer, or undefined. If several match, one with
 * exactly this answer is preferred, and then one that wasn't continued yet, because later requests name their conversation.
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
