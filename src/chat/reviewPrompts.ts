/** The words in which a review of a proposal goes back to the model. They are the model's, so they are not translated. */
import { type CodeLines, toCodeFence, toLineRange, toPlace } from './codePrompts.ts';

/** A remark of the reader, with the lines that it is about. */
export interface RemarkText {
  readonly path: string;
  /** Counted from 0, the last one included. */
  readonly startLine: number;
  readonly endLine: number;
  /** What was proposed for these lines, as lines of a diff; undefined when the remark is about the file as it is. */
  readonly diff: string | undefined;
  /** The lines as they are. */
  readonly quote: string;
  readonly text: string;
}

export interface ReviewText {
  readonly remarks: readonly RemarkText[];
  /** Hunks that need no other version, each as `path, lines 1–3`. */
  /** Hunks that are not decided yet, and have no remark. */
  readonly open: readonly Omit<RemarkText, 'text' | 'quote'>[];
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
  /** The code that a revision would change, as it is now; undefined when nothing was proposed. */
  readonly code: CodeLines | undefined;
}

/** The review as one question. The code comes last. */
export function toReviewPrompt({ remarks, open, accepted, rejected, code }: ReviewText): string {
  return [
    code === undefined
      ? 'My remarks on the code:'
      : 'I have reviewed your proposal. Revise what is still open, as I remark below; leave everything else as it is.',
    ...(accepted.length === 0 ? [] : [`Accepted, and in the file already: ${accepted.join('; ')}.`]),
    ...(rejected.length === 0 ? [] : [`Rejected, do not propose it again: ${rejected.join('; ')}.`]),
    ...open.map(toOpen),
    ...remarks.map((remark, index) => toRemark(remark, index, remarks.length)),
    ...(code === undefined
      ? []
      : [
          'Answer in the form that was asked for, with edits against the code as it is now. If you cannot, answer with one fenced block that holds all of the lines below as they should be.',
          `The code as it is now, ${toPlace(code)}:\n\n${toCodeFence(code)}`,
        ]),
  ].join('\n\n');
}

function toOpen({ path, diff, ...lines }: ReviewText['open'][number]): string {
  const fence = toCodeFence({ text: diff ?? '', language: 'diff' });
  return `Not decided yet, propose it again unless a remark changes it, on ${path}, ${toLineRange(lines)}:\n\n${fence}`;
}

function toRemark({ path, diff, quote, text, ...lines }: RemarkText, index: number, count: number): string {
  const fence =
    diff === undefined
      ? toCodeFence({ text: quote, language: '' })
      : toCodeFence({ text: diff, language: 'diff' });
  return `Remark${count === 1 ? '' : ` ${index + 1}`}, on ${path}, ${toLineRange(lines)}:\n\n${fence}\n\n${text.trim()}`;
}
