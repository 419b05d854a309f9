/** Leaves out what a stream sends twice: behind the deltas, some services send the whole message once more. */
import { hasText } from './answerChoice.ts';
import { asArray, asObject } from './json.ts';
import type { Chunk } from './types.ts';

export interface SentOnce {
  /**
   * The chunk without the text and the calls that came before.
   *
   * @param isMessage it is a message, not a delta
   */
  take(chunk: Chunk, isMessage: boolean): Chunk;
}

/** Whether the fields of a chunk are in `message` and not in `delta`. */
export function isMessage(json: unknown): boolean {
  const choice = asObject(asArray(asObject(json)?.['choices'])?.[0]);
  return choice !== undefined && !asObject(choice['delta']) && asObject(choice['message']) !== undefined;
}

export function createSentOnce(): SentOnce {
  let answer = '';
  let reasoning = '';
  let name: string | undefined;
  /** Only behind deltas is a message all of the text. */
  let hasDelta = false;
  let hasDetails = false;
  let hasCalls = false;

  /** The reasoning, unless it is all of it again under another name. */
  const newReasoning = ({ reasoning: own }: Chunk, isWhole: boolean): Chunk['reasoning'] => {
    if (own === undefined || reasoning === '') return own;
    const isAgain = own.name !== name && own.name === 'reasoning_details' && own.text === reasoning;
    if (!isWhole && !isAgain) return own;
    const text = isAgain ? '' : restOf(reasoning, own.text);
    return text === '' ? undefined : { ...own, text };
  };

  return {
    take(chunk, isMessage) {
      const isWhole = isMessage && hasDelta;
      hasDelta ||= !isMessage && hasText(chunk);
      const own = newReasoning(chunk, isWhole);
      const once = !isWhole
        ? own === chunk.reasoning
          ? chunk
          : { ...chunk, reasoning: own }
        : {
            ...chunk,
            reasoning: own,
            answer: restOf(answer, chunk.answer),
            reasoningDetails: hasDetails ? NONE : chunk.reasoningDetails,
            toolCalls: hasCalls ? NONE : chunk.toolCalls,
          };
      answer += once.answer;
      if (once.reasoning !== undefined) {
        reasoning += once.reasoning.text;
        name ??= once.reasoning.name;
      }
      hasDetails ||= once.reasoningDetails.length > 0;
      hasCalls ||= once.toolCalls.length > 0;
      return once;
    },
  };
}

const NONE: readonly never[] = [];

/** What a whole text adds to a part of it. A text that isn't the same is kept, so that nothing is lost. */
function restOf(known: string, whole: string): string {
  if (whole.startsWith(known)) return whole.slice(known.length);
  return whole.trim() === known.trim() ? '' : whole;
}
