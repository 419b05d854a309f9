/** Code blocks of Markdown whose text cannot end them. */

/** A fence of backticks that is longer than any run of them in a text. */
export function fenceAround(text: string): string {
  const longest = text.match(/`+/g)?.reduce((max, run) => Math.max(max, run.length), 0) ?? 0;
  return '`'.repeat(Math.max(3, longest + 1));
}

/** The text as a code block. The fence that ends it stands on a line of its own. */
export function fence(text: string, language = ''): string {
  const mark = fenceAround(text);
  return `${mark}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${mark}`;
}
