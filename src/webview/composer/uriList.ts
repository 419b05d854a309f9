/** The lists of URIs in dropped or pasted content. */

/** The formats of the lists. The editor's own list comes first, because it has the exact URIs, also in a remote window. */
export const URI_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** The first list that a data transfer has; undefined if it has none. */
export const uriListIn = (data: Pick<DataTransfer, 'getData'>): string | undefined =>
  URI_LISTS.map((list) => data.getData(list)).find((text) => text !== '');

/** The URIs of a list, each once, without comments. */
export function parseUriList(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))];
}
