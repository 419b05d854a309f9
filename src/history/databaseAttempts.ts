/** Runs operations of the database that may fail. The window then continues with the data in memory. */
import { toStorageTrouble } from './sqlite.ts';

/** Runs an operation of the database, and returns undefined if it fails. `what` names the operation in the log. */
export type Attempt = <Result>(what: string, run: () => Result) => Result | undefined;

export interface Attempts {
  /** Reports each kind of error once. */
  readonly attempt: Attempt;
  /** Called when writing works again: later errors are reported again. */
  reportAgain(): void;
}

export function createDatabaseAttempts(onFailure: (what: string, error: unknown) => void): Attempts {
  const reported = new Set<string>();
  return {
    attempt(what, run) {
      try {
        return run();
      } catch (error) {
        const kind = `${what}: ${toStorageTrouble(error)}`;
        if (!reported.has(kind)) onFailure(what, error);
        reported.add(kind);
        return undefined;
      }
    },
    reportAgain: () => reported.clear(),
  };
}
