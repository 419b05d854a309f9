/** Finds words in a conversation, in the text that its page shows. */

import type { Conversation } from '../../conversation/conversation.ts';
import { type FindMatch, findMatches } from '../../conversation/findMatches.ts';
import { isContinued, toWholeAnswer } from '../../requests/wholeAnswer.ts';
import type { Placement } from '../../review/findings/findingPlacement.ts';
import { toShownWhole } from './shownAnswer.ts';

/**
 * Finds words in the shown text. An answer in several parts is searched in the exchange that shows it as a whole; a
 * proposal or a review in its shown form.
 *
 * @param placementsOf the lines of the findings in the answer of a turn
 */
export function findShown(
  conversation: Conversation,
  words: string,
  placementsOf: (turnId: string) => readonly Placement[] | undefined,
): readonly FindMatch[] {
  const { exchanges } = conversation;
  // Of many thousands of turns, few are continued.
  const continued = new Set(exchanges.map(({ question }) => question.continues));
  return findMatches(conversation, words, ({ question }, turn) => {
    if (continued.has(turn.id) && isContinued(exchanges, turn)) return '';
    const whole = toWholeAnswer(exchanges, question, turn);
    const shown = toShownWhole(question, turn, whole, placementsOf(turn.id));
    return question.purpose === 'findings' ? withoutEscapes(shown) : shown;
  });
}

/** Markdown without its escaping backslashes, which the page doesn't show. Backslashes in code stay. */
function withoutEscapes(markdown: string): string {
  let fence: string | undefined;
  const toLine = (line: string): string => {
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      return line;
    }
    fence = /^`{3,}/.exec(line)?.[0];
    return fence === undefined ? toShownLine(line) : line;
  };
  return markdown.split('\n').map(toLine).join('\n');
}

/** Code in backticks stays as it is. An escaped backtick doesn't begin code. */
const toShownLine = (line: string): string =>
  line.replace(ESCAPED_OR_CODE, (whole, escaped: string | undefined) => escaped ?? whole);

const ESCAPED_OR_CODE = /\\([\\`*_{}[\]()#+\-!|<>~&.=])|`[^`]+`/g;
