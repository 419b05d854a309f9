/**
 * Escapes text of the model so that Markdown displays it literally: no links, images, or HTML. Only single backticks
 * still mark code.
 */
export function toPlainMarkdown(text: string): string {
  // Indented lines would be code.
  const lines = text.replace(/^[ \t]+/gm, '');
  let plain = '';
  let end = 0;
  for (const code of lines.matchAll(/(?<!`)`[^`\n]+`(?!`)/g)) {
    plain += escaped(lines.slice(end, code.index)) + code[0];
    end = code.index + code[0].length;
  }
  // Numbers of a list, and the line under a heading.
  return (plain + escaped(lines.slice(end))).replace(/^(\d+)\./gm, '$1\\.').replace(/^=/gm, '\\=');
}

const escaped = (text: string) => text.replace(/[\\`*_{}[\]()#+\-!|<>~&]/g, '\\$&');
