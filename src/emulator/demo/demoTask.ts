/** Reads the task from a prompt: its kind, the code, and the files that are mentioned. */
import type { CompletionRequest, RequestMessage } from '../completionRequest.ts';

export type DemoTaskKind =
  | 'explain'
  | 'refactor'
  | 'fix'
  | 'resolve'
  | 'document'
  | 'test'
  | 'review'
  | 'commit'
  | 'image'
  | 'call-tool'
  | 'tool-result'
  | 'general';

export interface CodeBlock {
  /** The first word of the info string, in lower case; may be empty. */
  readonly language: string;
  readonly code: string;
}

export interface DemoTask {
  readonly kind: DemoTaskKind;
  /** The last user message, without its fenced blocks. */
  readonly question: string;
  /** The last fenced block of the last user message. */
  readonly block: CodeBlock | undefined;
  /** Files mentioned in the conversation, without duplicates, those of the last message first. */
  readonly files: readonly string[];
  /** The user's previous question; undefined for the first one. */
  readonly earlier: string | undefined;
}

interface FencedText {
  /** The text without its fenced blocks. */
  readonly outside: string;
  /** The last fenced block that is closed. */
  readonly block: CodeBlock | undefined;
  /** The last line above that block that isn't empty. */
  readonly above: string;
}

/** Reads line by line: an expression over several lines takes cubic time on many fences. */
function readFences(text: string): FencedText {
  const outside: string[] = [];
  let open: { readonly mark: string; readonly language: string; readonly from: number } | undefined;
  let block: CodeBlock | undefined;
  let above = '';
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    if (open === undefined) {
      const [, mark = '', language = ''] = /^(`{3,}|~{3,})[ \t]*([\w+#.-]*)/.exec(line) ?? [];
      if (mark === '') outside.push(line);
      else open = { mark, language: language.toLowerCase(), from: at };
    } else if (line.trimEnd() === open.mark) {
      const code = lines.slice(open.from + 1, at).map((one) => `${one}\n`);
      block = { language: open.language, code: code.join('') };
      above = outside.findLast((one) => one.trim() !== '') ?? '';
      open = undefined;
      // The block leaves an empty line.
      outside.push('');
    }
  }
  // A block that isn't closed is text.
  if (open !== undefined) outside.push(lines.slice(open.from).join('\n'));
  return { outside: outside.join('\n'), block, above };
}

/** Text that may be a path. Takes linear time, because the demo runs in the editor, and a question can have a line of a minified file. */
const PATH = /[\w@.-]+(?:\/[\w@.-]+)*(?:#\d+)?/g;

const FILE =
  /^(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.(?:ipynb(?:#\d+)?|tsx?|jsx?|mjs|cjs|json|md|py|rs|go|java|kt|cs?|cpp|h|rb|php|css|html|ya?ml|sh|sql|toml|csv|txt|xml)\b/;

/** The first pattern that matches the question determines the kind; specific patterns come before general ones. */
const KINDS: readonly (readonly [DemoTaskKind, RegExp])[] = [
  ['commit', /\bcommit message\b/i],
  ['resolve', /\bresolve\b.{0,40}\bconflicts?\b|\bmerge conflicts?\b/i],
  ['test', /\b(write|add|create|generate)\b.{0,40}\btests?\b|\bunit tests?\b/i],
  ['document', /\bdocument(ation)?\b|\bdoc ?(string|comment)s?\b|\bjsdoc\b/i],
  ['refactor', /\brefactor|\bsimplif|\bclean ?up\b|\brewrite\b|\brestructure\b|\bimprove\b|\brename\b/i],
  ['fix', /\bfix\b|\bbugs?\b|\berror\b|\bbroken\b|\brepair\b/i],
  ['review', /\breview\b|\bfindings\b/i],
  ['explain', /\bexplain\b|\bwhat does\b|\bhow does\b|\bdescribe\b|\bwalk me through\b/i],
];

/** Removes the project instructions, which are in the first question, and would be taken for its code. */
function withoutInstructions(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  let isHeading = false;
  for (const line of text.split('\n')) {
    if (fence !== undefined) {
      if (line.trimEnd() === fence) fence = undefined;
      continue;
    }
    const mark = isHeading ? /^(`{3,}|~{3,})/.exec(line)?.[1] : undefined;
    isHeading = line.startsWith('Project instructions in ');
    if (mark !== undefined) fence = mark;
    else if (!isHeading) kept.push(line);
  }
  return kept.join('\n');
}

export function readTask(request: CompletionRequest): DemoTask {
  const messages = request.messages.map((message) =>
    message.role === 'user' ? { ...message, text: withoutInstructions(message.text) } : message,
  );
  const users = messages.filter((message) => message.role === 'user');
  const newest = users.at(-1);
  const earlier = users.at(-2);
  const text = newest?.text ?? '';
  const { outside, block, above } = readFences(text);
  const question = outside.trim();
  return {
    kind: readKind(request, newest, question, block !== undefined),
    question,
    block,
    files: readFiles(messages, above),
    earlier: earlier === undefined ? undefined : readWords(earlier.text),
  };
}

function readKind(
  request: CompletionRequest,
  newest: RequestMessage | undefined,
  question: string,
  hasCode: boolean,
): DemoTaskKind {
  if (request.messages.at(-1)?.role === 'tool') return 'tool-result';
  const asksForTool =
    /\b(use|call|run|with)\b.{0,30}\btools?\b/i.test(question) ||
    request.tools.some(({ name }) => question.includes(name));
  if (asksForTool && request.tools.length > 0) return 'call-tool';
  if (newest !== undefined && newest.images.length > 0) return 'image';
  const kind = KINDS.find(([, pattern]) => pattern.test(question))?.[0];
  if (kind === undefined) return hasCode ? 'explain' : 'general';
  // Without code there is nothing to change, so a question about fixing or testing is a general question.
  return hasCode || kind === 'commit' ? kind : 'general';
}

/** The question of the user: the first paragraph that doesn't announce a block, such as an attached file. */
function readWords(text: string): string {
  const paragraphs = readFences(text)
    .outside.trim()
    .split(/\n\s*\n/);
  return paragraphs.find((paragraph) => !paragraph.trimEnd().endsWith(':')) ?? paragraphs[0] ?? '';
}

/** @param above the line above the code in question, whose file comes first */
function readFiles(messages: readonly RequestMessage[], above: string): readonly string[] {
  const texts = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  return [...new Set([...texts, above].reverse().flatMap(filesIn))].slice(0, 6);
}

const filesIn = (text: string): readonly string[] =>
  (text.match(PATH) ?? []).flatMap((path) => FILE.exec(path)?.[0] ?? []);
