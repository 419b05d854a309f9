/**
 * Escapes text of the model so that Markdown displays nothing in it but words: no links, images, or HTML. Code in single
 * backticks, bold words, lists, and quotes stay, and a heading becomes a bold line.
 */
export function toPlainMarkdown(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => toLine(line.trim()))
    .join('\n');
}

function toLine(line: string): string {
  const title = /^#{1,6} ([^*]+)$/.exec(line)?.[1]?.replace(/(?<=[^\s#])[\s#]+$/, '');
  // An empty line, because the next one would be in the same paragraph.
  if (title !== undefined && title !== '') return `**${toPlainWords(title)}**\n`;
  const [, mark] = /^([-*>]|\d{1,9}\.) /.exec(line) ?? [];
  if (mark === undefined) return startOf(toPlainWords(line));
  return `${mark} ${startOf(toPlainWords(line.slice(mark.length).trimStart()))}`;
}

/** What means something at the start of a line only: a mark, a number, or the line under a heading. */
const startOf = (line: string) =>
  line
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[-+#>=]/, '\\$&')
    // An escaped bracket in front of a line begins math in the chat.
    .replace(/^\\\[/, '&#91;');

/** The same for text that is not at the start of a line, such as the cell of a table. */
export function toPlainWords(text: string): string {
  let plain = '';
  let end = 0;
  for (const kept of text.matchAll(/(?<!`)`[^`]+`(?!`)|(?<!\*)\*\*([^\s*`](?:[^*`]*[^\s*`])?)\*\*(?!\*)/g)) {
    const [whole, bold] = kept;
    plain += escaped(text.slice(end, kept.index));
    plain += bold === undefined ? whole : `**${escaped(bold)}**`;
    end = kept.index + whole.length;
  }
  return plain + escaped(text.slice(end));
}

/**
 * As little as possible: a screen reader reads the escapes of a comment, too, and in the chat, escaped parentheses are math. Without
 * brackets, nothing is a link or an image.
 */
const escaped = (text: string) => text.replace(/[\\`*_[\]|<~&]/g, '\\$&');
