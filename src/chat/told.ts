/** What of a turn was shown where text can only be added: neither what follows nor a change of it may take any away. */

/** What a turn says, as far as it has come. */
interface Saying {
  readonly rounds: readonly { readonly answer: string }[];
  readonly answer: string;
}

export interface Told {
  /** The place of the text among those of the turn: as many rounds come before it. */
  readonly rounds: number;
  /** What was shown of that text. */
  readonly text: string;
  /** Something was shown at all. */
  readonly any: boolean;
}

export const NOTHING_TOLD: Told = { rounds: 0, text: '', any: false };

/**
 * What to add for a turn as it is now: of each round and of the answer what was not shown yet. A text that is another
 * one than before, as when it turned out to be reasoning, is shown anew; a blank line stands between two texts.
 */
export function tell(
  told: Told,
  { rounds, answer }: Saying,
): { readonly added: string; readonly told: Told } {
  let { any } = told;
  let added = '';
  const texts = [...rounds.map((round) => round.answer), answer].slice(told.rounds);
  for (const [index, text] of texts.entries()) {
    const shown = index === 0 && text.startsWith(told.text) ? told.text : '';
    if (text === shown) continue;
    added += (shown === '' && any ? '\n\n' : '') + text.slice(shown.length);
    any = true;
  }
  return { added, told: { rounds: rounds.length, text: answer, any } };
}
