/**
 * Reasoning as a list of steps. A step is a paragraph with the heading before it and the lists and fences that
 * follow it. The outline is folded from deltas. Each fold reads only the new text, so that the cost doesn't grow with the reasoning.
 */
import { shorten } from '../cutText.ts';
import { wholeShares } from '../usage/shares.ts';
import { estimateTokens } from '../usage/tokens.ts';

export interface FileMention {
  /** As written in the reasoning, for example `src/app.ts`. */
  readonly path: string;
  /** Counted from 1. Undefined if the reasoning doesn't name a line. */
  readonly line: number | undefined;
}

export interface ReasoningStep {
  readonly title: string;
  /** The line of the reasoning where the step starts, counted from 0. */
  readonly line: number;
  /** Milliseconds from the start of the turn to the first and the last text of the step. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Estimated tokens. `toStepTokens` scales them to the reported number. */
  readonly weight: number;
  readonly files: readonly FileMention[];
}

export interface Outline {
  /** The steps that are finished. */
  readonly finished: readonly ReasoningStep[];
  readonly current: ReasoningStep | undefined;
  /** The line that is being written, without a line break. */
  readonly partial: string;
  /** Whether it is known that the current line starts a step or continues one. */
  readonly decided: boolean;
  /** The number of complete lines. */
  readonly lines: number;
  readonly inFence: boolean;
  /** The last complete line was blank, or there is no complete line. */
  readonly afterBlank: boolean;
  /** The current step has nothing but headings so far, so the next paragraph belongs to it. */
  readonly headed: boolean;
}

export const EMPTY_OUTLINE: Outline = {
  finished: [],
  current: undefined,
  partial: '',
  decided: false,
  lines: 0,
  inFence: false,
  afterBlank: true,
  headed: false,
};

const MAX_TITLE_LENGTH = 80;
const MAX_TITLE_SOURCE_LENGTH = MAX_TITLE_LENGTH * 3;

/** Adds a reasoning delta that arrived `at` milliseconds after the turn started. */
export function foldOutline(outline: Outline, text: string, at: number): Outline {
  // The finished steps of one delta are appended together, because a service can send thousands in one delta.
  const finished: ReasoningStep[] = [];
  const take = (folded: Outline): Outline => {
    if (folded.finished.length === 0) return folded;
    finished.push(...folded.finished);
    return { ...folded, finished: NONE };
  };
  let next: Outline = { ...outline, finished: NONE };
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    next = take(endLine(addToLine(next, text.slice(start, end), at), at));
    start = end + 1;
  }
  if (start < text.length) next = take(addToLine(next, text.slice(start), at));
  // Not a spread, which takes several times as long with tens of thousands of steps.
  return {
    ...next,
    finished: finished.length === 0 ? outline.finished : outline.finished.concat(finished),
  };
}

const NONE: readonly ReasoningStep[] = [];

/** All steps, including the current one. */
export function stepsOf(outline: Outline): readonly ReasoningStep[] {
  return outline.current === undefined ? outline.finished : [...outline.finished, outline.current];
}

/** The tokens of each step: the estimates, scaled so that their sum is the reported number. */
export function toStepTokens(
  steps: readonly ReasoningStep[],
  reported: number | undefined,
): readonly number[] {
  const weights = steps.map(({ weight }) => weight);
  const estimated = weights.reduce((total, one) => total + one, 0);
  return wholeShares(reported ?? Math.round(estimated), weights);
}

// For example white space, the mark of a list item or of a heading before its words have come, or a rule between paragraphs. A
// line that starts like this is undecided up to this many characters. It doesn't start a step, because the step would have no
// title.
const WITHOUT_WORDS = /^[^\p{L}\p{N}]*$/u;
const MAX_START_LENGTH = 64;
// List items, fences, and table rows belong to the step before them.
const CONTINUES_STEP = /^([-*+•]( |$)|```|~~~|\|)/;
// A line in bold type alone is a heading as well.
const HEADING = /^(#{1,6}\s|(\*\*|__)[^*_]+(\*\*|__):?$)/;

function addToLine(outline: Outline, text: string, at: number): Outline {
  if (text === '') return outline;
  if (outline.decided) return growStep(outline, outline.partial + text, text, at);
  const grown = { ...outline, partial: outline.partial + text };
  const undecided = grown.partial.length < MAX_START_LENGTH && WITHOUT_WORDS.test(grown.partial);
  return undecided ? grown : decideLine(grown, at);
}

/** Decides whether the line starts a step or continues the current one. */
function decideLine(outline: Outline, at: number): Outline {
  const { current, partial } = outline;
  const body = partial.slice(0, MAX_START_LENGTH).trimStart();
  const begins =
    !WITHOUT_WORDS.test(body) &&
    (current === undefined ||
      (outline.afterBlank && !outline.inFence && !outline.headed && !CONTINUES_STEP.test(body)));
  if (!begins) return { ...growStep(outline, partial, partial, at), decided: true };
  const step: ReasoningStep = {
    title: toTitle(partial.slice(0, MAX_TITLE_SOURCE_LENGTH)),
    line: outline.lines,
    startedAt: at,
    endedAt: at,
    weight: estimateTokens(partial),
    files: [],
  };
  const finished = current === undefined ? outline.finished : [...outline.finished, current];
  return { ...outline, decided: true, finished, current: step };
}

/** Adds text to the current step. `partial` is the line including the text. */
function growStep(outline: Outline, partial: string, text: string, at: number): Outline {
  const { current } = outline;
  if (current === undefined) return { ...outline, partial };
  // The title grows with its line until it is long enough to be cut.
  const titled = current.line === outline.lines && partial.length - text.length < MAX_TITLE_SOURCE_LENGTH;
  const title = titled ? toTitle(partial.slice(0, MAX_TITLE_SOURCE_LENGTH)) : current.title;
  const weight = current.weight + estimateTokens(text);
  return { ...outline, partial, current: { ...current, title, endedAt: at, weight } };
}

function endLine(written: Outline, at: number): Outline {
  const line = written.partial.trim();
  const outline = written.decided || line === '' ? written : decideLine(written, at);
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
    decided: false,
    lines: outline.lines + 1,
    inFence: fence ? !outline.inFence : outline.inFence,
    afterBlank: line === '',
    headed: line === '' ? outline.headed : isHeading(outline, line),
  };
}

const isHeading = ({ current, lines, headed, inFence }: Outline, line: string): boolean =>
  !inFence && (headed || current?.line === lines) && HEADING.test(line.slice(0, MAX_TITLE_SOURCE_LENGTH));

/** Ends the last line, which has no line break. Called when the reasoning has ended. */
export function closeOutline(outline: Outline): Outline {
  if (outline.partial === '') return outline;
  return { ...endLine(outline, outline.current?.endedAt ?? 0), lines: outline.lines };
}

/** The first sentence of a line, without markup. */
function toTitle(line: string): string {
  const plain = line
    .replace(/^\s*(#{1,6}\s+|>\s*|[-*+]\s+)/, '')
    .replace(/(\*\*|__|`)/g, '')
    .trim();
  const sentence = /^.{12,}?[.!?:](?=\s|$)/.exec(plain)?.[0] ?? plain;
  const title = sentence.replace(/[:.]$/, '');
  return shorten(title, MAX_TITLE_LENGTH);
}

const FILE =
  /(?<![\w/:.@-])((?:[\w.@-]+\/)*[\w@-][\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,7})(?::(\d{1,6}))?(?![\w/(-])/g;
// A name without a folder must have a known extension: "e.g" and "foo.bar" are not files.
const KNOWN_ENDING =
  /\.(ts|tsx|js|jsx|mjs|cjs|json|md|py|rs|go|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|sh|sql|html|css|scss|vue|svelte|yml|yaml|toml|xml|txt|ini|lock|lua|zig|ex|exs|hs|scala|ipynb)$/i;
const MAX_SEARCHED_LINE_LENGTH = 4000;

function findFiles(line: string): readonly FileMention[] {
  if (!line.includes('.')) return [];
  const found: FileMention[] = [];
  for (const match of line.slice(0, MAX_SEARCHED_LINE_LENGTH).matchAll(FILE)) {
    const [, path, at] = match;
    if (path === undefined || (!path.includes('/') && !KNOWN_ENDING.test(path))) continue;
    found.push({ path, line: at === undefined ? undefined : Number(at) });
  }
  return found;
}

function addFiles(known: readonly FileMention[], found: readonly FileMention[]): readonly FileMention[] {
  const all = [...known];
  for (const file of found) {
    if (!all.some((other) => other.path === file.path && other.line === file.line)) all.push(file);
  }
  return all;
}
