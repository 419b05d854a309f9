/** The blocks of a Markdown text, as far as they say where code blocks begin and end. */
import createMarkdownIt, { type MarkdownIt, type Token } from 'markdown-it';

/** Made when it is first needed, because that takes milliseconds. */
let blocks: MarkdownIt | undefined;

/** Only the rules that determine where a block starts and ends: no inline text, no HTML. */
export function parseBlocks(markdown: string): readonly Token[] {
  blocks ??= createMarkdownIt('zero').enable(['fence', 'list', 'blockquote']);
  return blocks.parse(markdown, {});
}
