/** What the user has typed in inputs of prompts for messages that were not sent, so that it is there when they are sent again. */
export interface TypedInputs {
  /** Of a conversation or an edit, by prompt and input. Prompts add to it. */
  of(id: string): Map<string, string>;
  /** Its message was sent. */
  forget(id: string): void;
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
