/** Finds what the line begins with that is before another one. It looks back only when it is asked, because that is rare. */

export interface LinesBefore {
  /** @param head the first characters of the line that the text goes on with, at least five if there are */
  read(text: string, head: string): void;
  /** Whether the line before this one, of the text that was read last, or before the first one, is data. */
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
  /** Where the next line is looked for. */
  let from = 0;
  return {
    read(text, head) {
      const isInLineEnd = head === '' && text.startsWith('\n') && last.text.endsWith('\r');
      if (last.text.includes('\n') || last.text.includes('\r')) earlier = last;
      last = { text: isInLineEnd ? text.slice(1) : text, head };
      from = 0;
    },
    isData(line) {
      const at = line === undefined ? -1 : last.text.indexOf(line, from);
      if (line !== undefined && at !== -1) from = at + line.length;
      const found =
        at > 0 ? headBefore(last, at) : headBefore(earlier, startOfLine(earlier.text, earlier.text.length));
      return found.startsWith('data:');
    },
  };
}

/** Looks for the rare line end only behind the usual one. */
function startOfLine(text: string, end: number): number {
  const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
  return start + text.slice(start, end).lastIndexOf('\r') + 1;
}

/** The beginning of the line before the one that begins at a place. */
function headBefore({ text, head }: Read, at: number): string {
  const end = Math.max(0, at - (text.slice(at - 2, at) === '\r\n' ? 2 : 1));
  const start = startOfLine(text, end);
  return (start === 0 ? head : '') + text.slice(start, Math.min(end, start + 5));
}
