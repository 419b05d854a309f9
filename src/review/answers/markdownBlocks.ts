/** Parses the block structure of a Markdown text, as far as it determines where code blocks begin and end. */
import createMarkdownIt, { type MarkdownIt, type Token } from 'markdown-it';

/** Created at the first use, because creating it takes milliseconds. */
let blocks: MarkdownIt | undefined;

/** Only the rules that determine where a block starts and ends: no inline text, no HTML. */
export function parseBlocks(markdown: string): readonly Token[] {
  blocks ??= createMarkdownIt('zero').enable(['fence', 'list', 'blockquote']);
  return blocks.parse(markdown, {});
}
