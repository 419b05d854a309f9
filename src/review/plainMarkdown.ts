/**
 * Escapes text of the model so that Markdown displays it literally: no links, images, or HTML. Only single backticks
 * still mark code.
 */
export function toPlainMarkdown(text: string): string {
  let plain = '';
  let end = 0;
  for (const code of text.matchAll(/(?<!`)`[^`\n]+`(?!`)/g)) {
    plain += escaped(text.slice(end, code.index)) + code[0];
    end = code.index + code[0].length;
  }
  return plain + escaped(text.slice(end));
}

const escaped = (text: string) => text.replace(/[\\`*_{}[\]()#+\-!|<>~&]/g, '\\$&');
