/** Markdown code blocks with a fence that the text can't close. */

/** A fence of backticks that is longer than any run of backticks in the text. */
export function fenceAround(text: string): string {
  const longest = text.match(/`+/g)?.reduce((max, run) => Math.max(max, run.length), 0) ?? 0;
  return '`'.repeat(Math.max(3, longest + 1));
}

/** The text as a code block. The closing fence is on its own line. */
export function fence(text: string, language = ''): string {
  const mark = fenceAround(text);
  return `${mark}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${mark}`;
}
