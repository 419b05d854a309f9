/** Creates the question for a review of changes: the diff of each file, and the numbered lines around it. */
import { fence } from '../../text/fences.ts';
import { splitEndedLines } from '../../text/lineEnds.ts';
import { listPaths } from './pathList.ts';
import {
  heading,
  type Measure,
  REVIEW_RULES,
  type ReviewQuestion,
  toNumberedLines,
} from './reviewQuestion.ts';

export interface ChangedFile {
  readonly path: string;
  /** "modified", "added", "deleted", "renamed": for the model. */
  readonly change: string;
  readonly language: string;
  /** The unified diff; empty for an untracked file, undefined for a file that must not be sent. */
  readonly diff: string | undefined;
  /** The current text of the file; undefined if it is deleted, not a text file, or must not be sent. */
  readonly text: string | undefined;
  /** The file must not be sent because its name or its text suggests that it contains secrets, or because Git's rules ignore it. */
  readonly secret?: true;
  /** The reason for `secret` is that Git's rules ignore the file. */
  readonly ignored?: true;
}

/**
 * The question for changes. Files are added until the budget is used up; the others are only listed by name.
 *
 * @param repository its name
 */
export function toChangesReviewQuestion(
  repository: string,
  files: readonly ChangedFile[],
  budget: number,
  measure: Measure,
): ReviewQuestion {
  const parts: string[] = [];
  const leftOut: string[] = [];
  let left = budget;
  for (const file of files) {
    const part = file.diff === undefined ? undefined : describeChange(file, file.diff);
    const size = part === undefined ? Number.POSITIVE_INFINITY : measure(part);
    if (part === undefined || size > left) {
      leftOut.push(file.path);
      continue;
    }
    left -= size;
    parts.push(part);
  }
  const text = [
    `Review the changes in ${repository} as a careful senior engineer would.`,
    'Report findings on the changed code, and on what the changes break elsewhere in these files. Each file has its diff, then the numbered lines around the changes as they are now.',
    REVIEW_RULES,
    ...parts,
    ...(leftOut.length === 0 ? [] : [`Also changed, and not shown here: ${listPaths(leftOut)}`]),
  ].join('\n\n');
  return { text, leftOut };
}

/** Number of lines around each change that are included, so that findings can quote them. */
const AROUND = 30;

/** The heading, the diff, and the numbered lines around the changes of a file. */
export function describeChange({ path, change, language, text }: ChangedFile, diff: string): string {
  const parts = [heading(path, `${change}, ${language}`)];
  if (diff.trim() !== '') parts.push(fence(diff.trimEnd(), 'diff'));
  if (text !== undefined) {
    const lines = toNumberedLines(text, 0);
    const shown = diff.trim() === '' ? lines : around(lines, changedLines(diff));
    if (shown.length > 0) parts.push(fence(shown.join('\n'), language));
  }
  return parts.join('\n\n');
}

/** The lines around the changes that `describeChange` shows, as they are in the file. */
export const linesAroundChanges = (text: string, diff: string): string =>
  around(splitEndedLines(text), changedLines(diff)).join('\n');

/** The lines that a diff changes, counted from 0, as first and last line. */
function changedLines(diff: string): readonly (readonly [number, number])[] {
  return [...diff.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)].map((match) => {
    const first = Number(match[1]) - 1;
    return [first, first + Number(match[2] ?? 1) - 1];
  });
}

function around(lines: readonly string[], hunks: readonly (readonly [number, number])[]): readonly string[] {
  const shown: string[] = [];
  let next = 0;
  for (const [first, last] of hunks) {
    const from = Math.max(next, first - AROUND);
    const to = Math.min(lines.length, last + AROUND + 1);
    if (from >= to) continue;
    if (from > next) shown.push('…');
    shown.push(...lines.slice(from, to));
    next = to;
  }
  if (next > 0 && next < lines.length) shown.push('…');
  return shown;
}
