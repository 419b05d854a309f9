/** The reasoning of the demo model: a few steps in paragraphs, which name the files that the prompt names. */
import type { CompletionRequest } from '../completionRequest.ts';
import { readFunctions } from './demoCode.ts';
import type { DemoTask, DemoTaskKind } from './demoTask.ts';

const AIM: Readonly<Record<DemoTaskKind, string>> = {
  explain: 'explain what this code does',
  refactor: 'change the shape of this code without changing what it does',
  fix: 'find what is wrong here and put it right',
  document: 'describe this code where it stands',
  test: 'write tests for this code',
  review: 'look for what a careful reader would object to',
  commit: 'sum up a change in a commit message',
  image: 'say something about an image',
  'call-tool': 'use one of the tools that were offered',
  'tool-result': 'go on with what the tool returned',
  general: 'answer a question',
};

const PLAN: Readonly<Record<DemoTaskKind, string>> = {
  explain:
    'I go through it from the top, name what goes in and what comes out, and say what is easy to miss.',
  refactor:
    'I keep the names and the behaviour, and change one thing at a time, so that each hunk can be judged alone.',
  fix: 'I look at comparisons, the limits of loops and what happens with nothing at all, since that is where most slips are.',
  document: 'I say what each function takes and gives back, and leave out what the signature already says.',
  test: 'I want one test for the usual case, one for an empty input and one for the limit.',
  review: 'I sort what I find by how much it would hurt, and give a line for each.',
  commit: 'The subject says what and the body says why; I keep the subject short.',
  image: 'I can tell its type and its size from the header. What it shows is beyond a demo.',
  'call-tool': "I read the tool's schema and fill in the fields that it requires.",
  'tool-result': 'The result is there, so no further call is needed and I can answer.',
  general: 'I say what I was asked, and what a real model would do with it.',
};

/** Steps that each effort leaves out. */
const SKIPPED = { low: ['**Making', '**Checking', '**Looking'], high: ['**Checking'], max: [] } as const;

/** @param effort undefined thinks as long as `max` does */
export function toReasoning(task: DemoTask, effort: CompletionRequest['effort']): string {
  const subject = task.question === '' ? 'nothing in words' : `“${shorten(task.question, 160)}”`;
  const steps = [
    `**Reading the question.** The request is ${subject}. As I understand it, the task is to ${AIM[task.kind]}.`,
    ...toEarlierSteps(task),
    ...toFileSteps(task),
    ...toCodeSteps(task),
    `**Making a plan.** ${PLAN[task.kind]}`,
    '**Checking the plan.** Does it answer what was asked, and nothing else? It does. Is there a shorter way to say it? Not without leaving out a reason.',
    '**Writing the answer.** First the note that this is a demo, then the answer itself.',
  ];
  const skipped: readonly string[] = SKIPPED[effort ?? 'max'];
  return steps.filter((step) => !skipped.some((start) => step.startsWith(start))).join('\n\n');
}

function toEarlierSteps({ earlier }: DemoTask): readonly string[] {
  if (earlier === undefined) return [];
  return [`**Looking back.** Before this I was asked “${shorten(earlier, 80)}”, so this may build on it.`];
}

function toFileSteps({ files }: DemoTask): readonly string[] {
  const [first, ...others] = files;
  if (first === undefined) return [];
  const more =
    others.length === 0 ? '' : ` It touches ${others.map((file) => `\`${file}\``).join(', ')} as well.`;
  return [`**Locating the code.** The place to look is \`${first}\`.${more}`];
}

function toCodeSteps({ block }: DemoTask): readonly string[] {
  if (block === undefined) return [];
  const lines = block.code.trimEnd().split('\n').length;
  const names = readFunctions(block.code);
  const functions =
    names.length === 0
      ? 'There is no function of its own in it.'
      : `It declares:\n${names.map((name) => `- \`${name}\``).join('\n')}`;
  return [
    `**Reading the code.** ${lines} ${lines === 1 ? 'line' : 'lines'}${block.language === '' ? '' : ` of ${block.language}`}. ${functions}`,
  ];
}

/** One line, cut at a word. */
export function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length);
  const end = cut.lastIndexOf(' ');
  return `${end > length / 2 ? cut.slice(0, end) : cut}…`;
}
