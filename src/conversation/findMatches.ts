/** Find in a conversation: all matches of a text, in reading order. */

import { type Conversation, type Exchange, shownTurn } from './conversation.ts';
import { allReasoning } from './rounds.ts';
import type { Turn } from './turn.ts';

export interface FindMatch {
  readonly exchangeId: string;
  /** `prompt` is what a command made of the question. */
  readonly part: 'question' | 'prompt' | 'reasoning' | 'answer';
  /** The round, counted from 0, for the text of a response with tool calls. */
  readonly round?: number;
  /** The number of the match in this part, counted from 0. */
  readonly occurrence: number;
}

/** The maximum number of matches that are reported: the last ones, with which the search begins. */
export const MAX_MATCHES = 10_000;

/**
 * Searches what is shown, not other attempts or branches. Not case-sensitive.
 *
 * @param answerOf the answer of a turn as it is shown, which can have earlier parts in it
 */
export function findMatches(
  conversation: Conversation,
  words: string,
  answerOf: (exchange: Exchange, turn: Turn) => string = (_, { answer }) => answer,
): readonly FindMatch[] {
  const wanted = fold(words);
  if (wanted === '') return [];
  const places: FindMatch[] = [];
  for (const exchange of conversation.exchanges.toReversed()) {
    if (places.length === MAX_MATCHES) break;
    const turn = shownTurn(exchange);
    const { asked, continues, text: sent } = exchange.question;
    const parts: readonly (Pick<FindMatch, 'part' | 'round'> & { readonly text: string })[] = [
      // Of Continue, the page shows its own word and, as for a command, what is sent.
      { part: 'question', text: asked ?? (continues === undefined ? sent : '') },
      { part: 'prompt', text: asked === undefined && continues === undefined ? '' : sent },
      { part: 'reasoning', text: turn === undefined ? '' : allReasoning(turn) },
      ...(turn?.rounds ?? []).map(({ answer }, round) => ({ part: 'answer' as const, round, text: answer })),
      { part: 'answer', text: turn === undefined ? '' : answerOf(exchange, turn) },
    ];
    for (const { text, ...part } of parts.toReversed()) {
      for (let left = countOf(fold(text), wanted); left > 0 && places.length < MAX_MATCHES; left--)
        places.push({ exchangeId: exchange.id, ...part, occurrence: left - 1 });
    }
  }
  return places.toReversed();
}

/** Letters with marks have two forms in Unicode. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();

function countOf(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count++;
  return count;
}
