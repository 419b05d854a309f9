/** The words of the demo answers. The first line of each says what it is. */
import { fence } from '../../text/fences.ts';
import type { RequestImage, RequestMessage } from '../completionRequest.ts';
import { documentCode, fixCode, readFunctions, refactorCode, testCode } from './demoCode.ts';
import { shorten } from './demoReasoning.ts';
import type { CodeBlock, DemoTask } from './demoTask.ts';

export const DEMO_MARK = 'This is a demo answer: no model was asked.';

const QUOTED_MARK = `> ${DEMO_MARK}`;

export function answerGeneral(task: DemoTask): string {
  const question = shorten(task.question, 200);
  return lines([
    QUOTED_MARK,
    ...followUp(task),
    question === '' ? 'You sent a message without words.' : `You asked: “${question}”`,
    'A real svc-k3 would answer here. Until it does, this is what you can look at in the meantime:',
    '1. **Reasoning** came first; open it above, or step by step in the Reasoning view.\n2. **The answer** streams as Markdown, with `code`, lists and links left inert.\n3. **The account** of this turn is under the answer: tokens, cached share, cost and times.',
    ...(task.files.length === 0 ? [] : [`I saw these files named: ${task.files.map(code).join(', ')}.`]),
    '```ts\nconst answer = await ask("your question");\nconsole.log(answer.reasoning, answer.text);\n```',
  ]);
}

/** Explain, refactor, fix, document, test and review, each with the code that was sent. */
export function answerCode(task: DemoTask): string {
  const block = task.block ?? { language: '', code: '' };
  const where = task.files[0] === undefined ? 'the code' : code(task.files[0]);
  switch (task.kind) {
    case 'refactor':
      return withChange(task, `Here is ${where}, tidied up:`, refactorCode(block));
    case 'fix':
      return withChange(task, `Here is ${where} with the slips put right:`, fixCode(block));
    case 'document':
      return withChange(task, `Here is ${where} with comments:`, documentCode(block));
    case 'test':
      return lines([
        QUOTED_MARK,
        ...followUp(task),
        `Tests for ${where}:`,
        fence(testCode(block), block.language),
      ]);
    case 'review':
      return lines([QUOTED_MARK, ...followUp(task), `What I would say about ${where}:`, findings(block)]);
    default:
      return lines([QUOTED_MARK, ...followUp(task), `What ${where} does:`, explanation(block)]);
  }
}

function withChange(
  task: DemoTask,
  lead: string,
  change: { readonly code: string; readonly notes: readonly string[] },
): string {
  const block = task.block ?? { language: '', code: '' };
  return lines([
    QUOTED_MARK,
    ...followUp(task),
    lead,
    fence(change.code, block.language),
    change.notes.map((note) => `- ${note}`).join('\n'),
  ]);
}

function explanation(block: CodeBlock): string {
  const names = readFunctions(block.code);
  const count = block.code.trimEnd().split('\n').length;
  const parts = [`- It has ${count} ${count === 1 ? 'line' : 'lines'}.`];
  for (const name of names) parts.push(`- \`${name}\` is declared here; a real model would say what for.`);
  if (/\b(for|while)\b/.test(block.code)) parts.push('- It loops, so look at where the loop ends.');
  if (/\b(await|async|then)\b/.test(block.code)) parts.push('- Part of it is asynchronous.');
  if (/\b(throw|raise|panic)\b/.test(block.code)) parts.push('- It can fail, and says so.');
  return parts.join('\n');
}

function findings(block: CodeBlock): string {
  const rules: readonly (readonly [RegExp, string])[] = [
    [/\bany\b/, 'medium: `any` switches the compiler off here.'],
    [/[^=!]==[^=]/, 'medium: `==` converts before it compares.'],
    [/<=\s*[\w.]+\.length/, 'high: the loop runs one past the end.'],
    [/\bvar\b/, 'low: `var` outlives its block.'],
    [/catch\s*(\([^)]*\))?\s*\{\s*\}/, 'high: an error is swallowed.'],
    [/\bTODO\b|\bFIXME\b/, 'low: a note to self is left.'],
  ];
  const found = block.code
    .split('\n')
    .flatMap((line, index) =>
      rules.filter(([pattern]) => pattern.test(line)).map(([, text]) => `- Line ${index + 1}, ${text}`),
    );
  return found.length === 0 ? '- Nothing that a demo would notice.' : found.join('\n');
}

/** The subject carries the mark: the message may end up in a box that shows nothing else. */
export function answerCommit(task: DemoTask): string {
  const what = task.files[0] === undefined ? 'the staged files' : task.files[0];
  const body =
    task.files.length > 1 ? `Touches ${task.files.join(', ')}.` : 'The diff says what; why is yours to tell.';
  return `Demo answer, no model was asked: change ${what}\n\n${body}`;
}

export function answerImage(task: DemoTask, images: readonly RequestImage[]): string {
  return lines([
    QUOTED_MARK,
    ...followUp(task),
    images.length === 1 ? 'About the image:' : `About the ${images.length} images:`,
    images.map((image) => `- ${describeImage(image)}`).join('\n'),
    'What it shows, a demo cannot tell.',
  ]);
}

function describeImage(image: RequestImage): string {
  if (image.kind === 'file') return `A file reference, \`ms://${image.id}\`; its bytes were not sent along.`;
  const { kind, width, height } = image.info;
  const size =
    width === undefined || height === undefined ? 'of unknown size' : `${width} × ${height} pixels`;
  return `A ${kind} image, ${size}, ${image.size} bytes.`;
}

export function answerTool(task: DemoTask, messages: readonly RequestMessage[]): string {
  const results = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  return lines([
    QUOTED_MARK,
    results.length === 1 ? 'The tool returned:' : `The ${results.length} tools returned:`,
    results.map(({ text }) => `- ${shorten(text, 200)}`).join('\n'),
    `With that, your question “${shorten(task.question, 120)}” is answered as far as a demo can.`,
  ]);
}

function followUp({ earlier }: DemoTask): readonly string[] {
  return earlier === undefined ? [] : [`Your earlier question was “${shorten(earlier, 120)}”.`];
}

function code(text: string): string {
  return `\`${text}\``;
}

function lines(paragraphs: readonly string[]): string {
  return paragraphs.join('\n\n');
}
