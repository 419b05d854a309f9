/** The text of an answer as the panel shows it: what was asked for in a form is shown as what it says. */
import type { Outcome, Question, Turn } from '../../chat/turn.ts';
import type { Placement } from '../../review/findingPlacement.ts';
import { toFindingsMarkdown } from '../../review/findingsText.ts';
import { toProposalMarkdown } from '../../review/proposalMarkdown.ts';
import { toFindingsWords } from '../findings/findingsWords.ts';

/** Of JSON that still grows: it is a block of code, whatever stands in it. At its end the page makes a tree of it. */
const FENCE = '````````json\n';

/**
 * While a turn runs, each text begins with the one before it, or is another text altogether at its end.
 *
 * @param placements where the findings of the answer stand, once that is known
 */
export function toShownAnswer(
  { purpose, format }: Pick<Question, 'purpose' | 'format'>,
  { answer, outcome }: Pick<Turn, 'answer' | 'outcome'>,
  placements?: readonly Placement[],
): string {
  if (purpose === undefined) {
    const grows = format !== undefined && outcome === undefined && answer !== '';
    return grows ? `${FENCE}${answer}` : answer;
  }
  switch (purpose) {
    case 'proposal':
    case 'tests':
      return toProposalMarkdown(answer, outcome !== undefined);
    case 'findings':
      return toFindingsMarkdown(answer, stateOf(outcome), toFindingsWords(), placements);
    case 'commit-message':
      return answer;
  }
}

/**
 * What text that was appended to the answer of a running turn adds to the shown answer; undefined when only the whole
 * answer says that, because the shown one is made from it.
 *
 * @param before the answer before that
 */
export function toShownAppended(
  { purpose, format }: Pick<Question, 'purpose' | 'format'>,
  before: string,
  appended: string,
): string | undefined {
  switch (purpose) {
    case undefined:
      return format !== undefined && before === '' && appended !== '' ? `${FENCE}${appended}` : appended;
    case 'commit-message':
      return appended;
    case 'proposal':
    case 'tests':
    case 'findings':
      return undefined;
  }
}

function stateOf(outcome: Outcome | undefined): 'running' | 'complete' | 'cut' {
  if (outcome === undefined) return 'running';
  return outcome === 'complete' ? 'complete' : 'cut';
}
