/** The figures of a benchmark: medians and ratios, printed as a table, and collected for `npm run bench -- --json FILE`. */
import { writeFileSync } from 'node:fs';

/** One figure, as `--json` writes it. */
export interface Figure {
  readonly part: string;
  readonly case: string;
  readonly value: number;
  readonly unit: string;
  /** The value divided by the values of other cases of the same run, by their names. */
  readonly ratios: Readonly<Record<string, number>>;
}

/** The samples of one case. */
export interface Case {
  readonly name: string;
  readonly samples: readonly number[];
}

/** The part of the benchmark's table: each case with its median, its spread, and its ratio to the floors. */
export interface Table {
  readonly part: string;
  readonly unit: string;
  readonly cases: readonly Case[];
  /** Names of the cases that the others are divided by. */
  readonly floors: readonly string[];
}

/** How often each case is measured. `RUNS=1` is quick. */
export const RUNS = Number(process.env['RUNS'] ?? 5);

/** The middle value; of an even number of values, the upper one of the two. 0 without values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The difference between the largest and the smallest value, divided by the median. */
export function spreadOf(values: readonly number[]): number {
  const middle = median(values);
  return middle === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / middle;
}

const collected: Figure[] = [];

/** Prints a table in Markdown, and collects its figures. Cases without samples are left out. */
export function report({ part, unit, cases, floors }: Table): void {
  const measured = cases.filter(({ samples }) => samples.length > 0);
  const medianOf = (name: string) => median(cases.find((each) => each.name === name)?.samples ?? []);
  const head = [part, unit, 'spread', ...floors.map((name) => `× ${name}`)];
  const rows = measured.map(({ name, samples }) => {
    const value = median(samples);
    const ratios = Object.fromEntries(floors.map((floor) => [floor, value / medianOf(floor)]));
    collected.push({ part, case: name, value, unit, ratios });
    return [
      name,
      toFigure(value),
      `${Math.round(spreadOf(samples) * 100)} %`,
      ...Object.values(ratios).map(toFigure),
    ];
  });
  console.log(toMarkdown([head, ...rows]));
}

/** Writes the collected figures to the file in `BENCH_JSON`, if it is set. Called at the end. */
export function writeFigures(): void {
  const file = process.env['BENCH_JSON'];
  if (file !== undefined) writeFileSync(file, JSON.stringify(collected));
}

/** Rounds to three digits. */
function toFigure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function toMarkdown(rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = line(head.map((_, at) => (at === 0 ? '---' : '--:')));
  return ['', line(head), rule, ...others.map(line), ''].join('\n');
}
