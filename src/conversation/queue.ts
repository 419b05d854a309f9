import type { Question } from './question.ts';

/** A question that is sent after the running answer. The id distinguishes it from others with the same text. */
export interface QueuedQuestion {
  readonly id: string;
  readonly question: Question;
}

/** The queue without one of its questions. */
export function withoutQueued(queue: readonly QueuedQuestion[], id: string): readonly QueuedQuestion[] {
  return queue.filter((queued) => queued.id !== id);
}
