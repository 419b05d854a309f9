/** The output of a running command. Only its start and its end are kept. */

/** The maximum number of characters that are kept of the start and of the end, together 256 K. */
const HEAD = 64 * 1024;
const TAIL = 192 * 1024;

export interface KeptOutput {
  readonly head: string;
  readonly tail: string;
  /** Whether there was text between them, which was dropped. */
  readonly isCut: boolean;
}

export const NO_OUTPUT: KeptOutput = { head: '', tail: '', isCut: false };

/** Adds output. If there is too much, half of the end is dropped at a time, because each cut copies the text. */
export function withMore(output: KeptOutput, more: string): KeptOutput {
  const head = output.head + more.slice(0, HEAD - output.head.length);
  const tail = output.tail + more.slice(head.length - output.head.length);
  return tail.length <= TAIL ? { ...output, head, tail } : { head, tail: tail.slice(-TAIL / 2), isCut: true };
}
