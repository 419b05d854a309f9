/**
 * Sentences of the model as Markdown that shows them as they are. Single backticks may mark code; nothing else is
 * Markdown, so there is no link, no image and no HTML in it.
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
