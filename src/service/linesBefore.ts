/** Finds the beginning of the line before another one. It searches only when it is asked, because that is rare. */

export interface LinesBefore {
  /** @param head the first five characters of the line that this text continues, or all of them if there are fewer */
  read(text: string, head: string): void;
  /**
   * Whether the line before this one is data. The line is in the text that was read last; if undefined, it is the one that this
   * text continues.
   */
  isData(line?: string): boolean;
}

interface Read {
  readonly text: string;
  readonly head: string;
}

const NOTHING: Read = { text: '', head: '' };

export function createLinesBefore(): LinesBefore {
  let earlier = NOTHING;
  let last = NOTHING;
  /** The offset at which the search for the next line begins. */
  let from = 0;
  return {
    read(text, head) {
      const isInLineEnd = head === '' && text.startsWith('\n') && last.text.endsWith('\r');
      if (last.text.includes('\n') || last.text.includes('\r')) earlier = last;
      last = { text: isInLineEnd ? text.slice(1) : text, head };
      from = 0;
    },
    isData(line) {
      const at = line === undefined ? -1 : findLine(last.text, line, from);
      if (line !== undefined && at !== -1) from = at + line.length;
      const found =
        at > 0 ? headBefore(last, at) : headBefore(earlier, startOfLine(earlier.text, earlier.text.length));
      return found.startsWith('data:');
    },
  };
}

/** The offset of a whole line in a text, from an offset on, or -1. Its words can be a part of an earlier line. */
function findLine(text: string, line: string, from: number): number {
  let at = from;
  while (!(text.startsWith(line, at) && isLineEnd(text[at + line.length]))) {
    const end = lineEndFrom(text, at);
    if (end === -1) return -1;
    at = end + 1;
  }
  return at;
}

function lineEndFrom(text: string, at: number): number {
  const ends = /[\r\n]/g;
  ends.lastIndex = at;
  return ends.exec(text)?.index ?? -1;
}

const isLineEnd = (sign: string | undefined) => sign === undefined || sign === '\n' || sign === '\r';

/** Searches for the rare `\r` only after the last `\n`. */
function startOfLine(text: string, end: number): number {
  const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
  return start + text.slice(start, end).lastIndexOf('\r') + 1;
}

/** The first five characters of the line before the one that begins at this offset. */
function headBefore({ text, head }: Read, at: number): string {
  const end = Math.max(0, at - (text.slice(at - 2, at) === '\r\n' ? 2 : 1));
  const start = startOfLine(text, end);
  return (start === 0 ? head : '') + text.slice(start, Math.min(end, start + 5));
}
