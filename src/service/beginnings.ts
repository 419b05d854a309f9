/** Detects that a service begins another response in the same stream. Gateways do so when they go on at another server. */
import { bringsText, carriesAnything, choiceOf, hasRole } from './answerChoice.ts';
import type { Chunk } from './types.ts';

export interface Beginnings {
  /** Whether a chunk begins another response. The chunk was decoded from `json`. */
  isAnother(json: unknown, chunk: Chunk): boolean;
  /** Whether a chunk has the first tool calls of a response that isn't the first one in the stream. */
  hasFirstCalls(chunk: Chunk): boolean;
}

/**
 * Ids that change with each chunk, and a role in each chunk, are common. So another response begins only with an empty chunk that
 * has the role and a new id, after text whose chunks all had the same id. After a finish reason, there is no other response: the
 * gateway goes on after tools that it has run itself.
 */
export function createBeginnings(): Beginnings {
  let id: string | undefined;
  let hasBegun = false;
  let isEnded = false;
  /** The id has changed in the middle of a response, so ids don't show where a response begins. */
  let changes = false;
  let awaitsCalls = false;
  /**
   * The id before the last beginning. If a later chunk has it, the earlier response goes on, and the beginning was only a sign of
   * life.
   */
  let earlier: string | undefined;

  function isAnother(json: unknown, chunk: Chunk): boolean {
    const isOther = chunk.id !== undefined && id !== undefined && chunk.id !== id;
    changes ||= isOther && (bringsText(chunk) || !hasBegun);
    id = chunk.id ?? id;
    isEnded ||= chunk.finishReason !== undefined;
    if (!isOther || changes || isEnded || !hasBegun || carriesAnything(chunk)) {
      hasBegun ||= bringsText(chunk);
      return false;
    }
    return hasRole(choiceOf(json));
  }

  return {
    isAnother(json, chunk) {
      const before = id;
      const isFound = isAnother(json, chunk);
      if (isFound) earlier = before;
      else if (earlier !== undefined && chunk.id === earlier) awaitsCalls = false;
      awaitsCalls ||= isFound;
      return isFound;
    },
    hasFirstCalls({ toolCalls }) {
      const areFirst = awaitsCalls && toolCalls.length > 0;
      if (areFirst) awaitsCalls = false;
      return areFirst;
    },
  };
}
