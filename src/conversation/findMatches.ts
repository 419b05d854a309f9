/** Find in a conversation: all matches of a text, in reading order. */

import { type Conversation, type Exchange, sentText, shownTurn } from './conversation.ts';
import { allReasoning } from './rounds.ts';
import type { Turn } from './turn.ts';

export interface FindMatch {
  readonly exchangeId: string;
  /** `prompt` is the text that a command made of the question. */
  readonly part: 'question' | 'prompt' | 'reasoning' | 'answer';
  /** The round, counted from 0, for the text of a response with tool calls. */
  readonly round?: number;
  /** The number of the match in this part, counted from 0. */
  readonly occurrence: number;
}

/** The maximum number of matches that are reported. The last ones are kept, because the search begins with them. */
export const MAX_MATCHES = 10_000;

/**
 * Searches the text that is shown, not other attempts or branches. Not case-sensitive.
 *
 * @param answerOf returns the answer of a turn as it is shown, which can include earlier parts
 */
export function findMatches(
  conversation: Conversation,
  words: string,
  answerOf: (exchange: Exchange, turn: Turn) => string = (_, { answer }) => answer,
): readonly FindMatch[] {
  const wanted = fold(words);
  if (wanted === '') return [];
  const inMarkdown = createCount(wanted);
  const places: FindMatch[] = [];
  for (const exchange of conversation.exchanges.toReversed()) {
    if (places.length === MAX_MATCHES) break;
    const turn = shownTurn(exchange);
    const { asked, continues, format, text: sent } = exchange.question;
    const parts: readonly (Pick<FindMatch, 'part' | 'round'> & { readonly text: string })[] = [
      // For Continue, the page shows its own word and, as for a command, the text that is sent.
      { part: 'question', text: asked ?? (continues === undefined ? sent : '') },
      {
        part: 'prompt',
        text: asked === undefined && continues === undefined ? '' : sentText(exchange, turn),
      },
      { part: 'reasoning', text: turn === undefined ? '' : allReasoning(turn) },
      ...(turn?.rounds ?? []).map(({ answer }, round) => ({ part: 'answer' as const, round, text: answer })),
      { part: 'answer', text: turn === undefined ? '' : answerOf(exchange, turn) },
    ];
    for (const { text, ...part } of parts.toReversed()) {
      const isMarkdown = part.part === 'reasoning' || (part.part === 'answer' && format === undefined);
      const count = isMarkdown ? inMarkdown(fold(text)) : countOf(fold(text), wanted);
      for (let left = count; left > 0 && places.length < MAX_MATCHES; left--)
        places.push({ exchangeId: exchange.id, ...part, occurrence: left - 1 });
    }
  }
  return places.toReversed();
}

/** Letters with diacritics have two forms in Unicode. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** Markdown marks by their first character. Inside a word, a single `*` or `_` isn't a mark. */
const MARKS: Readonly<Record<string, string>> = {
  '*': '(?!(?<=[a-z\\d])\\*[a-z\\d])\\*',
  _: '(?!(?<=[a-z\\d\\u0080-\\u{10ffff}])_[a-z\\d\\u0080-\\u{10ffff}])_',
  '`': '`',
  '~': '~~',
  '\\': '\\\\(?=[!-\\/:-@[-`{-~])',
  '[': '\\[(?=[^[\\]\\n]*\\]\\()',
  ']': '\\]\\([^()\\s]*\\)',
};

/** For longer words, building the expression takes too long. In UTF-16 code units. */
const MOST_WITH_MARKS = 100;

/**
 * Counts words in Markdown, ignoring marks between and in the words, because the page doesn't show them. Marks that begin with a
 * character of the words aren't ignored, so that each text can match in one way only.
 */
function createCount(wanted: string): (text: string) => number {
  if (wanted.length > MOST_WITH_MARKS) return (text) => countOf(text, wanted);
  const characters = [...wanted].map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  const marks = Object.entries(MARKS).flatMap(([first, mark]) => (wanted.includes(first) ? [] : [mark]));
  const words = new RegExp(characters.join(`(?:${marks.join('|')})*`), 'gu');
  return (text) => text.match(words)?.length ?? 0;
}

function countOf(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count++;
  return count;
}
