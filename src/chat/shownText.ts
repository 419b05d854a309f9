/** What of a turn was shown where text can only be added: neither what follows nor a change of it may take any away. */

/** What a turn says, as far as it has come. */
interface Saying {
  readonly rounds: readonly { readonly answer: string }[];
  readonly answer: string;
}

export interface ShownText {
  /** The place of the text among those of the turn: as many rounds come before it. */
  readonly rounds: number;
  /** What was shown of that text. */
  readonly text: string;
  /** Something was shown at all. */
  readonly any: boolean;
}

export const NOTHING_SHOWN: ShownText = { rounds: 0, text: '', any: false };

/**
 * What to add for a turn as it is now: of each round and of the answer what was not shown yet. A text that is another
 * one than before, as when it turned out to be reasoning, is shown anew; a blank line stands between two texts.
 */
export function foldShownText(
  shown: ShownText,
  { rounds, answer }: Saying,
): { readonly added: string; readonly shown: ShownText } {
  let { any } = shown;
  let added = '';
  const texts = [...rounds.map((round) => round.answer), answer].slice(shown.rounds);
  for (const [index, text] of texts.entries()) {
    const before = index === 0 && text.startsWith(shown.text) ? shown.text : '';
    if (text === before) continue;
    added += (before === '' && any ? '\n\n' : '') + text.slice(before.length);
    any = true;
  }
  return { added, shown: { rounds: rounds.length, text: answer, any } };
}
