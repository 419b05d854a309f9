/** Counts how often the same body was sent to the same scenario, for scenarios that fail at first. */
import { createHash } from 'node:crypto';

export interface AttemptCounts {
  /** Adds one and returns the count, starting with 1. */
  readonly count: (scenario: string, body: Uint8Array) => number;
  /** Restarts the count. */
  readonly reset: (scenario: string, body: Uint8Array) => void;
}

export function createAttemptCounts(): AttemptCounts {
  const counts = new Map<string, number>();
  const keyOf = (scenario: string, body: Uint8Array): string =>
    `${scenario} ${createHash('sha256').update(body).digest('base64')}`;
  return {
    count: (scenario, body) => {
      const key = keyOf(scenario, body);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count;
    },
    reset: (scenario, body) => {
      counts.delete(keyOf(scenario, body));
    },
  };
}
