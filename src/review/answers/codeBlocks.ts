/** The fenced code blocks of an answer. */
import type { Token } from 'markdown-it';
import { parseBlocks } from './markdownBlocks.ts';

export interface CodeBlock {
  /** The first word of the info string, unchanged; empty when there is none. */
  readonly language: string;
  /** The file named in the info string, if any. */
  readonly path: string | undefined;
  /**
   * Names to try before `path`, the longest first. They end in `path`: in an info string without quotation marks, the words before
   * it can belong to the name. For a diff with two names, this is the first name.
   */
  readonly longerPaths?: readonly string[];
  readonly code: string;
  /**
   * The answer was cut off in this block, or isn't complete yet. If the code doesn't end with a line end, its last line is
   * incomplete, too.
   */
  readonly isCut?: true;
}

/**
 * The code block as it is in an answer that isn't complete: marked as cut if the answer ends in the block, or ended in it when the
 * block was read.
 */
export function inCutAnswer(block: CodeBlock, answer: string): CodeBlock {
  const fences = parseBlocks(answer).filter(({ type }) => type === 'fence');
  const isClosed = ({ map, content }: Pick<Token, 'map' | 'content'>) =>
    map !== null && /(?:^|\n)$/.test(content) && map[1] - map[0] === content.split('\n').length + 1;
  if (fences.some((one) => one.content === block.code && isClosed(one))) return block;
  const isPart = (code: string) => fences.some(({ content }) => content.startsWith(code));
  const code = [block.code, block.code.replace(/\n$/, '')].find(isPart);
  return code === undefined ? block : { ...block, code, isCut: true };
}

/** The code blocks of a Markdown text, in order. A fence that isn't closed ends with the text. */
export function readCodeBlocks(markdown: string): readonly CodeBlock[] {
  return parseBlocks(markdown)
    .filter(({ type }) => type === 'fence')
    .map(({ info, content }) => ({ ...readInfo(info), code: content }));
}

/** A code block and its line numbers in the text, counted from 0. The fences are included. */
export interface FencedLines {
  readonly from: number;
  /** The line after the last line of the block. */
  readonly to: number;
  /** The info string: the text behind the opening fence. */
  readonly info: string;
  readonly code: string;
}

/** The code blocks of a Markdown text with their places, in order. */
export function fencesOf(markdown: string): readonly FencedLines[] {
  return parseBlocks(markdown).flatMap(({ type, map, info, content }) =>
    type === 'fence' && map !== null ? [{ from: map[0], to: map[1], info, code: content }] : [],
  );
}

/** The lines outside the code blocks. */
export function withoutCodeBlocks(markdown: string): string {
  const lines = markdown.split('\n');
  for (const { from, to } of fencesOf(markdown)) lines.fill('', from, to);
  return lines.join('\n').replace(/\n{3,}/g, '\n\n');
}

const NAMED = /(?<![\w-])(title|file|filename|path)=(?=\S)/i;
/** A quotation mark that isn't closed counts as part of a word, so there is always a match where a value begins. */
const VALUE = /"([^"]+)"|'([^']+)'|(\S+)/y;
/** Words, and names in quotation marks. */
const WORDS = /"([^"]+)"(?!\S)|'([^']+)'(?!\S)|(\S+)/g;

/** Parses info strings such as `ts src/a.ts`, `ts title="src/a.ts"`, `ts:src/a.ts`, and `src/a.ts`. */
export function readInfo(info: string): Omit<CodeBlock, 'code'> {
  const [first = '', ...others] = Array.from(info.matchAll(WORDS), textOf);
  const named = namedIn(info);
  const [, prefix, rest = ''] = /^([\w+#-]+):(.+)/.exec(first) ?? [];
  if (named !== undefined && !isPath(first)) return { language: prefix ?? first, path: named };
  if (isPath(first)) return { language: first.split('.').at(-1) ?? '', path: first };
  const words = prefix === undefined ? others : [rest, ...others];
  const path = pathIn(prefix ?? first, words);
  if (path === undefined) return { language: first, path };
  const longerPaths = longerPathsIn(
    first.includes('/') && prefix === undefined ? [first, ...words] : words,
    path,
  );
  return { language: prefix ?? first, path, ...(longerPaths.length > 0 && { longerPaths }) };
}

const SHELL = /^(?:sh|bash|zsh|fish|shell|console|shell-?session|terminal|powershell|pwsh|cmd|bat)$/i;

/**
 * Whether a block contains no code of a file, but commands, output of programs, data, or a tree of folders. In a block without a
 * language, at least one line must look like code, because models leave the language out mostly for such blocks.
 */
export const hasNoCode = ({ language, code }: Pick<CodeBlock, 'language' | 'code'>): boolean =>
  language === ''
    ? !code.split('\n').some((line) => CODE.test(line.trim()))
    : SHELL.test(language) || /^(?:output|log|te?xt|plaintext)$/i.test(language);

/** Matches a trimmed line that is almost certainly code. No line of JSON matches. */
const CODE =
  /;$|[^\s:,[{(]\s*\{$|^(?:(?:export )?(?:const|let|var) (?:[{[]|[\w$]+\s*(?:[=:]|$))|export (?:default|type|\{|\*)|(?:async )?(?:def|func|function) ?[\w$]*\(|class \w+(?:\(.*\))?:$|import (?:(?:.+ from )?['"]|[\w.]+$)|from [\w.]+ import |for \w+ in .+:$|#include\b|(?:await )?[\w$]+(?:\.[\w$]+)+(?:\(.*\)$| = )|<\/[a-z]|<[a-z][\w-]* [\w:@-]+=)/;

/** The value of the attribute that names a file. A title counts only if it looks like a file name. */
function namedIn(info: string): string | undefined {
  const name = NAMED.exec(info);
  if (name === null) return undefined;
  VALUE.lastIndex = name.index + name[0].length;
  const value = VALUE.exec(info);
  const named = value === null ? undefined : textOf(value);
  return name[1]?.toLowerCase() !== 'title' || isPath(named ?? '') ? named : undefined;
}

const textOf = ([, double, single, word = '']: RegExpMatchArray): string => double ?? single ?? word;

/**
 * The file name among the words behind a language. Behind the language of a shell, the words can be a command that names files, so
 * they are ignored. Only the last word of a name with spaces is found, unless the name is in quotation marks, because words such as
 * `client/server` can precede the name.
 */
function pathIn(language: string, words: readonly string[]): string | undefined {
  const isComment = /^(?:#|\/\/)$/.test(words[0] ?? '');
  if (words.length > (isComment ? 2 : 1) && SHELL.test(language)) return undefined;
  return words.find(isPath);
}

/** The most words of a file name. More words are a sentence. */
const MOST_WORDS = 8;

function longerPathsIn(words: readonly string[], path: string): readonly string[] {
  const end = words.indexOf(path) + 1;
  const last = words.slice(Math.max(0, end - MOST_WORDS), end);
  return last.map((_, from) => last.slice(from).join(' ')).filter((name) => name !== path && isPath(name));
}

/** Whether a word, or a text in quotation marks, is the name of a file with an extension. */
export function isPath(name: string): boolean {
  return /^(?!~\/)[\p{L}\p{M}\p{N}\w@./\\[\]()$+~ -]*[\p{L}\p{M}\p{N}\w\])$+~-]\.[A-Za-z]\w{0,9}$/u.test(
    name,
  );
}
