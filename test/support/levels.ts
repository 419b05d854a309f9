/** Whether figures of a long run level off: taken at a quarter, half, three quarters, and the end of the work. */

export interface Level {
  readonly name: string;
  /** At 25, 50, 75, and 100 % of the work. */
  readonly values: readonly [number, number, number, number];
  /** The share by which the figure may grow in the second half; a heap is never exactly the same. */
  readonly ratio: number;
}

/** The figures of a run from its samples, which all have the same names. */
export function toLevels(
  samples: readonly Readonly<Record<string, number>>[],
  ratio: (name: string) => number,
): readonly Level[] {
  const [a, b, c, d] = samples;
  if (a === undefined || b === undefined || c === undefined || d === undefined || samples.length !== 4)
    throw new Error(`there are ${samples.length} samples, not 4`);
  return Object.keys(a).map((name) => {
    const of = (sample: Readonly<Record<string, number>>) => sample[name] ?? Number.NaN;
    return { name, values: [of(a), of(b), of(c), of(d)], ratio: ratio(name) };
  });
}

/** The growth of the figure in the second half of the work. */
export const growthOf = ({ values: [, half, , end] }: Level): number => (half === end ? 1 : end / half);

export const levelsOff = (level: Level): boolean => growthOf(level) <= level.ratio;

/** A table with a verdict for each figure. */
export function describeLevels(title: string, levels: readonly Level[]): string {
  const cells = (all: readonly string[]) => all.map((one) => one.padStart(10)).join('');
  const rows = levels.map((level) => {
    const figures = level.values.map((value) => (Number.isInteger(value) ? String(value) : value.toFixed(2)));
    const verdict = levelsOff(level) ? 'levels off' : `GROWS by more than × ${level.ratio}`;
    return `${level.name.padEnd(34)}${cells([...figures, growthOf(level).toFixed(3)])}  ${verdict}`;
  });
  return [`${title.padEnd(34)}${cells(['25 %', '50 %', '75 %', '100 %', '50 → 100'])}`, ...rows].join('\n');
}
