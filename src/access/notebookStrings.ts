/** The text of a notebook whose file, or a part of it, is searched for keys. The file has the cells as JSON strings, one for each line. */

/** A string of JSON, which is in one line and may be cut at its end, and the colon behind it if it is the name of a field. */
const STRING = /"([^"\\\n]*(?:\\.[^"\\\n]*)*)"?( ?:)?/g;

/**
 * The strings in a part of a notebook's file, such as the lines of a diff, without their quotation marks and escapes. Lines of a cell
 * follow each other as in the cell; names of fields are line ends.
 */
export const stringsInNotebook = (json: string): string =>
  Array.from(json.matchAll(STRING), ([, text = '', colon]) =>
    colon === undefined ? decoded(text) : '\n',
  ).join('');

export const isNotebookPath = (path: string): boolean => path.toLowerCase().endsWith('.ipynb');

function decoded(string: string): string {
  try {
    return String(JSON.parse(`"${string}"`));
  } catch {
    return string;
  }
}
