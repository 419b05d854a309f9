/** The text of a notebook whose file, or a part of it, is searched for keys. The file has the cells as JSON strings, one for each line. */

/** Names of fields whose values are data in Base64. */
const BINARY = /^(?:image\/(?!svg)|application\/pdf)/;

/**
 * The strings in a part of a notebook's file, such as the lines of a diff, without their quotation marks and escapes. Lines of a cell
 * follow each other as in the cell; names of fields are line ends.
 *
 * @param isBinary false to leave out images, whose data looks like a part of a private key
 */
export function stringsInNotebook(json: string, isBinary = true): string {
  const parts: string[] = [];
  for (const line of json.split('\n')) {
    let name = '';
    for (let at = line.indexOf('"'); at !== -1; ) {
      const end = endOfString(line, at + 1);
      const text = line.slice(at + 1, end);
      const isName = /^ ?:/.test(line.slice(end + 1, end + 3));
      const isLeftOut = isName || (!isBinary && BINARY.test(name));
      parts.push(isLeftOut ? '\n' : decoded(text));
      name = isName ? text : '';
      at = line.indexOf('"', end + 1);
    }
  }
  return parts.join('');
}

export const isNotebookPath = (path: string): boolean => path.toLowerCase().endsWith('.ipynb');

/** Where a string ends: at the next quotation mark that isn't escaped, or with the line, if it is cut off there. */
function endOfString(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    let start = at;
    while (start > from && line[start - 1] === '\\') start--;
    if ((at - start) % 2 === 0) return at;
  }
  return line.length;
}

function decoded(string: string): string {
  if (!string.includes('\\')) return string;
  try {
    return String(JSON.parse(`"${string}"`));
  } catch {
    return string;
  }
}
