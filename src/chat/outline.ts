/**
 * Reasoning as a list of steps. A step is a paragraph, with the lists and fences that follow it. The outline is
 * folded from deltas; each looks at its own text only, so that the cost does not grow with the reasoning.
 */
import { estimateTokens } from './tokens.ts';

export interface FileMention {
  /** As it stands in the reasoning: `src/app.ts`. */
  readonly path: string;
  /** Counted from 1, when the reasoning names one. */
  readonly line: number | undefined;
}

export interface Step {
  readonly title: string;
  /** Line of the reasoning at which the step begins, counted from 0. */
  readonly line: number;
  /** Milliseconds from the start of the turn to the first and the last text of the step. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Estimated tokens; `toStepTokens` scales them to what the service reported. */
  readonly weight: number;
  readonly files: readonly FileMention[];
}

export interface Outline {
  /** The steps that are finished. */
  readonly finished: readonly Step[];
  readonly current: Step | undefined;
  /** The line that is being written, without its end. */
  readonly partial: string;
  /** Number of complete lines. */
  readonly lines: number;
  readonly inFence: boolean;
  /** The last complete line was blank, or there was none. */
  readonly afterBlank: boolean;
}

export const EMPTY_OUTLINE: Outline = {
  finished: [],
  current: undefined,
  partial: '',
  lines: 0,
  inFence: false,
  afterBlank: true,
};

const LONGEST_TITLE = 80;

/** Adds a piece of reasoning, which arrived `at` milliseconds after the turn began. */
export function foldOutline(outline: Outline, text: string, at: number): Outline {
  let next = outline;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    next = endLine(addToLine(next, text.slice(start, end), at));
    start = end + 1;
  }
  return start < text.length ? addToLine(next, text.slice(start), at) : next;
}

/** All steps, the one being written last. */
export function stepsOf(outline: Outline): readonly Step[] {
  return outline.current === undefined ? outline.finished : [...outline.finished, outline.current];
}

/** The tokens of each step: their estimates, scaled so that they add up to the reported number. */
export function toStepTokens(steps: readonly Step[], reported: number | undefined): readonly number[] {
  const sum = steps.reduce((total, step) => total + step.weight, 0);
  const scale = reported === undefined || sum === 0 ? 1 : reported / sum;
  return steps.map((step) => Math.round(step.weight * scale));
}

function addToLine(outline: Outline, text: string, at: number): Outline {
  if (text === '') return outline;
  const partial = outline.partial + text;
  const begun =
    outline.current === undefined || (outline.afterBlank && !outline.inFence && beginsStep(outline, partial));
  const weight = estimateTokens(text);
  if (begun && partial.trim() !== '') {
    const fresh = outline.current === undefined || outline.current.line !== outline.lines;
    if (fresh) {
      const finished =
        outline.current === undefined ? outline.finished : [...outline.finished, outline.current];
      const step: Step = {
        title: toTitle(partial),
        line: outline.lines,
        startedAt: at,
        endedAt: at,
        weight,
        files: [],
      };
      return { ...outline, partial, finished, current: step };
    }
  }
  if (outline.current === undefined) return { ...outline, partial };
  // The title grows with its line until it is long enough to be cut.
  const titled = outline.current.line === outline.lines && partial.length <= LONGEST_TITLE * 3;
  const current: Step = {
    ...outline.current,
    ...(titled ? { title: toTitle(partial) } : {}),
    endedAt: at,
    weight: outline.current.weight + weight,
  };
  return { ...outline, partial, current };
}

/** Whether a line after a blank one begins a step, and not an item or a fence of the one before. */
function beginsStep(outline: Outline, line: string): boolean {
  const body = line.trimStart();
  if (body === '') return false;
  return outline.current?.line === outline.lines || !/^([-*+•]( |$)|```|~~~|\|)/.test(body);
}

function endLine(outline: Outline): Outline {
  const line = outline.partial.trim();
  const fence = /^(```|~~~)/.test(line);
  const files = findFiles(outline.partial);
  const current =
    outline.current === undefined || files.length === 0
      ? outline.current
      : { ...outline.current, files: addFiles(outline.current.files, files) };
  return {
    ...outline,
    current,
    partial: '',
    lines: outline.lines + 1,
    inFence: fence ? !outline.inFence : outline.inFence,
    afterBlank: line === '',
  };
}

/** Takes the last line into account, which has no end. For when the reasoning is over. */
export function closeOutline(outline: Outline): Outline {
  return outline.partial === '' ? outline : { ...endLine(outline), lines: outline.lines };
}

/** The first sentence of a line, without markup. */
function toTitle(line: string): string {
  const plain = line
    .replace(/^\s*(#{1,6}\s+|>\s*|[-*+]\s+)/, '')
    .replace(/(\*\*|__|`)/g, '')
    .trim();
  const sentence = /^.{12,}?[.!?:](?=\s|$)/.exec(plain)?.[0] ?? plain;
  const title = sentence.replace(/[:.]$/, '');
  return title.length <= LONGEST_TITLE ? title : `${title.slice(0, LONGEST_TITLE - 1).trimEnd()}…`;
}

const FILE =
  /(?<![\w/:.@-])((?:[\w.@-]+\/)*[\w@-][\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,7})(?::(\d{1,6}))?(?![\w/(-])/g;
// Without a folder, only what looks like source or text counts: "e.g" and "foo.bar" are no files.
const KNOWN_ENDING =
  /\.(ts|tsx|js|jsx|mjs|cjs|json|md|py|rs|go|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|sh|sql|html|css|scss|vue|svelte|yml|yaml|toml|xml|txt|ini|lock|lua|zig|ex|exs|hs|scala|ipynb)$/i;
const LONGEST_LINE_SEARCHED = 4000;

function findFiles(line: string): readonly FileMention[] {
  if (!line.includes('.')) return [];
  const found: FileMention[] = [];
  for (const match of line.slice(0, LONGEST_LINE_SEARCHED).matchAll(FILE)) {
    const [, path, at] = match;
    if (path === undefined || (!path.includes('/') && !KNOWN_ENDING.test(path))) continue;
    found.push({ path, line: at === undefined ? undefined : Number(at) });
  }
  return found;
}

function addFiles(known: readonly FileMention[], found: readonly FileMention[]): readonly FileMention[] {
  const fresh = found.filter(
    (file) => !known.some((other) => other.path === file.path && other.line === file.line),
  );
  return fresh.length === 0 ? known : [...known, ...fresh];
}
