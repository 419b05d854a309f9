/** Line ends. A file is the same text for the model, whatever its line ends are. */

/** The lines without their line ends. A line end at the end starts another line. */
export const splitLines = (text: string): string[] => text.split(/\r\n|\r|\n/);

/** The same, but a line end at the end doesn't start another line. */
export const splitEndedLines = (text: string): string[] => splitLines(text.replace(/(?:\r\n|\r|\n)$/, ''));

/** Converts a diff of a file with CRLF to one with LF. If only some lines have CRLF, the line ends can be the change, so they stay. */
export function withPlainLineEnds(diff: string): string {
  const lines = diff.split('\n');
  const ofFile = lines.filter(
    (line, at) => /^[-+ ]/.test(line) && !/^(?:---|\+\+\+) /.test(line) && !lines[at + 1]?.startsWith('\\'),
  );
  return ofFile.length > 0 && ofFile.every((line) => line.endsWith('\r'))
    ? lines.map((line) => line.replace(/\r$/, '')).join('\n')
    : diff;
}
