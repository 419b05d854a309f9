/** The reasoning of the demo model: a few steps in paragraphs that mention the files of the prompt. */
import type { CompletionRequest } from '../completionRequest.ts';
import { readFunctions } from './demoCode.ts';
import type { DemoTask, DemoTaskKind } from './demoTask.ts';

const AIM: Readonly<Record<DemoTaskKind, string>> = {
  explain: 'explain what this code does',
  refactor: 'refactor this code without changing its behavior',
  fix: 'find and fix what is wrong in this code',
  resolve: 'resolve the merge conflict in this code',
  document: 'document this code',
  test: 'write tests for this code',
  review: 'review this code for problems',
  commit: 'summarize a change in a commit message',
  image: 'describe an image',
  'call-tool': 'use one of the available tools',
  'tool-result': 'continue with the result of the tool',
  general: 'answer a question',
};

const PLAN: Readonly<Record<DemoTaskKind, string>> = {
  explain: 'I read it from the top, name its inputs and outputs, and point out what is easy to miss.',
  refactor:
    'I keep the names and the behavior, and change one thing at a time, so that each hunk can be reviewed separately.',
  fix: 'I check comparisons, loop limits, and empty input, where most errors are.',
  resolve:
    'I keep both sides in their order, because I can’t tell which of them is meant, and remove the markers.',
  document:
    'I describe the parameters and return value of each function, and leave out what the signature already says.',
  test: 'I write one test for the usual case, one for empty input, and one for the limit.',
  review: 'I sort the findings by severity and write one line for each.',
  commit: 'The subject says what changed and the body says why. I keep the subject short.',
  image: 'I can read its type and size from the header. The demo can’t recognize what it shows.',
  'call-tool': "I read the tool's schema and fill in the fields that it requires.",
  'tool-result': 'The result is available, so I can answer without another call.',
  general: 'I repeat the question and explain what the real model would do.',
};

/** Steps that each effort skips. */
const SKIPPED = { low: ['**Making', '**Checking', '**Looking'], high: ['**Checking'], max: [] } as const;

/** @param effort undefined reasons as long as `max` */
export function toReasoning(task: DemoTask, effort: CompletionRequest['effort']): string {
  const subject = task.question === '' ? 'empty' : `“${shorten(task.question, 160)}”`;
  const steps = [
    `**Reading the question.** The request is ${subject}. As I understand it, the task is to ${AIM[task.kind]}.`,
    ...toEarlierSteps(task),
    ...toFileSteps(task),
    ...toCodeSteps(task),
    `**Making a plan.** ${PLAN[task.kind]}`,
    '**Checking the plan.** It answers the question and nothing else. A shorter answer would leave out a reason.',
    '**Writing the answer.** First the note that this is a demo, then the answer itself.',
  ];
  const skipped: readonly string[] = SKIPPED[effort ?? 'max'];
  return steps.filter((step) => !skipped.some((start) => step.startsWith(start))).join('\n\n');
}

function toEarlierSteps({ earlier }: DemoTask): readonly string[] {
  if (earlier === undefined) return [];
  return [
    `**Looking back.** The earlier question was “${shorten(earlier, 80)}”, so this one may refer to it.`,
  ];
}

function toFileSteps({ files }: DemoTask): readonly string[] {
  const [first, ...others] = files;
  if (first === undefined) return [];
  const more =
    others.length === 0 ? '' : ` It touches ${others.map((file) => `\`${file}\``).join(', ')} as well.`;
  return [`**Locating the code.** The code is in \`${first}\`.${more}`];
}

function toCodeSteps({ block }: DemoTask): readonly string[] {
  if (block === undefined) return [];
  const lines = block.code.trimEnd().split('\n').length;
  const names = readFunctions(block.code);
  const functions =
    names.length === 0
      ? 'It declares no function.'
      : `It declares:\n${names.map((name) => `- \`${name}\``).join('\n')}`;
  return [
    `**Reading the code.** ${lines} ${lines === 1 ? 'line' : 'lines'}${block.language === '' ? '' : ` of ${block.language}`}. ${functions}`,
  ];
}

/** One line, cut between words. */
export function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length);
  const end = cut.lastIndexOf(' ');
  return `${end > length / 2 ? cut.slice(0, end) : cut}…`;
}
