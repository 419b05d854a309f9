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
    of(id) {
      const typed = all.get(id) ?? new Map<string, string>();
      all.set(id, typed);
      return typed;
    },
    forget: (id) => void all.delete(id),
  };
}
