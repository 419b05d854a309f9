/** The text of an answer as the panel shows it. Answers in a format of ours are converted to Markdown. */
import type { Question } from '../../conversation/question.ts';
import type { Outcome, Turn } from '../../conversation/turn.ts';
import type { WholeAnswer } from '../../requests/wholeAnswer.ts';
import type { Placement } from '../../review/findings/findingPlacement.ts';
import { toFindingsMarkdown } from '../../review/findings/findingsText.ts';
import { hidesCutText, toProposalMarkdown } from '../../review/proposals/proposalMarkdown.ts';
import { reviewedRevision } from '../../review/questions/revisionQuestion.ts';
import { fence } from '../../text/fences.ts';
import { toFindingsWords } from '../findings/findingsWords.ts';

/** Opens a code block for JSON that is still streaming. At the end the page shows a tree instead. */
const FENCE = '````````json\n';

/**
 * The text that is shown for an answer. While a turn runs, each result begins with the previous one. At its end, the result
 * may be another text.
 *
 * @param placements the lines of the findings in the answer, once they are known
 */
export function toShownAnswer(
  { purpose, format, text }: Pick<Question, 'purpose' | 'format' | 'text'>,
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
      return toFindingsMarkdown(
        answer,
        stateOf(outcome),
        toFindingsWords(),
        placements,
        reviewedRevision(text),
      );
    case 'commit-message':
      return answer;
  }
}

/** The text of an answer in all its parts. */
export function toShownWhole(
  question: Question,
  turn: Turn,
  { text, fits }: Pick<WholeAnswer, 'text' | 'fits'>,
  placements?: readonly Placement[],
): string {
  // If the parts don't form JSON together, the text can't be converted to Markdown.
  if (!fits && question.format === undefined && turn.outcome !== undefined) return fence(text, 'json');
  return toShownAnswer(question, { ...turn, answer: text }, placements);
}

/** The text of an answer as it was received, if the shown text leaves out a part that was cut off; otherwise undefined. */
export function toReceived(
  { purpose }: Pick<Question, 'purpose'>,
  { outcome }: Pick<Turn, 'outcome'>,
  { text, fits }: Pick<WholeAnswer, 'text' | 'fits'>,
): string | undefined {
  const isProposal = purpose === 'proposal' || purpose === 'tests';
  return isProposal && outcome !== undefined && fits && hidesCutText(text) ? text : undefined;
}

/**
 * What appended text adds to the shown answer of a running turn; undefined when the shown answer is derived from the
 * complete answer.
 *
 * @param before the answer without the appended text
 */
export function toShownAppended(
  { purpose, format, continues }: Pick<Question, 'purpose' | 'format' | 'continues'>,
  before: string,
  appended: string,
): string | undefined {
  if (continues !== undefined) return undefined;
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
