/** Longer work is interrupted, so that the extension host answers while it runs. In milliseconds. */
const SLICE_MS = 5;

/** Runs work to its end, and lets others run at its pauses when it takes longer than a slice. */
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
