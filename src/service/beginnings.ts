/** Finds where a service begins another response in the same stream, as gateways that go on at another server do. */
import { bringsText, carriesAnything, choiceOf, hasRole } from './answerChoice.ts';
import type { Chunk } from './types.ts';

export interface Beginnings {
  /** Whether a chunk, which was decoded from `json`, begins another response. */
  isAnother(json: unknown, chunk: Chunk): boolean;
  /** Whether a chunk has the first calls of a response that is not the first one. */
  hasFirstCalls(chunk: Chunk): boolean;
}

/**
 * Ids that change with each chunk, and a role in each chunk, are nothing unusual. Another response begins with an empty chunk that has the role
 * and an id of its own, behind text with one id. Behind a finish reason, a gateway goes on after tools that it has run.
 */
export function createBeginnings(): Beginnings {
  let id: string | undefined;
  let hasBegun = false;
  let isEnded = false;
  /** Ids that change in the middle of a response say nothing. */
  let changes = false;
  let awaitsCalls = false;
  /** The id before the last beginning. A chunk that has it shows that the earlier response goes on: the beginning was a sign of life. */
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
