/** Answers that are being read, of which nothing is stored. */
import type { PendingAnswers } from '../../../src/editor/proposals/pendingAnswers.ts';

export const NO_PENDING: PendingAnswers = {
  begin: () => undefined,
  end: () => undefined,
  left: () => [],
  leave: () => undefined,
};
