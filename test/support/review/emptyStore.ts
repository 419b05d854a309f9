/** A store of proposals that stores nothing. */
import type { ProposalStore } from '../../../src/editor/proposals/proposalStore.ts';

export const EMPTY_STORE = {
  load: () => [],
  save: () => undefined,
  flush: () => undefined,
  soon: () => undefined,
  changedElsewhere: () => [],
  dispose: () => undefined,
} satisfies ProposalStore;
