/** What is loaded with the first review, the first action of a finding, or the list of what reviews would ask. */
import { createAllowedReads } from '../workspace/allowedReads.ts';
import { createFindingActions, type FindingActionsDeps } from './findingActions.ts';
import { createReviewCommands, type ReviewCommandsDeps } from './reviewCommands.ts';
import { type ReviewPreviewsDeps, toReviewPreviews } from './reviewPreviews.ts';
import { createRevisionReviews } from './revisionReviews.ts';

export type FindingsPartsDeps = FindingActionsDeps & Omit<ReviewCommandsDeps & ReviewPreviewsDeps, 'reads'>;

export function createFindingsParts(deps: FindingsPartsDeps) {
  const asking = { ...deps, reads: createAllowedReads() };
  return {
    commands: {
      ...createReviewCommands(asking),
      ...createRevisionReviews(asking),
      ...createFindingActions(deps),
    },
    previews: toReviewPreviews(asking),
  };
}
