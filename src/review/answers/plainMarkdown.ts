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

/** Escapes marks that have a meaning only at the start of a line: list marks, numbers, and lines under a heading. */
const startOf = (line: string) =>
  line
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[-+#>=]/, '\\$&')
    // An escaped bracket in front of a line begins math in the chat.
    .replace(/^\\\[/, '&#91;');

/** Escapes text that is not at the start of a line, such as a table cell. */
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
 * Escapes as few characters as possible: screen readers read the escapes of a comment aloud, and in the chat, escaped parentheses
 * are math. Without brackets, there are no links and images.
 */
const escaped = (text: string) => text.replace(/[\\`*_[\]|<~&]/g, '\\$&');
