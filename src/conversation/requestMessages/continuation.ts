/** Questions that the model continues from reasoning that it has already done. */
import type { Turn } from '../turn.ts';

/**
 * The question with the reasoning of a turn that ended before its answer, so that the model can continue from it (F1). If
 * the turn itself continued from the reasoning of earlier attempts, that comes first. The reasoning is in the text of the
 * question, so that this works on routes that don't accept reasoning from a client.
 */
export function toContinuation(
  question: string,
  { reasoning, outcome, request }: Pick<Turn, 'reasoning' | 'outcome' | 'request'>,
): string {
  const isSpent = outcome === 'spent-on-reasoning' || outcome === 'truncated';
  const why = isSpent ? 'the output budget ended' : 'you were interrupted';
  const all = [continuedIn(request.prompt, question), reasoning].filter((part) => part.trim() !== '');
  return `${question}${ALREADY}${why}${SO_FAR}${all.join('\n\n')}${GO_ON}`;
}

/**
 * The question with the reasoning that a turn was asked to continue from, so that the same can be asked again. Undefined if the
 * turn started its reasoning anew.
 */
export function toSameContinuation(question: string, { request }: Pick<Turn, 'request'>): string | undefined {
  const { prompt = '' } = request;
  const start = findAfter(ALREADY, prompt, question);
  return start === -1 || !isContinuation(prompt) ? undefined : question + prompt.slice(start);
}

/** A prompt as the user reads it, without the reasoning that it continues from. */
export function withoutContinuation(prompt: string, question: string): string {
  const start = findAfter(ALREADY, prompt, question);
  return start === -1 || !isContinuation(prompt) ? prompt : prompt.slice(0, start);
}

const ALREADY = '\n\nYou have already reasoned about this; ';
const SO_FAR = ' before the answer. Your reasoning so far:\n\n<reasoning>\n';
const GO_ON = '\n</reasoning>\n\nGo on from there: reason only as far as still needed, then answer.';

/** Whether a prompt continues from the reasoning at its end. */
export const isContinuation = (prompt: string): boolean => prompt.endsWith(GO_ON);

/** The reasoning that a prompt continues from. */
function continuedIn(prompt = '', question: string): string {
  const start = findAfter(SO_FAR, prompt, question);
  return start === -1 || !isContinuation(prompt) ? '' : prompt.slice(start + SO_FAR.length, -GO_ON.length);
}

/**
 * The offset of our own words in a prompt, or -1. The question and the reasoning may quote them, so the search starts after the
 * question.
 */
function findAfter(words: string, prompt: string, question: string): number {
  const asked = prompt.indexOf(question);
  return prompt.indexOf(words, asked === -1 ? 0 : asked + question.length);
}
