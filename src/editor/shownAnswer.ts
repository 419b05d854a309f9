/** The text of an answer as the panel shows it: what was asked for in a form is shown as what it says. */
import type { Purpose, Turn } from '../chat/turn.ts';
import { toProposalMarkdown } from '../review/proposalMarkdown.ts';

/** While a turn runs, each text begins with the one before it, or is another text altogether at its end. */
export function toShownAnswer(
  purpose: Purpose | undefined,
  { answer, outcome }: Pick<Turn, 'answer' | 'outcome'>,
): string {
  switch (purpose) {
    case 'proposal':
    case 'tests':
      return toProposalMarkdown(answer, outcome !== undefined);
    case 'findings':
    case 'commit-message':
    case undefined:
      return answer;
  }
}
