/**
 * Reads unified diffs as models write them: with wrong or missing numbers, without headers, and with several files in
 * one text.
 */
import { withLineEnd } from './editPlacement.ts';
import type { ProposedEdit } from './proposalAnswer.ts';

/** The part of a diff that changes one file. */
export interface FileDiff {
  /** The file in the header, without `a/` and `b/`; undefined without a header. Not trusted. */
  readonly path: string | undefined;
  readonly edits: readonly ProposedEdit[];
  /** What no edit of its text can do: its path, and the new one, which is empty if the file is deleted. */
  readonly renaming?: ProposedEdit;
  /** More of that: a copy, another mode, or contents that aren't text, as the diff has them. */
  readonly others?: readonly ProposedEdit[];
  /** It deletes the file in one hunk, which has as many lines as its header says. */
  readonly isCounted?: true;
}

/**
 * The edits of a diff, all files together. Line numbers in diffs written by a model are usually wrong, so the lines must
 * occur exactly once, like those of any edit. Changes without a hunk header are one edit.
 */
export const toEditsOfDiff = (diff: string): readonly ProposedEdit[] =>
  readDiff(diff).flatMap(({ edits }) => edits);

/**
 * The files of a diff in order, each with its edits. A file that is named several times is there once, except that what
 * follows its deletion is apart.
 */
export function readDiff(diff: string): readonly FileDiff[] {
  const files: OpenFile[] = [];
  for (const part of splitParts(withLineEnd(diff, '\n').replace(/\n$/, '').split('\n'))) {
    const hunks = part.hunks.filter(({ lines }) => lines.some(isChange)).map((hunk) => ({ hunk, part }));
    const { path, newPath, others = [] } = part;
    let file = files.findLast((one) => one.path === path);
    const isBehindDeletion = file?.renaming?.replace === '' && hunks.length > 0 && newPath !== '';
    if (
      (file === undefined || isBehindDeletion) &&
      (hunks.length > 0 || newPath !== undefined || others.length > 0)
    ) {
      file = { path, hunks: [], others: [] };
      files.push(file);
    }
    file?.hunks.push(...hunks);
    file?.others.push(...others);
    if (file !== undefined && path !== undefined && newPath !== undefined)
      file.renaming = { find: path, replace: newPath };
  }
  return files.map(({ path, hunks, renaming, others }) => ({
    path,
    edits: hunks.map(toEdit),
    ...(renaming && { renaming }),
    ...(others.length > 0 && { others }),
    ...(renaming?.replace === '' && hunks.length === 1 && hunks.every(isCounted) && { isCounted: true }),
  }));
}

interface OpenFile {
  readonly path: string | undefined;
  readonly hunks: PartHunk[];
  readonly others: ProposedEdit[];
  renaming?: ProposedEdit;
}

/** A hunk, and the part of the diff that it is in. */
interface PartHunk {
  readonly hunk: OpenHunk;
  readonly part: Part;
}

interface OpenHunk {
  /** How many lines the hunk has before and after, if its header says so. */
  readonly counts: Counts | undefined;
  readonly lines: string[];
}

interface Counts {
  readonly before: number;
  readonly after: number;
}

interface Part {
  readonly path: string | undefined;
  readonly hunks: OpenHunk[];
  /** The path that the file gets; empty if it is deleted. */
  readonly newPath?: string;
  /** Its header says that the file is new. */
  readonly creates?: boolean;
  readonly others?: readonly ProposedEdit[];
}

function splitParts(lines: readonly string[]): readonly Part[] {
  const parts: Part[] = [{ path: undefined, hunks: [] }];
  const begun = (path: string | undefined, newPath: string | undefined, creates: boolean): Part => ({
    ...{ path, hunks: [], creates },
    ...(newPath !== undefined && { newPath }),
  });
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const part = parts.at(-1);
    const hunk = part?.hunks.at(-1);
    const gitPath = gitPathIn(line);
    if (gitPath !== undefined) {
      const from = at + 1;
      while (GIT_HEADER.test(lines[at + 1] ?? '')) at++;
      const header = lines.slice(from, at + 1);
      const creates = valueIn(header, 'new file mode ') !== undefined;
      // The lines below are those of the copy.
      const path = valueIn(header, 'rename from ') ?? valueIn(header, 'copy to ') ?? gitPath;
      parts.push({ ...begun(path, newPathIn(header), creates), others: othersIn(header) });
    } else if (isFileHeader(lines, at, hunk)) {
      const after = lines[at + 1] ?? '';
      const newPath = nameIn(after) === NO_FILE ? '' : undefined;
      const path = pathIn(line, after);
      const copies = part?.hunks.length === 0 && part.others?.some(({ find }) => find === path) === true;
      const isOfCopy = copies && !namesOneFile(line, after);
      parts.push(begun(isOfCopy ? part.path : path, newPath, nameIn(line) === NO_FILE));
      at++;
    } else if (HUNK_HEADER.test(line)) part?.hunks.push({ counts: countsIn(line), lines: [] });
    else if (hunk !== undefined) hunk.lines.push(line);
    else part?.hunks.push({ counts: undefined, lines: [line] });
  }
  return parts;
}

/** Whether Git says in a diff of one file only that it has changed, because it isn't text. */
export const isBinaryDiff = (diff: string): boolean => /^Binary files /m.test(diff) && !/^@@ /m.test(diff);

const HUNK_HEADER = /^@@(\s|$|-\d)/;
const GIT_HEADER =
  /^(?:index [\da-f]+\.\.[\da-f]|(?:new|deleted) file mode \d|(?:old|new) mode \d|(?:dis)?similarity index |(?:rename|copy) (?:from|to) |Binary files |GIT binary patch)/;

/** The path in a header of Git. It names a file twice, so its middle is known, also if the name has spaces. */
function gitPathIn(line: string): string | undefined {
  const names = /^diff --git (.+ .+)/.exec(line)?.[1] ?? '';
  const middle = (names.length - 1) / 2;
  const one = names.slice(0, middle).replace(/^"?a\//, '');
  const isTwice = names[middle] === ' ' && one === names.slice(middle + 1).replace(/^"?b\//, '');
  return isTwice ? one.replace(/"$/, '') : /^(?:a\/)?(.+) /.exec(names)?.[1];
}

const valueIn = (header: readonly string[], key: string): string | undefined =>
  header.find((line) => line.startsWith(key))?.slice(key.length);

/** What a header of Git says that the file is renamed to; empty if it is deleted. */
const newPathIn = (header: readonly string[]): string | undefined =>
  valueIn(header, 'rename to ') ?? (valueIn(header, 'deleted file mode ') === undefined ? undefined : '');

/** What else a header of Git says that no edit of the text can do. */
function othersIn(header: readonly string[]): readonly ProposedEdit[] {
  const [from, to] = [valueIn(header, 'copy from '), valueIn(header, 'copy to ')];
  const modes = header.filter((line) => /^(?:old|new) mode /.test(line));
  const binary = header.find((line) => /^(?:Binary files |GIT binary patch)/.test(line));
  return [
    ...(from === undefined || to === undefined ? [] : [{ find: from, replace: to }]),
    ...(modes.length < 2 ? [] : [{ find: modes[0] ?? '', replace: modes[1] ?? '' }]),
    ...(binary === undefined ? [] : [{ find: '', replace: binary }]),
  ];
}

function countsIn(header: string): Counts | undefined {
  const found = /^@@ ?-\d+(?:,(\d+))? \+\d+(?:,(\d+))? ?@@/.exec(header);
  return found === null ? undefined : { before: Number(found[1] ?? 1), after: Number(found[2] ?? 1) };
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
  // Sentences can stand above a header; a line of a diff has a sign or a space.
  if (hunk.counts === undefined) return isAboveHunk || !hunk.lines.some((line) => /^[-+ ]/.test(line));
  const read = countLines(hunk.lines);
  const left = { before: hunk.counts.before - read.before, after: hunk.counts.after - read.after };
  if (left.before === 0 && left.after === 0) return true;
  return isAboveHunk && !(left.before === 1 && left.after === 1);
}

/** Whether a header names the same file twice as Git does, or a file that is created or deleted. */
function namesOneFile(before: string, after: string): boolean {
  const [old, fresh] = [nameIn(before), nameIn(after)];
  if (old === NO_FILE || fresh === NO_FILE) return true;
  return old.startsWith('a/') && fresh.startsWith('b/') && old.slice(2) === fresh.slice(2);
}

/** The path in a header: that of the file as it is, or of a new file. */
function pathIn(before: string, after: string): string {
  const [old, fresh] = [nameIn(before), nameIn(after)];
  const isGit = /^(a\/|\/dev\/null$)/.test(old) && /^(b\/|\/dev\/null$)/.test(fresh);
  const name = old === NO_FILE ? fresh : old;
  return isGit ? name.slice(2) : name;
}

const NO_FILE = '/dev/null';

/** The name after `---` or `+++`, without a date. */
const nameIn = (line: string): string =>
  (line.slice(3).trim().split('\t', 1)[0] ?? '').replace(/^"(.*)"$/, '$1');

const isChange = (line: string): boolean => line.startsWith('-') || line.startsWith('+');

function countLines(lines: readonly string[]): Counts {
  const count = (sign: '-' | '+') =>
    lines.filter((line) => !line.startsWith('\\') && !line.startsWith(sign)).length;
  return { before: count('+'), after: count('-') };
}

function toEdit(hunk: PartHunk): ProposedEdit {
  const lines = linesOf(hunk);
  const [find, replace] = [sideOf(lines, '-'), sideOf(lines, '+')];
  return {
    find: isNew(hunk) && find.trim() === '' ? '' : find,
    replace: isGone(hunk) && replace.trim() === '' ? '' : replace,
  };
}

/** A file that is new has nothing before, and a deleted one nothing after, also if its blank lines have lost their signs. */
const isNew = ({ hunk, part }: PartHunk): boolean => part.creates === true || hunk.counts?.before === 0;
const isGone = ({ part }: PartHunk): boolean => part.newPath === '';

const isCounted = (hunk: PartHunk): boolean =>
  isGone(hunk) && countLines(linesOf(hunk)).before === hunk.hunk.counts?.before;

/** Models leave blank lines between hunks. They belong to the hunk only if its header counts them. */
function linesOf(part: PartHunk): readonly string[] {
  const { counts, lines } = part.hunk;
  const last = lines.findLastIndex((line) => line !== '') + 1;
  if (counts === undefined) return lines.slice(0, last);
  const read = countLines(lines.slice(0, last));
  const [before, after] = [counts.before - read.before, counts.after - read.after];
  // A blank line is on both sides.
  const blank = isNew(part) ? after : before;
  const isWhole = blank > 0 && last + blank <= lines.length && (blank === after || isGone(part));
  return lines.slice(0, isWhole ? last + blank : last);
}

/** One side of a hunk. Unchanged lines belong to both; models sometimes forget the space before them. */
function sideOf(lines: readonly string[], sign: '-' | '+'): string {
  const other = sign === '-' ? '+' : '-';
  const mine = lines.filter((line) => !line.startsWith(other) && !line.startsWith('\\'));
  return mine.map((line) => `${/^[-+ ]/.test(line) ? line.slice(1) : line}\n`).join('');
}
