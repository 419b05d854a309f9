/** Tracks parts besides conversations that couldn't be written yet, such as drafts, attachments, and deletions, and the reasons. */
import type { Attempt } from './databaseAttempts.ts';
import { type StorageTrouble, toStorageTrouble } from './sqlite.ts';

/** Like `Attempt`, for a write that is repeated until it succeeds. `part` identifies the part that is written. */
export type AttemptWrite = <Result>(part: string, what: string, run: () => Result) => Result | undefined;

export interface UnwrittenParts {
  readonly write: AttemptWrite;
  /** Notes that a part is no longer to be written. */
  drop(part: string): void;
  /** The reason why something couldn't be written yet. */
  trouble(): StorageTrouble | undefined;
}

/** @param onChange called with the error when a part can't be written, and with undefined when it is written after all */
export function createUnwrittenParts(attempt: Attempt, onChange: (error: unknown) => void): UnwrittenParts {
  const failing = new Map<string, StorageTrouble>();

  function drop(part: string): void {
    if (failing.delete(part)) onChange(undefined);
  }

  return {
    write(part, what, run) {
      let failure: { readonly error: unknown } | undefined;
      const result = attempt(what, () => {
        try {
          return run();
        } catch (error) {
          failure = { error };
          throw error;
        }
      });
      if (failure === undefined) drop(part);
      else {
        failing.set(part, toStorageTrouble(failure.error));
        onChange(failure.error);
      }
      return result;
    },
    drop,
    trouble() {
      const all = [...failing.values()];
      return all.find((one) => one === 'full') ?? all[0];
    },
  };
}
