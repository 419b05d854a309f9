/** Splits a diff as models write it by the headers of its files and hunks. */
import { nameInHeader, unquoted } from './gitNames.ts';
import type { ProposedEdit } from './proposalAnswer.ts';

/** What follows one header of a file. Git writes two for a file: `diff --git`, and `---` with `+++`. */
export interface DiffPart {
  /** Undefined above the first header. */
  readonly path: string | undefined;
  /** The other name in `+++`, if nothing says that the file is renamed: either of them can be that of the file. */
  readonly otherPath: string | undefined;
  readonly hunks: readonly DiffHunk[];
  /** The path that the file gets; empty if it is deleted. */
  readonly newPath: string | undefined;
  /** Its header says that the file is new. */
  readonly creates: boolean;
  /** What else its header says that no edit of the text can do: a copy, another mode, contents that aren't text. */
  readonly others: readonly ProposedEdit[];
}

export interface DiffHunk {
  /** How many lines the hunk has before and after, if its header says so. */
  readonly counts: Readonly<Counts> | undefined;
  readonly lines: readonly string[];
  /** How many of its lines are on each side. Those without a sign are on both. */
  readonly read: Readonly<Counts>;
}

interface Counts {
  before: number;
  after: number;
}

interface OpenPart extends DiffPart {
  readonly hunks: OpenHunk[];
}

interface OpenHunk extends DiffHunk {
  readonly lines: string[];
  readonly read: Counts;
  /** Some of its lines have a sign or a space before them, as the lines of a diff do. */
  hasSigns: boolean;
}

/** The parts of a diff in order. The first one is what stands above all headers. */
export function splitParts(lines: readonly string[]): readonly DiffPart[] {
  let part = toPart({});
  const parts = [part];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const hunk = part.hunks.at(-1);
    const gitPath = gitPathIn(line);
    if (gitPath !== undefined) {
      const from = at + 1;
      while (GIT_HEADER.test(lines[at + 1] ?? '')) at++;
      part = toGitPart(gitPath, lines.slice(from, at + 1));
      parts.push(part);
    } else if (isFileHeader(lines, at, hunk)) {
      at++;
      part = toPartBelow(part, line, lines[at] ?? '');
      parts.push(part);
    } else if (HUNK_HEADER.test(line)) part.hunks.push(toHunk(countsIn(line)));
    else addLine(hunk ?? begin(part), line);
  }
  return parts;
}

const toPart = (part: Partial<DiffPart>): OpenPart => ({
  ...{ path: undefined, otherPath: undefined, newPath: undefined, creates: false, others: [] },
  ...part,
  hunks: [],
});

const toHunk = (counts: Counts | undefined): OpenHunk => ({
  ...{ counts, lines: [], read: { before: 0, after: 0 }, hasSigns: false },
});

/** Lines without the header of a hunk. */
function begin(part: OpenPart): OpenHunk {
  const hunk = toHunk(undefined);
  part.hunks.push(hunk);
  return hunk;
}

function addLine(hunk: OpenHunk, line: string): void {
  hunk.lines.push(line);
  hunk.hasSigns ||= /^[-+ ]/.test(line);
  if (line.startsWith('\\')) return;
  if (!line.startsWith('+')) hunk.read.before++;
  if (!line.startsWith('-')) hunk.read.after++;
}

const HUNK_HEADER = /^@@(\s|$|-\d)/;

function countsIn(header: string): Counts | undefined {
  const found = /^@@ ?-\d+(?:,(\d+))? \+\d+(?:,(\d+))? ?@@/.exec(header);
  return found === null ? undefined : { before: Number(found[1] ?? 1), after: Number(found[2] ?? 1) };
}

/** The lines of Git below `diff --git`. */
const GIT_HEADER =
  /^(?:index [\da-f]+\.\.[\da-f]|(?:new|deleted) file mode \d|(?:old|new) mode \d|(?:dis)?similarity index |(?:rename|copy) (?:from|to) |Binary files |GIT binary patch)/;

function gitPathIn(line: string): string | undefined {
  const names = /^diff --git (.+ .+)/.exec(line)?.[1];
  return names && (nameInHeader(names) ?? /^(?:a\/)?(.+) /.exec(names)?.[1]);
}

/** Other new files are programs, links, or repositories. */
const PLAIN_FILE = / 1006\d\d$/;

function toGitPart(gitPath: string, header: readonly string[]): OpenPart {
  const lineOf = (key: string) => header.find((line) => line.startsWith(key));
  const nameOf = (key: string) => {
    const line = lineOf(key);
    return line && unquoted(line.slice(key.length));
  };
  const [copied, copy] = [nameOf('copy from '), nameOf('copy to ')];
  const [oldMode, newMode] = [lineOf('old mode '), lineOf('new mode ')];
  const mode = lineOf('new file mode ');
  const binary = lineOf('Binary files ') ?? lineOf('GIT binary patch');
  return toPart({
    // The lines below are those of the copy.
    path: nameOf('rename from ') ?? copy ?? gitPath,
    newPath: nameOf('rename to ') ?? (lineOf('deleted file mode ') && ''),
    creates: mode !== undefined,
    others: [
      ...(mode && !PLAIN_FILE.test(mode) ? [{ find: '', replace: mode }] : []),
      ...(copied && copy ? [{ find: copied, replace: copy }] : []),
      ...(oldMode && newMode ? [{ find: oldMode, replace: newMode }] : []),
      ...(binary ? [{ find: '', replace: binary }] : []),
    ],
  });
}

/** The part below `---` and `+++`. */
function toPartBelow(above: DiffPart, before: string, after: string): OpenPart {
  const [path, other] = pathsIn(before, after);
  const isBelowCopy = above.hunks.length === 0 && above.others.some(({ find }) => find === path);
  const isOfCopy = isBelowCopy && !namesOneFile(before, after);
  return toPart({
    path: isOfCopy ? above.path : path,
    otherPath: isOfCopy || above.newPath !== undefined ? undefined : other,
    newPath: nameIn(after) === NO_FILE ? '' : undefined,
    creates: nameIn(before) === NO_FILE,
  });
}

/**
 * Whether `---` and `+++` are the header of a file. They can also be a deleted line that starts with `--` and an added
 * one that starts with `++`. Below other lines they are a header only if something else says so.
 */
function isFileHeader(lines: readonly string[], at: number, hunk: OpenHunk | undefined): boolean {
  const [before, after, next] = [lines[at] ?? '', lines[at + 1] ?? '', lines[at + 2]];
  if (!/^---[ \t]+\S/.test(before) || !/^\+\+\+[ \t]+\S/.test(after)) return false;
  if (namesOneFile(before, after)) return true;
  if (hunk === undefined) return next !== undefined;
  const isAboveHunk = next !== undefined && HUNK_HEADER.test(next);
  // Sentences can stand above a header.
  if (hunk.counts === undefined) return isAboveHunk || !hunk.hasSigns;
  const { counts, read } = hunk;
  const left = { before: counts.before - read.before, after: counts.after - read.after };
  if (left.before === 0 && left.after === 0) return true;
  return isAboveHunk && !(left.before === 1 && left.after === 1);
}

/** Whether a header names the same file twice as Git does, or a file that is created or deleted. */
function namesOneFile(before: string, after: string): boolean {
  const [old, fresh] = [nameIn(before), nameIn(after)];
  if (old === NO_FILE || fresh === NO_FILE) return true;
  return old.startsWith('a/') && fresh.startsWith('b/') && old.slice(2) === fresh.slice(2);
}

/** The path in a header: that of the file as it is, or of a new file. The other one is undefined if there is none. */
function pathsIn(before: string, after: string): readonly [path: string, other: string | undefined] {
  const [old, fresh] = [nameIn(before), nameIn(after)];
  const isGit = /^(a\/|\/dev\/null$)/.test(old) && /^(b\/|\/dev\/null$)/.test(fresh);
  const paths = [old, fresh].filter((name) => name !== NO_FILE).map((name) => (isGit ? name.slice(2) : name));
  const [path = NO_FILE, other] = paths;
  return [path, other === path ? undefined : other];
}

const NO_FILE = '/dev/null';

/** The name after `---` or `+++`, without a date. */
function nameIn(line: string): string {
  const [name = ''] = line.slice(3).trim().split('\t', 1);
  const date = name.search(/ \d{4}-\d\d-\d\d[ T]\d\d:\d\d/);
  return unquoted((date === -1 ? name : name.slice(0, date)).trimEnd());
}
