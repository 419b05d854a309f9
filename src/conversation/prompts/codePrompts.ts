/** Prompts for questions about code in the editor. They are for the model, so they aren't translated. */
import { fence } from '../../text/fences.ts';
import { estimateTokens } from '../usage/tokens.ts';
import { openingAtEnd, orientationsIn } from './codeSections.ts';

export type CodeTask = 'ask' | 'explain' | 'edit' | 'refactor' | 'fix' | 'document' | 'test' | 'resolve';

/** Lines of a file, counted from 0. The end is included. */
export interface CodeLines {
  readonly path: string;
  /** The editor's id of the language. */
  readonly language: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

export interface CodeQuestion {
  readonly task: CodeTask;
  readonly code: CodeLines & { readonly more?: readonly CodeLines[] };
  /** The text that the user entered: a question, or an instruction. */
  readonly instruction: string;
  /** The editor's diagnostics for these lines, one per line. */
  readonly diagnostics: readonly string[];
  /** Lines before and after the code. */
  readonly around: readonly CodeLines[];
  /** Other facts that the model has to know, in one paragraph. */
  readonly note?: string;
}

const OPENINGS: Readonly<Record<CodeTask, string>> = {
  ask: '',
  edit: '',
  explain: 'Explain what this code does, and what is not obvious about it.',
  refactor: 'Refactor this code without changing what it does.',
  fix: 'Fix this code.',
  document: 'Document this code with comments in the style of its language. Do not change the code itself.',
  test: 'Write tests for this code, in the style of the project, in a file of their own.',
  resolve:
    'Resolve this merge conflict: keep what both sides intend, and leave none of its markers. Change nothing else.',
};

/** The words of a command at the beginning of a prompt; empty if the prompt begins with the words of the user. */
export const openingOf = (prompt: string): string =>
  Object.values(OPENINGS).find((opening) => opening !== '' && prompt.startsWith(opening)) ??
  REVIEW_OPENING.exec(prompt)?.[0] ??
  '';

/** The first sentence of a review of code or of changes. */
const REVIEW_OPENING = /^Review .*? as a careful senior engineer would\./;

const CHANGES: ReadonlySet<CodeTask> = new Set(['edit', 'refactor', 'fix', 'document', 'resolve']);

/** The question as it is sent. The selected lines come last, part by part. */
export function toCodePrompt(question: CodeQuestion): string {
  const { task, code, instruction, diagnostics, around, note = '' } = question;
  const { more = [] } = code;
  return [
    [OPENINGS[task], instruction.trim()].filter((words) => words !== '').join(' '),
    note,
    ...(diagnostics.length === 0
      ? []
      : [`The editor says:\n${diagnostics.map((line) => `- ${line}`).join('\n')}`]),
    ...around.map(toOrientation),
    ...(CHANGES.has(task) ? [FORM_OF_CHANGES + (more.length > 0 ? IN_A_DIFF : IN_A_BLOCK)] : []),
    ...(task === 'test' ? [FORM_OF_TESTS] : []),
    ...[code, ...more].map((one) => `The code, ${toLocation(one)}:\n\n${fence(one.text, one.language)}`),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const FORM_OF_CHANGES =
  'Answer in the form that was asked for, without calling tools: each `find` is whole lines of the file, verbatim and enough of them to stand there exactly once. If you cannot, answer with ';
const IN_A_BLOCK = 'one fenced block that holds all of the lines below as they should be.';
const IN_A_DIFF = 'one fenced diff, headed by the path.';

/** Whether the answer to a task changes the code itself. */
export const changesCode = (task: CodeTask): boolean => CHANGES.has(task);

/** For a question about code whose earlier changes are still under review. */
export const NOT_ACCEPTED_YET =
  'Nothing that you proposed before and that is still open is in the file. Your new answer replaces it.';

const FORM_OF_TESTS =
  'Answer in the form that was asked for, without calling tools: a new file has one edit whose `find` is empty. If you cannot, answer with one fenced block.';

/** Code of a question: the lines as they were sent, and as they are now. */
export interface RenewedCode {
  readonly sent: string;
  readonly now: CodeLines;
}

/**
 * Updates the code in a prompt: the lines that the question is about, in their order, and the lines around them if the prompt has
 * any. The user's text stays.
 *
 * @returns undefined if the prompt doesn't have these lines, because the user has changed them
 */
export function renewCodePrompt(
  prompt: string,
  sections: readonly RenewedCode[],
  around: readonly CodeLines[],
): string | undefined {
  let end = prompt.length;
  let after = '';
  for (const { sent, now } of sections.toReversed()) {
    // In an edited question, a text box has changed the line ends.
    const code = prompt.includes('\r\n') ? sent : sent.replaceAll('\r\n', '\n');
    const block = fence(code).replace(/^`+/, '');
    const at = prompt.slice(0, end).lastIndexOf(block);
    const opening = at === -1 ? undefined : openingAtEnd(prompt.slice(0, at));
    if (opening === undefined || !block.endsWith(`\n${opening.marks}`)) return undefined;
    const section = `${opening.words}${toLocation(now)}:\n\n${fence(now.text, now.language)}`;
    after = section + prompt.slice(at + block.length, end) + after;
    end = opening.start;
  }
  return withOrientation(prompt.slice(0, end), around) + after;
}

/** The lines around the code in a prompt. */
export const linesAroundIn = (prompt: string): readonly Pick<CodeLines, 'startLine' | 'endLine' | 'text'>[] =>
  orientationsIn(prompt).flatMap(({ start, end }) => {
    const [heading = '', , , ...lines] = prompt.slice(start, end).trimEnd().split(/\r?\n/);
    const [, first, last = first] = /, lines? (\d+)(?:–(\d+))? \([^()]*\):$/.exec(heading) ?? [];
    const text = lines.slice(0, -1).map((line) => `${line}\n`);
    return first ? [{ startLine: Number(first) - 1, endLine: Number(last) - 1, text: text.join('') }] : [];
  });

/** Replaces the lines around the code. The new ones are at the place of the first old ones. */
function withOrientation(text: string, around: readonly CodeLines[]): string {
  const sections = orientationsIn(text);
  const ends = [0, ...sections.map(({ end }) => end)];
  const [head, ...rest] = [...sections.map(({ start }) => start), text.length].map((start, i) =>
    text.slice(ends[i], start),
  );
  const now = sections.length === 0 ? [] : around.map((lines) => `${toOrientation(lines)}\n\n`);
  return [head, ...now, ...rest].join('');
}

const toOrientation = (lines: CodeLines): string =>
  `For orientation, ${toLocation(lines)}:\n\n${fence(lines.text, lines.language)}`;

export function toLocation({ path, language, ...lines }: CodeLines): string {
  return `${path}, ${toLineRange(lines)} (${language})`;
}

/** Line numbers as the editor shows them, from 1. */
export function toLineRange({ startLine, endLine }: Pick<CodeLines, 'startLine' | 'endLine'>): string {
  return startLine === endLine ? `line ${startLine + 1}` : `lines ${startLine + 1}–${endLine + 1}`;
}

/**
 * The maximum number of tokens for the lines around the code: enough for imports and neighboring code, but
 * few compared with the answer.
 */
export const SURROUNDING_TOKENS = 2000;

/**
 * The lines around the code that fit the budget: half before, half after, complete lines, nearest first.
 *
 * @param lines all lines of the file
 * @returns ranges of lines, counted from 0, end included
 */
export function chooseSurroundings(
  lines: readonly string[],
  startLine: number,
  endLine: number,
  budget = SURROUNDING_TOKENS,
): readonly { readonly start: number; readonly end: number }[] {
  const half = budget / 2;
  let start = startLine;
  for (let left = half; start > 0; start--) {
    left -= estimateTokens(lines[start - 1] ?? '') + 1;
    if (left < 0) break;
  }
  let end = endLine;
  for (let left = half; end < lines.length - 1; end++) {
    left -= estimateTokens(lines[end + 1] ?? '') + 1;
    if (left < 0) break;
  }
  const parts = [
    { start, end: startLine - 1 },
    { start: endLine + 1, end },
  ];
  return parts.filter(
    (part) =>
      part.end >= part.start && lines.slice(part.start, part.end + 1).some((line) => line.trim() !== ''),
  );
}
