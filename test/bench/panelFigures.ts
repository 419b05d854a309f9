/** The figures that panel.bench.ts calculates from the frames that its page has recorded. */

const FRAME_MS = 1000 / 60;

/** A frame as reported by the page: when it was due, how long its work took, and whether text was still arriving. */
export interface FrameRow {
  readonly due: number;
  readonly work: number;
  readonly fed: number;
  readonly streaming: boolean;
}

export interface Sample {
  /** Milliseconds of processor time of tasks on the main thread, from the first text until the page is idle. */
  readonly main: number;
  readonly frames: readonly FrameRow[];
  /** The increase of the JavaScript heap in bytes, after a garbage collection. */
  readonly heap: number;
  /** Where the answer differs from a full rendering. */
  readonly difference: string | undefined;
}

function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const sum = (figures: readonly number[]) => figures.reduce((all, one) => all + one, 0);

const workIn = (frames: readonly FrameRow[]) => frames.map(({ work }) => work);

/** Counts the display frames that were dropped, and all frames, while text arrived. */
function droppedIn(frames: readonly FrameRow[]): { readonly dropped: number; readonly all: number } {
  const due = frames.filter(({ streaming }) => streaming).map((frame) => frame.due);
  const all = due.slice(1).reduce((sum, at, i) => sum + Math.round((at - (due[i] ?? at)) / FRAME_MS), 1);
  return { dropped: all - due.length, all };
}

/** The work of the frames in the last quarter of the text. */
const lateWork = (frames: readonly FrameRow[], size: number) =>
  frames.filter(({ fed, streaming }) => streaming && fed > size * 0.75).map(({ work }) => work);

/** The measured figures, each with its unit and a function for its value in a sample. */
export const FIGURES: readonly (readonly [string, string, (sample: Sample, size: number) => number])[] = [
  ['main thread', 'ms', ({ main }) => main],
  ['p99 of a late frame', 'ms', ({ frames }, size) => quantile(lateWork(frames, size), 0.99)],
  ['dropped frames', '%', ({ frames }) => (droppedIn(frames).dropped / droppedIn(frames).all) * 100],
  ['longest frame', 'ms', ({ frames }) => Math.max(...workIn(frames))],
  ['heap', 'MB', ({ heap }) => heap / 1024 / 1024],
];

/** The figures at 200 tokens a second, of the frames in which text arrived. */
export const PACED_FIGURES: readonly (readonly [string, string, (frames: readonly FrameRow[]) => number])[] =
  [
    ['work in a second', 'ms', (frames) => (sum(workIn(frames)) / frames.length) * 60],
    ['p99 of a frame', 'ms', (frames) => quantile(workIn(frames), 0.99)],
    ['longest frame', 'ms', (frames) => Math.max(...workIn(frames))],
    ['dropped frames of 600', '', (frames) => droppedIn(frames).dropped],
  ];
