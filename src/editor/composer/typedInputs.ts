/** What the user has typed in inputs of prompts for messages that were not sent, so that it is there when they are sent again. */
export interface TypedInputs {
  /** Of a conversation, by prompt and input. Prompts add to it. */
  of(conversationId: string): Map<string, string>;
  /** Its message was sent. */
  forget(conversationId: string): void;
}

export function createTypedInputs(): TypedInputs {
  const all = new Map<string, Map<string, string>>();
  return {
    of(conversationId) {
      const typed = all.get(conversationId) ?? new Map<string, string>();
      all.set(conversationId, typed);
      return typed;
    },
    forget: (conversationId) => void all.delete(conversationId),
  };
}
