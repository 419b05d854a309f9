/** Runs a function with a time limit. */
import vm from 'node:vm';

/** In milliseconds. On some texts, a pattern in a schema can take forever, which would block all extensions of the editor. */
const MAX_MS = 2000;

/** One context for all functions, created at first use: creating one takes ten times as long as running a function in it. */
let context: vm.Context | undefined;

/** Runs a function, and throws when it takes longer than two seconds. This interrupts even a regular expression. */
export function runWithTimeLimit<T>(run: () => T): T {
  context ??= vm.createContext({});
  context['run'] = run;
  try {
    const result: T = vm.runInContext('run()', context, { timeout: MAX_MS });
    return result;
  } finally {
    // The function can refer to large data.
    delete context['run'];
  }
}
