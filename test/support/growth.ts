/**
 * By how much more time the work takes for an input that is four times as long: about 4 if it is linear, 16 if it is
 * quadratic. Compares the best of several runs, so that a busy machine changes little.
 *
 * @param inputOf the input of a length
 */
export function growthOf<Input>(
  inputOf: (length: number) => Input,
  work: (input: Input) => void,
  length: number,
): number {
  const small = inputOf(length);
  const large = inputOf(4 * length);
  let ofSmall = Number.POSITIVE_INFINITY;
  let ofLarge = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i++) {
    ofSmall = Math.min(
      ofSmall,
      cpuOf(() => work(small)),
    );
    ofLarge = Math.min(
      ofLarge,
      cpuOf(() => work(large)),
    );
  }
  // Below the resolution of the clock, nothing grows.
  return ofLarge / Math.max(ofSmall, 0.5);
}

/** The limit between linear and quadratic. */
export const LINEAR = 9;

/** Milliseconds of this process, so that the work of others doesn't count. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
