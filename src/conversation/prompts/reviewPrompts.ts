/**
 * The prompt that sends the review of a proposal to the model. It is for the model, so it isn't translated.
 */
import { fence } from '../../text/fences.ts';
import { type CodeLines, toLineRange, toLocation } from './codePrompts.ts';

/** A comment of the user, with the lines that it refers to. */
export interface CommentText {
  readonly path: string;
  /** Counted from 0. The end is included. */
  readonly startLine: number;
  readonly endLine: number;
  /**
   * The proposed change to these lines, as lines of a diff. Undefined if the comment refers to the current
   * file.
   */
  readonly diff: string | undefined;
  /** The current lines. */
  readonly quote: string;
  readonly text: string;
}

export interface ReviewText {
  readonly remarks: readonly CommentText[];
  /** Hunks without a decision and without a comment. */
  readonly open: readonly Omit<CommentText, 'text' | 'quote'>[];
  /** Hunks that need no new version, each with its path, its line, and its first text. */
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
  /** The current code that a revision would change, file by file. Empty if nothing was proposed. */
  readonly code: readonly CodeLines[];
}

const IN_FORM =
  'Answer in the form that was asked for, without calling tools, with edits against the code as it is now. If you cannot, answer with';
const IN_A_BLOCK = 'one fenced block that holds all of the lines below as they should be.';
const IN_DIFFS = 'one fenced diff for each file, headed by its path.';

/** The review as one question. The code comes last. */
export function toReviewPrompt({ remarks, open, accepted, rejected, code }: ReviewText): string {
  return [
    code.length === 0
      ? 'My remarks on the code:'
      : 'I have reviewed your proposal. Revise what is still open, as I remark below; leave everything else as it is.',
    ...(accepted.length === 0 ? [] : [`Accepted, and in the file already: ${accepted.join('; ')}.`]),
    ...(rejected.length === 0 ? [] : [`Rejected, do not propose it again: ${rejected.join('; ')}.`]),
    ...open.map(toOpen),
    ...remarks.map((remark, index) => toRemark(remark, index, remarks.length)),
    ...(code.length === 0 ? [] : [`${IN_FORM} ${code.length === 1 ? IN_A_BLOCK : IN_DIFFS}`]),
    ...code.map(
      (lines) => `The code as it is now, ${toLocation(lines)}:\n\n${fence(lines.text, lines.language)}`,
    ),
  ].join('\n\n');
}

function toOpen({ path, diff, ...lines }: ReviewText['open'][number]): string {
  const block = fence(diff ?? '', 'diff');
  return `Not decided yet, propose it again unless a remark changes it, on ${path}, ${toLineRange(lines)}:\n\n${block}`;
}

function toRemark({ path, diff, quote, text, ...lines }: CommentText, index: number, count: number): string {
  const block = diff === undefined ? fence(quote) : fence(diff, 'diff');
  return `${toNumber(index, count)}, on ${path}, ${toLineRange(lines)}:\n\n${block}\n\n${text.trim()}`;
}

const toNumber = (index: number, count: number): string => `Remark${count === 1 ? '' : ` ${index + 1}`}`;
