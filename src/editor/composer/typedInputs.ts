/** The text that the user typed in inputs of prompts for messages that were not sent. It is offered again with the next attempt. */
export interface TypedInputs {
  /** The texts of a conversation or of an edit in the code, by prompt and input. Prompts add to them. */
  of(id: string): Map<string, string>;
  /** Forgets the texts, because the message was sent. */
  forget(id: string): void;
}

export function createTypedInputs(): TypedInputs {
  const all = new Map<string, Map<string, string>>();
  return {
    of(id) {
      const typed = all.get(id) ?? new Map<string, string>();
      all.set(id, typed);
      return typed;
    },
    forget: (id) => void all.delete(id),
  };
}
