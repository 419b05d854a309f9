/** The limit between linear and quadratic. */
export const LINEAR = 9;

/** Rounds that are enough when they are linear, and for what seems not to be. */
const FEWEST = 3;
const MOST = 40;

/**
 * By how much more time the work takes for an input that is four times as long: about 4 if it is linear, 16 if it is
 * quadratic. Compares the best of several rounds. There are more rounds as long as it seems not to be linear, because the work
 * of others makes a round slower, never faster.
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
  for (let round = 1; round <= MOST; round++) {
    ofSmall = Math.min(
      ofSmall,
      cpuOf(() => work(small)),
    );
    ofLarge = Math.min(
      ofLarge,
      cpuOf(() => work(large)),
    );
    if (round >= FEWEST && ratioOf(ofLarge, ofSmall) < LINEAR) break;
  }
  return ratioOf(ofLarge, ofSmall);
}

/** Below the resolution of the clock, nothing grows. */
const ratioOf = (large: number, small: number) => large / Math.max(small, 0.5);

/** Returns a function for the milliseconds that this process has worked since. The work of others doesn't count. */
export function startCpu(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

function cpuOf(work: () => void): number {
  const worked = startCpu();
  work();
  return worked();
}
