/** Replaces `fast-check`: its properties run as often or as long as `npm run fuzz` says, and their results are written to a file. */
import { appendFileSync } from 'node:fs';
import real from 'fast-check';

export * from 'fast-check';

type Property = Parameters<typeof real.check>[0];
type Options = Parameters<typeof real.check>[1];

const { RUNS, SEED, K3_FUZZ_SECONDS = '10', K3_FUZZ_RESULTS } = process.env;

type Details = Awaited<ReturnType<typeof real.check>>;

function assert(property: Property, options: Options = {}): unknown {
  const begun = performance.now();
  const title = process.env['K3_FUZZ_TITLE'];
  const lastRun = watchRuns(property);
  const checked: unknown = real.check(property, {
    ...options,
    ...(RUNS === undefined
      ? { numRuns: 2 ** 31 - 1, interruptAfterTimeLimit: Number(K3_FUZZ_SECONDS) * 1000 }
      : { numRuns: Number(RUNS) }),
    ...(SEED !== undefined && { seed: Number(SEED) }),
    markInterruptAsFailure: false,
  });
  const finish = (details: Details) => {
    const { failed, numRuns, seed, counterexample } = details;
    const seconds = (performance.now() - begun) / 1000;
    const result = { title, runs: numRuns, seconds, failed, seed };
    const shown = failed ? { counterexample: real.stringify(counterexample) } : {};
    if (K3_FUZZ_RESULTS !== undefined)
      appendFileSync(K3_FUZZ_RESULTS, `${JSON.stringify({ ...result, ...shown })}\n`);
    if (failed)
      throw new Error(real.defaultReportMessage(details as Parameters<typeof real.defaultReportMessage>[0]));
  };
  // A synchronous test doesn't await a promise.
  if (!(checked instanceof Promise)) return finish(checked as Details);
  return checked.then(async (details: Details) => {
    await lastRun();
    finish(details);
  });
}

/** Waits for the last run, which continues after the time limit, so that the next test doesn't run at the same time. */
function watchRuns(property: Property): () => Promise<unknown> {
  let last: unknown;
  const run = property.run.bind(property);
  Object.assign(property, {
    run: (...args: Parameters<typeof run>) => {
      last = run(...args);
      return last;
    },
  });
  return async () => Promise.allSettled([last]);
}

// biome-ignore lint/style/noDefaultExport: it takes the place of a module with one
export default { ...real, assert };
