/** The first characters of a text; one that consists of two halves is not cut in two. */
export function cutText(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** The beginning of a text, in whole lines where there are any, and how many lines the whole has when some are left out. */
export function cutLines(
  text: string,
  length: number,
): { readonly text: string; readonly linesInAll?: number } {
  if (text.length <= length) return { text };
  const end = text.lastIndexOf('\n', length - 1);
  return { text: end === -1 ? cutText(text, length) : text.slice(0, end + 1), linesInAll: countLines(text) };
}

function countLines(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
