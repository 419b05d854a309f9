/** Formats paths as a list for the model. The list is limited, because a commit can have tens of thousands of files. */

/** About 3,000 tokens. */
const MAX_CHARACTERS = 12_000;

/** Line ends in a name are replaced, so that they can't create a heading. */
export const oneLine = (text: string): string => text.replace(/[\r\n]/g, '?');

/** The paths that fit, each without line ends, and the number of the others. */
export function listPaths(paths: readonly string[], separator = ', '): string {
  let left = MAX_CHARACTERS;
  const end = paths.findIndex((path) => {
    left -= path.length + separator.length;
    return left < 0;
  });
  const listed = (end === -1 ? paths : paths.slice(0, end)).map(oneLine);
  const more = paths.length - listed.length;
  return [...listed, ...(more === 0 ? [] : [`and ${more} more`])].join(separator);
}
