/** Runs a function that might never return. */
import vm from 'node:vm';

/** A pattern in a schema can take forever on some texts, and would block all extensions of the editor. In milliseconds. */
const MAX_MS = 2000;

/** One for all functions, made at first use: making one takes ten times as long as running a function in it. */
let context: vm.Context | undefined;

/** Runs a function, and throws when it takes longer than two seconds. This interrupts even a regular expression. */
export function runWithTimeLimit<T>(run: () => T): T {
  context ??= vm.createContext({});
  context['run'] = run;
  try {
    const result: T = vm.runInContext('run()', context, { timeout: MAX_MS });
    return result;
  } finally {
    // What it refers to can be large.
    delete context['run'];
  }
}
