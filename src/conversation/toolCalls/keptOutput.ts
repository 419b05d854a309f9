/** The output of a running command, of which only the start and the end are kept. */

/** The number of characters that are kept of the start, and at most of the end. Together 256 K. */
const HEAD = 64 * 1024;
const TAIL = 192 * 1024;

export interface KeptOutput {
  readonly head: string;
  readonly tail: string;
  /** Whether there was something between them. */
  readonly isCut: boolean;
}

export const NO_OUTPUT: KeptOutput = { head: '', tail: '', isCut: false };

/** The output with some more. When there is too much, half of the end is dropped, because each cut copies the text. */
export function withMore(output: KeptOutput, more: string): KeptOutput {
  const head = output.head + more.slice(0, HEAD - output.head.length);
  const tail = output.tail + more.slice(head.length - output.head.length);
  return tail.length <= TAIL ? { ...output, head, tail } : { head, tail: tail.slice(-TAIL / 2), isCut: true };
}
