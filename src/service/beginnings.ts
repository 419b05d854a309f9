/** Finds where a service begins another response in the same stream, as gateways that go on at another server do. */
import { hasText } from './answerChoice.ts';
import { asArray, asObject } from './json.ts';
import type { Chunk } from './types.ts';

export interface Beginnings {
  /** Whether a chunk, which was decoded from `json`, begins another response. */
  isAnother(json: unknown, chunk: Chunk): boolean;
}

/**
 * Ids that change with each chunk, and a role in each chunk, are nothing unusual. Another response begins with both: an empty chunk with the
 * role and an id of its own, behind text.
 */
export function createBeginnings(): Beginnings {
  let id: string | undefined;
  let hasBegun = false;
  return {
    isAnother(json, chunk) {
      const isOther = hasBegun && chunk.id !== undefined && id !== undefined && chunk.id !== id;
      id = chunk.id ?? id;
      hasBegun ||= hasText(chunk);
      return isOther && !hasText(chunk) && chunk.finishReason === undefined && hasRole(json);
    },
  };
}

function hasRole(json: unknown): boolean {
  const choice = asObject(asArray(asObject(json)?.['choices'])?.[0]);
  return asObject(choice?.['delta'])?.['role'] === 'assistant';
}
