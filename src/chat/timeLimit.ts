/** Running something that may never end. */
import vm from 'node:vm';

/** A pattern of a schema can take for ever on the wrong text, and the whole editor's extensions would wait. */
const MOST_MS = 2000;

/** Runs something and gives up on it after two seconds, with an error; even a regular expression is interrupted. */
export function runWithTimeLimit<T>(run: () => T): T {
  const result: T = vm.runInNewContext('run()', { run }, { timeout: MOST_MS });
  return result;
}
