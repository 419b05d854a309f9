/** The stored form of an answer whose proposal or findings are being made. It is removed when they exist. */
import * as v from 'valibot';

export const pendingAnswer = v.object({
  turnId: v.string(),
  conversationId: v.string(),
  /** The process ID of the window that makes them. None if that process has ended. */
  process: v.exactOptional(v.number()),
  /** When the process started, which distinguishes it from a later one with the same ID. */
  start: v.exactOptional(v.string()),
  /** The machine of the process: several machines can share a home folder. */
  machine: v.exactOptional(v.string()),
});

export type PendingAnswer = v.InferOutput<typeof pendingAnswer>;
