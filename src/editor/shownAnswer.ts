/** The text of an answer as the panel shows it: what was asked for in a form is shown as what it says. */
import type { Outcome, Purpose, Turn } from '../chat/turn.ts';
import { toFindingsMarkdown } from '../review/findingsText.ts';
import type { Placement } from '../review/placement.ts';
import { toProposalMarkdown } from '../review/proposalMarkdown.ts';
import { toFindingsWords } from './findingsWords.ts';

/**
 * While a turn runs, each text begins with the one before it, or is another text altogether at its end.
 *
 * @param placements where the findings of the answer stand, once that is known
 */
export function toShownAnswer(
  purpose: Purpose | undefined,
  { answer, outcome }: Pick<Turn, 'answer' | 'outcome'>,
  placements?: readonly Placement[],
): string {
  switch (purpose) {
    case 'proposal':
    case 'tests':
      return toProposalMarkdown(answer, outcome !== undefined);
    case 'findings':
      return toFindingsMarkdown(answer, stateOf(outcome), toFindingsWords(), placements);
    case 'commit-message':
    case undefined:
      return answer;
  }
}

function stateOf(outcome: Outcome | undefined): 'running' | 'complete' | 'cut' {
  if (outcome === undefined) return 'running';
  return outcome === 'complete' ? 'complete' : 'cut';
}
