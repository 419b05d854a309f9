/** From two versions of a text to the hunks between them: whole lines, byte for byte. */
import { diffArrays } from 'diff';

/** Lines that go, and the lines that come in their place. */
export interface Hunk {
  readonly id: string;
  /** Where it stands in the text before: characters, and lines counted from 0. */
  readonly offset: number;
  readonly line: number;
  /** The lines as they are, with their ends. Where lines only come, the line above them, so that it has a ground. */
  readonly before: string;
  /** The lines as they are proposed. */
  readonly after: string;
  /** How many characters at the beginning of both are that line above, which does not change. */
  readonly lead: number;
}

/** A text of a hundred thousand lines that share nothing is one hunk after so many milliseconds of looking. */
const TIMEOUT_MS = 1500;

/** The lines of a text with their ends; what follows the last end is a line as well, unless it is empty. */
export function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The hunks between two texts, from the top. Taking all of them gives `after`, taking none `before`. */
export function toHunks(before: string, after: string): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let offset = 0;
  let line = 0;
  let lineAbove = '';
  for (const { from, to } of diffLines(before, after)) {
    if (from !== to) hunks.push(toHunk(String(hunks.length), offset, line, lineAbove, from, to));
    offset += from.length;
    const lines = toLines(from);
    line += lines.length;
    // A line that goes is no ground for what comes after it; between two hunks there is always one that stays.
    lineAbove = from === to ? (lines.at(-1) ?? '') : '';
  }
  return hunks;
}

function toHunk(
  id: string,
  offset: number,
  line: number,
  lineAbove: string,
  before: string,
  after: string,
): Hunk {
  if (before !== '' || lineAbove === '') return { id, offset, line, before, after, lead: 0 };
  return {
    id,
    offset: offset - lineAbove.length,
    line: line - 1,
    before: lineAbove,
    after: lineAbove + after,
    lead: lineAbove.length,
  };
}

interface Stretch {
  readonly from: string;
  readonly to: string;
}

/** Two texts as stretches of lines that are the same in both, and stretches that are not. */
export function diffLines(before: string, after: string): readonly Stretch[] {
  const changes = diffArrays(toLines(before), toLines(after), { timeout: TIMEOUT_MS });
  if (changes === undefined) return [{ from: before, to: after }];
  const stretches: Stretch[] = [];
  let from = '';
  let to = '';
  const flush = () => {
    if (from !== '' || to !== '') stretches.push({ from, to });
    from = '';
    to = '';
  };
  for (const { value, added, removed } of changes) {
    const text = value.join('');
    if (removed) from += text;
    else if (added) to += text;
    else {
      flush();
      stretches.push({ from: text, to: text });
    }
  }
  flush();
  return stretches;
}

/** The lines that go, without the one above them. */
export const deletedLinesOf = ({ before, lead }: Hunk): string => before.slice(lead);

/** The lines that come, without the one above them. */
export const addedLinesOf = ({ after, lead }: Hunk): string => after.slice(lead);

/** The text before with some of its hunks taken. */
export function mergeHunks(before: string, hunks: readonly Hunk[], taken: ReadonlySet<string>): string {
  let text = '';
  let at = 0;
  for (const hunk of hunks) {
    text += before.slice(at, hunk.offset) + (taken.has(hunk.id) ? hunk.after : hunk.before);
    at = hunk.offset + hunk.before.length;
  }
  return text + before.slice(at);
}

/** Lines of a text without their ends, each after a sign, as in a diff. */
export function toSignedLines(text: string, sign: ' ' | '-' | '+'): readonly string[] {
  return text === ''
    ? []
    : text
        .replace(/\r?\n$/, '')
        .split(/\r?\n/)
        .map((line) => sign + line);
}
