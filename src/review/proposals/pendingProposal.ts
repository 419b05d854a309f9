/** An answer of which a proposal is being made, as it is stored until that is there. */
import * as v from 'valibot';

export const pendingProposal = v.object({
  turnId: v.string(),
  conversationId: v.string(),
  /** The number of the process of the window that makes it. None if that has ended. */
  process: v.exactOptional(v.number()),
  /** When that began, which tells it from a later one with its number. */
  start: v.exactOptional(v.string()),
  /** Where that runs: a home folder can be that of several machines. */
  machine: v.exactOptional(v.string()),
});

export type PendingProposal = v.InferOutput<typeof pendingProposal>;
