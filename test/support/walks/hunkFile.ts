/** A file under review, and its expected text after each decision. */

/** Each hunk: the line that it replaces, and the new line. */
const HUNKS = [
  ['var a = 1;', 'let a = 1;'],
  ['  return b == c;', '  return b === c;'],
  ['var d = new Array();', 'let d = [];'],
] as const;

/** A text in which the emulator changes three places. */
export const HUNK_TEXT = 'var a = 1;\n\nfunction same(b, c) {\n  return b == c;\n}\n\nvar d = new Array();\n';

type Decision = 'open' | 'accepted' | 'rejected';

export interface HunkFile {
  readonly name: string;
  readonly decisions: readonly Decision[];
  /** Lines that were typed at the end. */
  readonly typed: readonly string[];
}

export const newHunkFile = (name: string): HunkFile => ({
  name,
  decisions: HUNKS.map(() => 'open'),
  typed: [],
});

/** The text that the file must have. */
export function textOf({ decisions, typed }: HunkFile): string {
  const text = HUNKS.reduce(
    (now, [before, after], index) => (decisions[index] === 'accepted' ? now.replace(before, after) : now),
    HUNK_TEXT,
  );
  return text + typed.map((line) => `${line}\n`).join('');
}

/** Decides about the open hunk with this index. */
export function decide(file: HunkFile, index: number, decision: Decision): HunkFile {
  let open = -1;
  const decisions = file.decisions.map((one) => {
    if (one !== 'open') return one;
    open += 1;
    return open === index ? decision : one;
  });
  return { ...file, decisions };
}

export const decideAll = (file: HunkFile, decision: Decision): HunkFile => ({
  ...file,
  decisions: file.decisions.map((one) => (one === 'open' ? decision : one)),
});

/** The rejected hunks are open again. */
export const restore = (file: HunkFile): HunkFile => ({
  ...file,
  decisions: file.decisions.map((one) => (one === 'rejected' ? 'open' : one)),
});

export const openHunks = ({ decisions }: HunkFile): number =>
  decisions.filter((one) => one === 'open').length;

export const typeLine = (file: HunkFile, line: string): HunkFile => ({
  ...file,
  typed: [...file.typed, line],
});
