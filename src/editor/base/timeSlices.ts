/** The time in milliseconds after which longer work pauses, so that the extension host stays responsive. */
const SLICE_MS = 5;

/** Runs a generator to its end. If a slice is used up at one of its `yield`s, other work of the extension host runs first. */
export async function runInSlices<T>(work: Generator<undefined, T>): Promise<T> {
  for (let begun = performance.now(); ; ) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - begun < SLICE_MS) continue;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    begun = performance.now();
  }
}
