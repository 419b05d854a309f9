/**
 * Reads unified diffs as models write them: with wrong or missing numbers, without headers, and with several files in
 * one text.
 */
import { type DiffHunk, type DiffPart, splitParts } from './diffParts.ts';
import { withLineEnd } from './editPlacement.ts';
import type { ProposedEdit } from './proposalAnswer.ts';

/** The part of a diff that changes one file. */
export interface FileDiff {
  /** The file in the header, without `a/` and `b/`; undefined without a header. Not trusted. */
  readonly path: string | undefined;
  /** Another name in the header, which can also be that of the file. Not trusted. */
  readonly otherPath?: string;
  /** A new file without text has one empty edit. */
  readonly edits: readonly ProposedEdit[];
  /** The path of a renamed or deleted file, and the new path, which is empty for a deleted one. No edit of the text can do this. */
  readonly renaming?: ProposedEdit;
  /** Other changes that no edit of the text can do: a copy, another mode, or binary contents, as they are in the diff. */
  readonly others?: readonly ProposedEdit[];
  /** The diff deletes the file in one hunk that has as many lines as its header says. */
  readonly isCounted?: true;
}

/**
 * The edits of a diff, all files together. Line numbers in diffs written by a model are usually wrong, so the lines must
 * occur exactly once, like those of any edit. Changes without a hunk header are one edit.
 */
export const toEditsOfDiff = (diff: string): readonly ProposedEdit[] =>
  readDiff(diff).flatMap(({ edits }) => edits);

/**
 * The files of a diff in order, each with its edits. The parts of a file that is named several times are combined, except that its
 * deletion is separate from the parts above and below.
 *
 * @param isCut whether more of the diff is to come. Edits that more text could change get readings, so that they have no place: the
 * last hunk, unless it has as many lines as its header says or adds a file, and the deletion of a file, which can be created again
 */
export function readDiff(diff: string, isCut = false): readonly FileDiff[] {
  const files: OpenFile[] = [];
  const latest = new Map<string | undefined, OpenFile>();
  const text = withoutMails(withLineEnd(diff, '\n'));
  const parts = splitParts(text.replace(/\n$/, '').split('\n'));
  const last = isCut ? parts.at(-1)?.hunks.at(-1) : undefined;
  for (const part of parts) {
    const { path, otherPath, newPath, creates, others } = part;
    const hunks = part.hunks.filter((hunk) => changes(hunk, part)).map((hunk) => ({ hunk, part }));
    if (hunks.length === 0 && others.length === 0 && newPath === undefined && !creates) continue;
    let file = latest.get(path);
    const deletes = newPath === '';
    const isMore = deletes ? file?.hunks.length !== 0 : hunks.length + others.length > 0;
    if (file === undefined || (isDeleted(file) !== deletes && isMore)) {
      file = { path, ...(otherPath && { otherPath }), hunks: [], others: [], isEmpty: creates };
      files.push(file);
      latest.set(path, file);
    }
    file.hunks.push(...hunks);
    file.others.push(...others);
    file.isEmpty &&= part.hunks.every(
      ({ counts, lines }) => !counts?.after && lines.every((line) => line === ''),
    );
    if (path !== undefined && newPath !== undefined) file.renaming = { find: path, replace: newPath };
  }
  const end = files.findLastIndex(({ hunks }) => hunks.length > 0);
  return files.map((file, at) => {
    const isOpen = isCut && at >= end && isDeleted(file);
    return toFileDiff(isCut && at > end ? { ...file, isEmpty: false } : file, (one) => {
      const isPart = one.hunk === last && !(text.endsWith('\n') && isComplete(one));
      const edit = toEdit(one);
      return isOpen || isPart ? { ...edit, readings: edit.find === '' ? [edit] : [] } : edit;
    });
  });
}

interface OpenFile extends Pick<FileDiff, 'path' | 'otherPath'> {
  readonly hunks: PartHunk[];
  readonly others: ProposedEdit[];
  /** The file is new and has no lines. */
  isEmpty: boolean;
  renaming?: ProposedEdit;
}

/** A hunk and the part of the diff that contains it. */
interface PartHunk {
  readonly hunk: DiffHunk;
  readonly part: DiffPart;
}

const isDeleted = ({ renaming }: OpenFile): boolean => renaming?.replace === '';

function toFileDiff(file: OpenFile, toEditOf: (hunk: PartHunk) => ProposedEdit): FileDiff {
  const { path, otherPath, hunks, renaming, others } = file;
  const isEmpty = file.isEmpty && renaming === undefined && others.length === 0;
  return {
    path,
    ...(otherPath !== undefined && { otherPath }),
    edits: isEmpty ? [{ find: '', replace: '' }] : others.some(isNoText) ? [] : hunks.map(toEditOf),
    ...(renaming && { renaming }),
    ...(others.length > 0 && { others }),
    ...(isDeleted(file) && hunks.length === 1 && hunks.every(isCounted) && { isCounted: true }),
  };
}

/** Whether an edit creates a symbolic link or a submodule. The lines of its hunk are the target, not text of the file. */
const isNoText = ({ replace }: ProposedEdit): boolean => /^new file mode 1[26]0000$/.test(replace);

/** Whether a Git diff of one file says only that the file has changed, because it is binary. */
export const isBinaryDiff = (diff: string): boolean => /^Binary files /m.test(diff) && !/^@@ /m.test(diff);

/** A diff without the headers of mails (`git format-patch`), and without the version of Git at the end of each mail. */
const withoutMails = (diff: string): string => diff.split(MAIL).map(withoutMail).join('');

/** Matches before the first two lines of a mail. The first line alone could also be other text. */
const MAIL = /^(?=From [\da-f]{7,} .*\n[A-Z][\w-]*: )/m;

function withoutMail(part: string): string {
  const from = MAIL.test(part) ? part.search(FIRST_HEADER) : 0;
  if (from === -1) return '';
  const end = SIGNATURE.exec(part.trimEnd())?.index;
  return part.slice(from, end === undefined ? undefined : end + 1);
}

const FIRST_HEADER = /^(?:diff --git |@@ |--- .+\n\+\+\+ )/m;
const SIGNATURE = /\n-- ?\n\d+\.\d+\.\d.*$/;

const isChange = (line: string): boolean => line.startsWith('-') || line.startsWith('+');

/** Whether a hunk changes anything. The hunk of a new file does also if all of its lines have lost their signs. */
const changes = ({ counts, lines }: DiffHunk, { creates }: DiffPart): boolean =>
  lines.some(isChange) || (creates && Boolean(counts?.after) && lines.some((line) => line.trim() !== ''));

function toEdit(hunk: PartHunk): ProposedEdit {
  const lines = linesOf(hunk);
  const [find, replace] = [sideOf(lines, '-'), sideOf(lines, '+')];
  return {
    find: isNew(hunk) && find.trim() === '' ? '' : find,
    replace: isGone(hunk) && replace.trim() === '' ? '' : replace,
  };
}

/** A new file has no lines before, and a deleted file has none after, also if its blank lines have lost their signs. */
const isNew = ({ hunk, part }: PartHunk): boolean => part.creates || hunk.counts?.before === 0;
const isGone = ({ part }: PartHunk): boolean => part.newPath === '';

const isCounted = (one: PartHunk): boolean => isGone(one) && readOf(one).before === one.hunk.counts?.before;

function isComplete(one: PartHunk): boolean {
  const { before, after } = readOf(one);
  return before === one.hunk.counts?.before && after === one.hunk.counts.after;
}

/** How many lines of a hunk are on each side, without trailing blank lines that don't belong to it. */
function readOf(one: PartHunk): NonNullable<DiffHunk['counts']> {
  const { lines, read } = one.hunk;
  const left = lines.length - linesOf(one).length;
  return { before: read.before - left, after: read.after - left };
}

/** The lines of a hunk. Models leave blank lines between hunks. Such lines belong to the hunk only if its header counts them. */
function linesOf(one: PartHunk): readonly string[] {
  const { counts, lines, read } = one.hunk;
  const last = lines.findLastIndex((line) => line !== '') + 1;
  if (counts === undefined) return lines.slice(0, last);
  const blank = lines.length - last;
  // A blank line is on both sides.
  const before = counts.before - (read.before - blank);
  const after = counts.after - (read.after - blank);
  const counted = isNew(one) ? after : before;
  const isWhole = counted > 0 && counted <= blank && (counted === after || isGone(one));
  return lines.slice(0, isWhole ? last + counted : last);
}

/** The lines on one side of a hunk. Unchanged lines belong to both sides; models sometimes omit the space before them. */
function sideOf(lines: readonly string[], sign: '-' | '+'): string {
  const other = sign === '-' ? '+' : '-';
  const mine = lines.filter((line) => !line.startsWith(other) && !line.startsWith('\\'));
  return mine.map((line) => `${/^[-+ ]/.test(line) ? line.slice(1) : line}\n`).join('');
}
