/** The texts about the results of “Why?”. */

import type { Cited } from '../../panel/why.ts';
import type { PageContext } from '../base/pageContext.ts';

/** How many of the closest steps are marked. More would not be useful. */
export const MOST_STEPS = 12;

/** The text for the bar, and the announcement for screen readers. */
export function toStepsText(
  cited: readonly Cited[],
  word: PageContext['word'],
): { readonly text: string; readonly spoken: string } {
  const [best] = cited;
  if (best === undefined) {
    const text = word('No step of the reasoning mentions this.');
    return { text, spoken: text };
  }
  if (cited.length > MOST_STEPS) {
    const text =
      best.strength === 'strong'
        ? word('The {0} closest of {1} steps that mention this', MOST_STEPS, cited.length)
        : word('The {0} closest of {1} steps that share some words', MOST_STEPS, cited.length);
    return { text, spoken: text };
  }
  return best.strength === 'strong'
    ? {
        text: word('{0, plural, one {# step mentions this} other {# steps mention this}}', cited.length),
        spoken: word(
          '{0, plural, one {# step of the reasoning mentions this} other {# steps of the reasoning mention this; showing the first}}',
          cited.length,
        ),
      }
    : {
        text: word(
          '{0, plural, one {# step shares some words} other {# steps share some words}}',
          cited.length,
        ),
        spoken: word(
          '{0, plural, one {# step of the reasoning shares some words with this} other {# steps of the reasoning share some words with this; showing the first}}',
          cited.length,
        ),
      };
}

/** Says how many places of the answer mention a step. */
export function toPlacesText(count: number, word: PageContext['word']): string {
  return count === 0
    ? word('No place in the answer mentions this step.')
    : word('{0, plural, one {# place mentions this step} other {# places mention this step}}', count);
}
