/**
 * The items of a list or the rows of a table that is still growing. Only the last one can still change, so only the last one is
 * rendered again, with the text that has arrived since.
 */
import type { Env, Token } from 'markdown-it';
import { labelsIn } from './footnotes.ts';
import type { MarkdownIt } from './markdown.ts';

/** The open list or table that a text begins with. */
export interface OpenItems {
  /** The lines before the first row of a table; empty for a list. */
  readonly head: string;
  /** The offset of the last item that is on a complete line, in UTF-16 code units. */
  readonly start: number;
  /** The number of items before it. */
  readonly index: number;
  /** The type of the token that opens the list or table. */
  readonly type: string;
  /** Whether the items of the list are paragraphs. */
  readonly isLoose: boolean;
}

/** The HTML of the items from index `from` on, in a list or table of their own, and of the blocks after it. */
export interface ItemUpdate {
  readonly from: number;
  readonly html: string;
}

/** A table begins with a header row and a delimiter row. */
const HEAD_LINES = 2;
/** The level of the tokens of rows, and of paragraphs in items. */
const INNER_LEVEL = 2;
/** Math that isn't closed extends over the items after it. */
const MATH = /\$\$|\\\[/;

/**
 * The open list or table that a text begins with, if it can be updated item by item.
 *
 * @param tokens the tokens of the text
 * @param env the definitions before the text
 */
export function toOpenItems(
  md: MarkdownIt,
  tokens: readonly Token[],
  text: string,
  env: Env,
): OpenItems | undefined {
  const [first] = tokens;
  if (first?.map?.[0] !== 0 || MATH.test(text)) return undefined;
  const isTable = first.type === 'table_open';
  const head = isTable ? text.slice(0, offsetOfLine(text, HEAD_LINES)) : '';
  const block = firstBlock(tokens);
  const isLoose = isTable ? false : isLooseList(block);
  const last = isLoose === undefined ? undefined : lastItem(block, text);
  if (last === undefined || isLoose === undefined) return undefined;
  if (isLoose && !isLooseUntil(md, text.slice(0, text.lastIndexOf('\n') + 1), env)) return undefined;
  return { head, start: last.start, index: last.index, type: first.type, isLoose };
}

/**
 * The update after a text has grown. Undefined if more than the last items changes, or if a block after them may be finished.
 * @param env the definitions before the text
 */
export function updateItems(
  md: MarkdownIt,
  open: OpenItems,
  text: string,
  env: Env,
): { readonly update: ItemUpdate; readonly open: OpenItems } | undefined {
  const slice = open.head + text.slice(open.start);
  if (MATH.test(slice)) return undefined;
  const own = copyOfEnv(env);
  const tokens = md.parse(slice, own);
  const defined = sizeOfEnv(own) !== sizeOfEnv(env);
  if (defined || tokens[0]?.type !== open.type || hasFinished(tokens, slice)) return undefined;
  const block = firstBlock(tokens);
  // Items without paragraphs can make a list loose, too.
  const isLoose = isLooseList(block) ?? /\n[ \t]*\n/.test(slice);
  if (isLoose && !open.isLoose) return undefined;
  if (open.isLoose) makeLoose(block);
  const update = { from: open.index, html: md.renderer.render(tokens, md.options, own) };
  const last = lastItem(block, slice);
  if (last === undefined) return undefined;
  const start = open.start + last.start - open.head.length;
  return { update, open: { ...open, start, index: open.index + last.index } };
}

/** A copy of the definitions, because definitions in unfinished text may still change and must not be kept. */
export function copyOfEnv(env: Env): Env {
  return { references: { ...env.references }, footnotes: new Set(labelsIn(env)) };
}

export function sizeOfEnv(env: Env): number {
  return Object.keys(env.references ?? {}).length + labelsIn(env).size;
}

export function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let i = 0; i < line; i++) offset = text.indexOf('\n', offset) + 1;
  return offset;
}

/** The tokens of the list or table. */
const firstBlock = (tokens: readonly Token[]) =>
  tokens.slice(
    0,
    tokens.findIndex(({ level, nesting }) => level === 0 && nesting === -1),
  );

/** The last item that begins on a complete line and isn't indented. Its index counts the items of the block. */
function lastItem(
  block: readonly Token[],
  text: string,
): { readonly start: number; readonly index: number } | undefined {
  const lines = block.filter(isItem).map(({ map }) => map?.[0] ?? 0);
  for (let index = lines.length - 1; index >= 0; index--) {
    const start = offsetOfLine(text, lines[index] ?? 0);
    if (/^\S.*\n/.test(text.slice(start))) return { start, index };
  }
  return undefined;
}

const isItem = ({ type, level, map }: Token) =>
  (type === 'list_item_open' && level === 1) ||
  (type === 'tr_open' && level === INNER_LEVEL && (map?.[0] ?? 0) >= HEAD_LINES);

/** Whether a block after the first one begins on a complete line. The first one is then finished. */
function hasFinished(tokens: readonly Token[], text: string): boolean {
  const complete = text.split('\n').length - 1;
  return tokens.some(
    ({ level, map, nesting }, at) => at > 0 && level === 0 && nesting !== -1 && (map?.[0] ?? 0) < complete,
  );
}

/**
 * Whether the complete lines alone make a list loose. An incomplete line can make it loose, too, but the rest of the line can still end
 * the list.
 */
const isLooseUntil = (md: MarkdownIt, complete: string, env: Env): boolean =>
  isLooseList(firstBlock(md.parse(complete, copyOfEnv(env)))) === true;

/** Whether a list is loose, which means that its items contain visible paragraphs. Undefined if it has no paragraphs. */
function isLooseList(block: readonly Token[]): boolean | undefined {
  const paragraph = block.find(isParagraphInItem);
  return paragraph === undefined ? undefined : !paragraph.hidden;
}

function makeLoose(block: readonly Token[]): void {
  for (const token of block) if (isParagraphInItem(token)) token.hidden = false;
}

const isParagraphInItem = ({ type, level }: Token) => /^paragraph_/.test(type) && level === INNER_LEVEL;
