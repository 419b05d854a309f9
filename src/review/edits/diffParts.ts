/** Splits a diff, as models write it, at the headers of its files and hunks. */
import { nameInHeader, unquoted } from './gitNames.ts';
import type { ProposedEdit } from './proposalAnswer.ts';

/** The text below one file header. Git writes two headers for a file: `diff --git`, and `---` with `+++`. */
export interface DiffPart {
  /** Undefined above the first header. */
  readonly path: string | undefined;
  /** The other name, from `+++`, unless the header says that the file is renamed: either name can be that of the file. */
  readonly otherPath: string | undefined;
  readonly hunks: readonly DiffHunk[];
  /** The new path of a renamed file; empty if the file is deleted. */
  readonly newPath: string | undefined;
  /** The header says that the file is new. */
  readonly creates: boolean;
  /** Other changes in the header that can't be edits of the text: a copy, another mode, and binary contents. */
  readonly others: readonly ProposedEdit[];
}

export interface DiffHunk {
  /** How many lines the hunk has before and after, if its header says so. */
  readonly counts: Readonly<Counts> | undefined;
  readonly lines: readonly string[];
  /** How many lines of the hunk are on each side so far. Lines without a sign are on both sides. */
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
  /** Some lines start with a sign or a space, as the lines of a diff do. */
  hasSigns: boolean;
}

/** The parts of a diff in order. The first part is the text above all headers. */
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

/** Begins a hunk for lines that have no hunk header. */
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

/** The header lines that Git writes below `diff --git`. */
const GIT_HEADER =
  /^(?:index [\da-f]+\.\.[\da-f]|(?:new|deleted) file mode \d|(?:old|new) mode \d|(?:dis)?similarity index |(?:rename|copy) (?:from|to) |Binary files |GIT binary patch)/;

function gitPathIn(line: string): string | undefined {
  const names = /^diff --git (.+ .+)/.exec(line)?.[1];
  return names && (nameInHeader(names) ?? /^(?:a\/)?(.+) /.exec(names)?.[1]);
}

/** The mode of a plain file. New files with another mode are executables, links, or submodules. */
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
    // The hunks below are about the copy.
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
 * Whether `---` and `+++` are a file header. They can also be a deleted line that starts with `--` and an added line that starts
 * with `++`, so below other lines they are a header only if there is more evidence.
 */
function isFileHeader(lines: readonly string[], at: number, hunk: OpenHunk | undefined): boolean {
  const [before, after, next] = [lines[at] ?? '', lines[at + 1] ?? '', lines[at + 2]];
  if (!/^---[ \t]+\S/.test(before) || !/^\+\+\+[ \t]+\S/.test(after)) return false;
  if (namesOneFile(before, after)) return true;
  if (hunk === undefined) return next !== undefined;
  const isAboveHunk = next !== undefined && HUNK_HEADER.test(next);
  // The lines above the header can be sentences.
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

/** The path in a file header: that of the existing file, or of a new one. The other path is undefined if there is none. */
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
