/**
 * Renders Markdown to HTML. Raw HTML is shown as text, nothing is loaded from the network, links are http(s) only (docs/security.md). A
 * link to a path in the workspace has no address: its element contains the path, which the host opens.
 */
import createMarkdownIt, { type Token } from 'markdown-it';
import { parsePath } from '../../panel/pathText.ts';
import { type CodeBlockWords, toCodeBlock } from './codeBlock.ts';
import { useFootnotes } from './footnotes.ts';
import { useMath } from './mathRules.ts';
import { useTaskLists } from './taskLists.ts';

export interface MarkdownWords extends CodeBlockWords {
  /** The name of a footnote, with `{0}` for its label. */
  readonly footnote: string;
  /** The states of tasks in a list. */
  readonly done: string;
  readonly open: string;
}

export type MarkdownIt = ReturnType<typeof createMarkdownIt>;

/** Blocks that have the direction of their own text, for example right to left. */
const DIRECTED: ReadonlySet<string> = new Set(['paragraph_open', 'heading_open']);
/**
 * Blocks that have one direction for all of their content: the bullets of a list, the line of a quotation, and the first column of a
 * table are on the side where the text begins.
 */
const AROUND = /^(?:(?:bullet|ordered)_list|blockquote|table)_(open|close)$/;

/** Sets the direction of blocks by their text. Code in them stays left to right. */
function setDirection(tokens: readonly Token[]): void {
  let around = 0;
  for (const token of tokens) {
    const [, edge] = AROUND.exec(token.type) ?? [];
    if (edge === 'close') around--;
    if (around === 0 && (edge === 'open' || DIRECTED.has(token.type))) token.attrSet('dir', 'auto');
    if (edge === 'open') around++;
  }
}

/** Sets the alignment of table cells with classes, because the content security policy of the page allows no style attributes. */
function setAlignment(tokens: readonly Token[]): void {
  for (const token of tokens) {
    const [, side] = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? '')) ?? [];
    if (side !== undefined) token.attrs = [['class', `align-${side}`]];
  }
}

/** The level of the headings “You” and “svc-k3” on the page. */
const TURN_LEVEL = 3;
/** HTML has no deeper headings, and not every screen reader supports a deeper level. */
const DEEPEST_LEVEL = 6;

/**
 * Sets the level of headings for screen readers, so that the headings of an answer are below the heading of its turn. This doesn't
 * change their appearance.
 */
function setLevels(tokens: readonly Token[]): void {
  for (const token of tokens)
    if (token.type === 'heading_open')
      token.attrSet('aria-level', String(Math.min(DEEPEST_LEVEL, TURN_LEVEL + Number(token.tag.slice(1)))));
}

/** Creates a renderer whose code blocks have a header with buttons. */
export function createMarkdown(words: MarkdownWords): MarkdownIt {
  const md = createMarkdownIt({ html: false, linkify: true, typographer: false });
  const { escapeHtml } = md.utils;
  useMath(md);
  useFootnotes(md, words.footnote);
  useTaskLists(md, words);
  md.validateLink = (url) => /^https?:\/\//i.test(url.trim()) || toPath(url) !== undefined;
  // The library doesn't validate an empty address.
  md.renderer.rules['link_open'] = (tokens, index, options, _, renderer) => {
    const token = tokens[index];
    const href = String(token?.attrGet('href') ?? '');
    if (href === '' && token) token.attrs = null;
    const path = toPath(href);
    // Links don't nest, so the next end is that of this link.
    let end = index;
    while (end < tokens.length && tokens[end]?.type !== 'link_close') end++;
    const close = tokens[end];
    if (path !== undefined && token !== undefined && close !== undefined) {
      token.tag = 'span';
      token.attrs = [['data-path', path]];
      close.tag = 'span';
    }
    return renderer.renderToken(tokens, index, options);
  };
  // Loading an image would request its address, which could contain stolen text. The alternative text is shown instead, or the
  // address if there is none.
  md.renderer.rules['image'] = (tokens, index) =>
    escapeHtml(tokens[index]?.content || String(tokens[index]?.attrGet('src') ?? ''));
  const codeBlock = (text: string, info: string) => toCodeBlock(text, info, words, escapeHtml);
  md.renderer.rules['fence'] = (tokens, index) =>
    codeBlock(tokens[index]?.content ?? '', tokens[index]?.info ?? '');
  md.renderer.rules['code_block'] = (tokens, index) => codeBlock(tokens[index]?.content ?? '', '');
  md.core.ruler.push('alignment', ({ tokens }) => setAlignment(tokens));
  md.core.ruler.push('direction', ({ tokens }) => setDirection(tokens));
  md.core.ruler.push('levels', ({ tokens }) => setLevels(tokens));
  // Wide tables scroll in their own box, so that nothing overflows a narrow side bar.
  md.renderer.rules['table_open'] = () => '<div class="table-box" dir="auto" tabindex="0"><table>\n';
  md.renderer.rules['table_close'] = () => '</table></div>\n';
  return md;
}

/** The decoded path if the address of a link is a path in a folder; otherwise undefined. */
function toPath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.trim());
    return parsePath(path) === undefined ? undefined : path;
  } catch {
    // The address is not encoded correctly.
    return undefined;
  }
}
