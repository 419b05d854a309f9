/** The texts of the demo answers. The first line of each says that it is a demo. */
import { fence } from '../../text/fences.ts';
import type { RequestImage, RequestMessage } from '../completionRequest.ts';
import { documentCode, fixCode, readFunctions, refactorCode, resolveCode, testCode } from './demoCode.ts';
import { shorten } from './demoReasoning.ts';
import type { CodeBlock, DemoTask } from './demoTask.ts';

export const DEMO_MARK = 'This is a demo answer: no model was asked.';

const QUOTED_MARK = `> ${DEMO_MARK}`;

export function answerGeneral(task: DemoTask): string {
  const question = shorten(task.question, 200);
  return lines([
    QUOTED_MARK,
    ...followUp(task),
    question === '' ? 'You sent a message without text.' : `You asked: “${question}”`,
    'With the real service, svc-k3 answers here. In the demo, you can look at the following:',
    '1. **Reasoning** arrives first. Expand it above, or read it in steps in the Reasoning view.\n2. **The answer** streams as Markdown, with `code` and lists.\n3. **Usage** is shown under the answer: the cost, and in Details the tokens, the cached share, and the times.',
    ...mentioned(task),
    '```ts\nconst answer = await ask("your question");\nconsole.log(answer.reasoning, answer.text);\n```',
  ]);
}

/** Answers for explain, refactor, fix, document, test, and review, each with the code that was sent. */
export function answerCode(task: DemoTask): string {
  const block = task.block ?? { language: '', code: '' };
  const where = task.files[0] === undefined ? 'the code' : code(task.files[0]);
  switch (task.kind) {
    case 'refactor':
      return withChange(task, `Here is ${where} after refactoring:`, refactorCode(block));
    case 'fix':
      return withChange(task, `Here is ${where} with the fixes applied:`, fixCode(block));
    case 'resolve':
      return withChange(task, `Here is ${where} without the conflict:`, resolveCode(block));
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
      return lines([QUOTED_MARK, ...followUp(task), `Review of ${where}:`, findings(block)]);
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
  for (const name of names) parts.push(`- \`${name}\` is declared here.`);
  if (/\b(for|while)\b/.test(block.code)) parts.push('- It contains a loop. Check its end condition.');
  if (/\b(await|async|then)\b/.test(block.code)) parts.push('- Part of it is asynchronous.');
  if (/\b(throw|raise|panic)\b/.test(block.code)) parts.push('- It can throw an error.');
  return parts.join('\n');
}

function findings(block: CodeBlock): string {
  const rules: readonly (readonly [RegExp, string])[] = [
    [/\bany\b/, 'medium: `any` disables type checking here.'],
    [/[^=!]==[^=]/, 'medium: `==` converts types before it compares.'],
    [/<=\s*[\w.]+\.length/, 'high: the loop runs past the end of the array.'],
    [/\bvar\b/, 'low: `var` is visible outside its block.'],
    [/catch\s*(\([^)]*\))?\s*\{\s*\}/, 'high: an error is ignored.'],
    [/\bTODO\b|\bFIXME\b/, 'low: there is an unresolved TODO.'],
  ];
  const found = block.code
    .split('\n')
    .flatMap((line, index) =>
      rules.filter(([pattern]) => pattern.test(line)).map(([, text]) => `- Line ${index + 1}, ${text}`),
    );
  return found.length === 0 ? '- The demo found no problems.' : found.join('\n');
}

/** The demo mark is in the subject, because the commit message box may show nothing else. */
export function answerCommit(task: DemoTask): string {
  const what = task.files[0] === undefined ? 'the staged files' : task.files[0];
  const body = task.files.length > 1 ? `Touches ${task.files.join(', ')}.` : 'The diff shows what changed.';
  return `Demo answer, no model was asked: change ${what}\n\n${body}`;
}

export function answerImage(task: DemoTask, images: readonly RequestImage[]): string {
  return lines([
    QUOTED_MARK,
    ...followUp(task),
    images.length === 1 ? 'About the image:' : `About the ${images.length} images:`,
    images.map((image) => `- ${describeImage(image)}`).join('\n'),
    images.length === 1
      ? 'The demo can’t describe what it shows.'
      : 'The demo can’t describe what they show.',
    ...mentioned(task),
  ]);
}

function describeImage(image: RequestImage): string {
  if (image.kind === 'file') return `A file reference, \`ms://${image.id}\`; its content was not sent.`;
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
    `This completes the demo answer to your question “${shorten(task.question, 120)}”.`,
  ]);
}

function mentioned({ files }: DemoTask): readonly string[] {
  return files.length === 0 ? [] : [`The conversation mentions these files: ${files.map(code).join(', ')}.`];
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
