/** The limit between linear and quadratic growth. */
export const LINEAR = 9;

/** Below this ratio, one round is enough. Linear growth has 4. */
const CLEARLY_LINEAR = 6;
/** The fewest rounds for work that isn't clearly linear. */
const FEWEST = 3;
/** The most rounds for work that doesn't seem linear: with the input, with one four times as long, and with one sixteen times as long. */
const MOST = [40, 5, 3];
/** Milliseconds. If the longest input takes more than this, none is tried that is longer: quadratic work would take minutes. */
const LONG = 200;
/** How often a round does the work for the short input, which takes a quarter of the time. */
const OF_SMALL = 3;

/**
 * The ratio of the times for an input that is four times as long, and the input: about 4 for linear, 16 for quadratic growth. If the growth
 * doesn't seem linear, the ratio is measured for longer inputs. Work that gets slower at some lengths, for example when a text no
 * longer fits into a cache of a busy machine, has steps only there, but quadratic work is quadratic at every length.
 *
 * @param inputOf the input of a length
 */
export function growthOf<Input>(
  inputOf: (length: number) => Input,
  work: (input: Input) => void,
  length: number,
): number {
  let growth = Number.POSITIVE_INFINITY;
  for (const [longer, most] of MOST.entries()) {
    const { ofLarge, ratio } = growthAt(inputOf, work, 4 ** longer * length, most);
    growth = Math.min(growth, ratio);
    if (growth < LINEAR || (longer > 0 && ofLarge > LONG)) break;
  }
  return growth;
}

/**
 * Compares the best of several rounds. As long as the growth doesn't seem linear, there are more rounds, because other processes make a
 * round slower, never faster. The long input comes first, so that the slow start before the engine has compiled the code counts for the
 * long input. So the growth seems larger than it is, and one round is enough if it is clearly linear.
 */
function growthAt<Input>(
  inputOf: (length: number) => Input,
  work: (input: Input) => void,
  length: number,
  most: number,
): { readonly ofLarge: number; readonly ratio: number } {
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
  return { ofLarge, ratio: ratioOf(ofLarge, ofSmall) };
}

/** Times below the resolution of the clock count as no growth. */
const ratioOf = (large: number, small: number) => large / Math.max(small, 0.5);

/** Returns a function for the processor time of this process since the call, in milliseconds. Other processes don't count. */
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
