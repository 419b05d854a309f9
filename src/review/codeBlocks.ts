/** The fenced code blocks of an answer. */
import { parseBlocks } from './markdownBlocks.ts';

export interface CodeBlock {
  /** The first word of the info string, unchanged; empty when there is none. */
  readonly language: string;
  /** The file named in the info string, if any. */
  readonly path: string | undefined;
  readonly code: string;
}

/** The code blocks of a Markdown text, in order. A fence that isn't closed ends with the text. */
export function readCodeBlocks(markdown: string): readonly CodeBlock[] {
  return parseBlocks(markdown)
    .filter(({ type }) => type === 'fence')
    .map(({ info, content }) => ({ ...readInfo(info), code: content }));
}

/** A code block, with the lines that it has in the text, from 0. */
export interface FencedLines {
  readonly from: number;
  /** The line after its last one. */
  readonly to: number;
  readonly code: string;
}

/** The code blocks of a Markdown text with their places, in order. */
export function fencesOf(markdown: string): readonly FencedLines[] {
  return parseBlocks(markdown).flatMap(({ type, map, content }) =>
    type === 'fence' && map !== null ? [{ from: map[0], to: map[1], code: content }] : [],
  );
}

/** The lines outside the code blocks. */
export function withoutCodeBlocks(markdown: string): string {
  const lines = markdown.split('\n');
  for (const { from, to } of fencesOf(markdown)) lines.fill('', from, to);
  return lines.join('\n').replace(/\n{3,}/g, '\n\n');
}

const NAMED = /(?<![\w-])(title|file|filename|path)=(?=\S)/i;
/** Also a quotation mark that isn't closed, so the first place with a value ends the search. */
const VALUE = /"([^"]+)"|'([^']+)'|(\S+)/y;
/** Words, and names in quotation marks. */
const WORDS = /"([^"]+)"(?!\S)|'([^']+)'(?!\S)|(\S+)/g;

/** Parses info strings such as `ts src/a.ts`, `ts title="src/a.ts"`, `ts:src/a.ts`, and `src/a.ts`. */
export function readInfo(info: string): { readonly language: string; readonly path: string | undefined } {
  const [first = '', ...others] = Array.from(info.matchAll(WORDS), textOf);
  const named = namedIn(info);
  const [, prefix, rest = ''] = /^([\w+#-]+):(.+)/.exec(first) ?? [];
  if (named !== undefined && !isPath(first)) return { language: prefix ?? first, path: named };
  if (isPath(first)) return { language: first.split('.').at(-1) ?? '', path: first };
  const path = prefix === undefined ? pathIn(first, others) : pathIn(prefix, [rest, ...others]);
  return { language: path === undefined ? first : (prefix ?? first), path };
}

const SHELL = /^(?:sh|bash|zsh|fish|shell|console|shell-?session|terminal|powershell|pwsh|cmd|bat)$/i;

/**
 * Whether a block has no code: commands, what they print, or a tree of folders. Without a language, its lines have to look so,
 * because models also leave it out above code.
 */
export const hasNoCode = ({ language, code }: Pick<CodeBlock, 'language' | 'code'>): boolean =>
  language === ''
    ? /[\u2500-\u257f]/.test(code) || code.split('\n').every((line) => LISTED.test(line))
    : SHELL.test(language) || /^(?:output|log|te?xt|plaintext)$/i.test(language);

/** A name, a command, or nothing. */
const LISTED = /^\s*(?:[\w.@/-]*$|\$ |(?:npm|npx|pnpm|yarn|pip3?|python3?|node|git|cargo|go|make|cd) )/;

/** The value of the attribute that names a file. A title need not be a name. */
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
 * The file among the words behind a language. Those behind a shell can be a command, which names files, too. A name with
 * spaces has to be in quotation marks: words such as `client/server` can stand before the name.
 */
function pathIn(language: string, words: readonly string[]): string | undefined {
  const isComment = /^(?:#|\/\/)$/.test(words[0] ?? '');
  if (words.length > (isComment ? 2 : 1) && SHELL.test(language)) return undefined;
  return words.find(isPath);
}

/** Whether a word, or a text in quotation marks, is the name of a file with an extension. */
function isPath(name: string): boolean {
  return /^(?!~\/)[\p{L}\p{M}\p{N}\w@./\\[\]()$+~ -]*[\p{L}\p{M}\p{N}\w\])$+~-]\.[A-Za-z]\w{0,9}$/u.test(
    name,
  );
}
