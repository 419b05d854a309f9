/** Runs a function that might never return. */
import vm from 'node:vm';

/** A pattern in a schema can take forever on some texts, and would block all extensions of the editor. */
const MAX_MS = 2000;

/** Runs a function and throws after two seconds, or a time that a test sets. This interrupts even a regular expression. */
export function runWithTimeLimit<T>(run: () => T, maxMs = MAX_MS): T {
  const result: T = vm.runInNewContext('run()', { run }, { timeout: maxMs });
  return result;
}
