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

const NAMED = /(?:title|file|filename|path)=(?=\S)/i;
/** Also a quotation mark that isn't closed, so the first place with a value ends the search. */
const VALUE = /"([^"]+)"|'([^']+)'|(\S+)/y;

/** Parses info strings such as `ts src/a.ts`, `ts title="src/a.ts"`, `ts:src/a.ts`, and `src/a.ts`. */
export function readInfo(info: string): { readonly language: string; readonly path: string | undefined } {
  const words = info.trim().split(/\s+/);
  const first = words[0] ?? '';
  const named = namedIn(info);
  const colon = /^([\w+#-]+):(.+)/.exec(first);
  if (named !== undefined && !isPath(first)) return { language: colon?.[1] ?? first, path: named };
  if (colon?.[1] !== undefined && colon[2] !== undefined && isPath(colon[2]))
    return { language: colon[1], path: colon[2] };
  if (isPath(first)) return { language: first.split('.').at(-1) ?? '', path: first };
  return { language: first, path: words.slice(1).find(isPath) };
}

/** The value of the attribute that names a file. */
function namedIn(info: string): string | undefined {
  const name = NAMED.exec(info);
  if (name === null) return undefined;
  VALUE.lastIndex = name.index + name[0].length;
  const value = VALUE.exec(info);
  return value?.[1] ?? value?.[2] ?? value?.[3];
}

/** Whether a word has a file extension. */
function isPath(word: string): boolean {
  return /^[\w@./\\-]*[\w-]\.[A-Za-z]\w{0,9}$/.test(word);
}
