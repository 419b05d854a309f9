/** Operations of the database that may fail: the window then goes on with what is in memory. */
import { toStorageTrouble } from './sqlite.ts';

/** Runs an operation of the database; undefined when it fails. `what` names it, for the log. */
export type Attempt = <Result>(what: string, run: () => Result) => Result | undefined;

export interface Attempts {
  /** Reports an error once. */
  readonly attempt: Attempt;
  /** Writing works again, so errors are reported again. */
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
