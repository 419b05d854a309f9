/** The stored form of an answer whose proposal is being created. It is removed when the proposal exists. */
import * as v from 'valibot';

export const pendingProposal = v.object({
  turnId: v.string(),
  conversationId: v.string(),
  /** The process ID of the window that creates the proposal. None if that process has ended. */
  process: v.exactOptional(v.number()),
  /** When the process started, which distinguishes it from a later one with the same ID. */
  start: v.exactOptional(v.string()),
  /** The machine of the process: several machines can share a home folder. */
  machine: v.exactOptional(v.string()),
});

export type PendingProposal = v.InferOutput<typeof pendingProposal>;
