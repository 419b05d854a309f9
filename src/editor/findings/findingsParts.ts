/** Creates the parts that are loaded with the first review, the first action of a finding, or the list of previews. */
import { createFindingActions, type FindingActionsDeps } from './findingActions.ts';
import { createReviewCommands, type ReviewCommandsDeps } from './reviewCommands.ts';
import { type ReviewPreviewsDeps, toReviewPreviews } from './reviewPreviews.ts';
import { createRevisionReviews } from './revisionReviews.ts';

export type FindingsPartsDeps = FindingActionsDeps & ReviewCommandsDeps & ReviewPreviewsDeps;

export function createFindingsParts(deps: FindingsPartsDeps) {
  return {
    commands: {
      ...createReviewCommands(deps),
      ...createRevisionReviews(deps),
      ...createFindingActions(deps),
    },
    previews: toReviewPreviews(deps),
  };
}
