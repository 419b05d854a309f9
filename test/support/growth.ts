/** The limit between linear and quadratic. */
export const LINEAR = 9;

/** Below, one round is enough. What is linear has 4. */
const CLEARLY_LINEAR = 6;
/** Rounds that are enough for what is linear, and those for what seems not to be, of an input and of a longer one. */
const FEWEST = 3;
const MOST = 40;
const MOST_LONGER = 5;
/** How often a round does the work for the short input, which costs a quarter. */
const OF_SMALL = 3;

/**
 * By how much more time the work takes for an input that is four times as long: about 4 if it is linear, 16 if it is
 * quadratic. If it seems not to be linear, that of a longer input: work that gets slower at one length, such as when a text no
 * longer fits into a cache of a busy machine, has a step there, and what is quadratic is so at every length.
 *
 * @param inputOf the input of a length
 */
export function growthOf<Input>(
  inputOf: (length: number) => Input,
  work: (input: Input) => void,
  length: number,
): number {
  const growth = growthAt(inputOf, work, length, MOST);
  return growth < LINEAR ? growth : growthAt(inputOf, work, 4 * length, MOST_LONGER);
}

/**
 * Compares the best of several rounds. There are more rounds as long as it seems not to be linear, because the work of others
 * makes a round slower, never faster. The long input comes first, so that what is slow until the engine has compiled it counts for
 * that one: the growth seems larger than it is, and one round is enough when it is clearly linear.
 */
function growthAt<Input>(
  inputOf: (length: number) => Input,
  work: (input: Input) => void,
  length: number,
  most: number,
): number {
  const small = inputOf(length);
  const large = inputOf(4 * length);
  let ofSmall = Number.POSITIVE_INFINITY;
  let ofLarge = Number.POSITIVE_INFINITY;
  for (let round = 1; round <= most; round++) {
    ofLarge = Math.min(
      ofLarge,
      cpuOf(() => work(large)),
    );
    for (let time = 0; time < OF_SMALL; time++)
      ofSmall = Math.min(
        ofSmall,
        cpuOf(() => work(small)),
      );
    if (ratioOf(ofLarge, ofSmall) < (round < FEWEST ? CLEARLY_LINEAR : LINEAR)) break;
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
