/** Searches the reasoning of a conversation by the full texts of its steps. Each result has the words around the match. */
import { toPlainLine } from '../../text/plainLine.ts';
import { type Conversation, type Exchange, shownTurn } from '../conversation.ts';
import { firstLineOf } from '../shownQuestion.ts';
import { stepsOf } from './outline.ts';
import { allStepTexts } from './steps.ts';

export interface SearchedStep {
  readonly turnId: string;
  /** The index in the turn, counted from 0. */
  readonly index: number;
  readonly title: string;
  /**
   * The first line of the question. Empty if it has only images or context; undefined for the question of Continue, which the
   * user didn't write.
   */
  readonly question: string | undefined;
  /** The full text in Unicode's composed form (NFC), with single spaces, and without marks of Markdown. */
  readonly text: string;
}

export interface FoundStep extends SearchedStep {
  /** The part of the text that is shown: the words around the match, or else the beginning. */
  readonly excerpt: Excerpt;
}

export interface Excerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

export interface StepSearch {
  /** The number of all steps. */
  readonly count: number;
  /**
   * Returns the steps that have all words in their title, text, or question, ignoring case. Steps in which the words are adjacent
   * come first; otherwise, the order of the list is kept. Returns all steps if there are no words.
   */
  find(words: string): readonly FoundStep[];
}

/** The length of an excerpt, and the maximum length of its part before the match, in UTF-16 code units. */
const EXCERPT = 200;
const BEFORE = 40;

/** The steps of all turns that are shown, the latest turn first. */
export function createStepSearch({ exchanges }: Conversation): StepSearch {
  const steps = exchanges.toReversed().flatMap(toSearchedSteps);
  return {
    count: steps.length,
    find(words) {
      const phrase = compose(toPlainLine(words) || words.trim()).toLowerCase();
      const wanted = phrase === '' ? [] : phrase.split(' ');
      const longest = wanted.reduce((one, other) => (other.length > one.length ? other : one), '');
      const beside: FoundStep[] = [];
      const others: FoundStep[] = [];
      for (const { step, all, text } of steps) {
        if (!wanted.every((word) => all.includes(word))) continue;
        const isBeside = all.includes(phrase);
        const match = text.includes(phrase) ? phrase : longest;
        (isBeside ? beside : others).push({ ...step, excerpt: toExcerpt(step.text, text, match) });
      }
      return [...beside, ...others];
    },
  };
}

interface Searchable {
  readonly step: SearchedStep;
  /** Title, question, and text, and the text alone, in lowercase. */
  readonly all: string;
  readonly text: string;
}

function toSearchedSteps(exchange: Exchange): readonly Searchable[] {
  const turn = shownTurn(exchange);
  if (turn === undefined) return [];
  const { asked, continues } = exchange.question;
  const isWritten = asked !== undefined || continues === undefined;
  const question = isWritten ? firstLineOf(exchange.question) : undefined;
  const texts = allStepTexts(turn);
  return stepsOf(turn.outline).map(({ title }, index) => {
    const text = compose(toPlainLine(texts[index] ?? ''));
    const lower = text.toLowerCase();
    return {
      step: { turnId: turn.id, index, title, question, text },
      all: `${compose(`${toPlainLine(title)}\n${toPlainLine(question ?? '')}`).toLowerCase()}\n${lower}`,
      text: lower,
    };
  });
}

/** Letters with diacritics have two forms in Unicode. */
const compose = (text: string): string => text.normalize('NFC');

/** @param lower the text in lowercase */
function toExcerpt(text: string, lower: string, match: string): Excerpt {
  // A few letters are longer in lowercase, so their offsets would differ.
  const shown = lower.length === text.length ? text : lower;
  const at = match === '' ? -1 : lower.indexOf(match);
  const start = Math.max(0, at);
  const from = start <= BEFORE ? 0 : afterSpace(shown, start - BEFORE, start);
  const end = at === -1 ? 0 : start + match.length;
  const to =
    shown.length - from <= EXCERPT ? shown.length : Math.max(end, beforeSpace(shown, from + EXCERPT));
  return {
    before: `${from === 0 ? '' : '…'}${shown.slice(from, start)}`,
    match: shown.slice(start, end),
    after: `${shown.slice(Math.max(start, end), to)}${to === shown.length ? '' : '…'}`,
  };
}

/** The start of the first word after an offset, or else of the character there. */
function afterSpace(text: string, from: number, limit: number): number {
  const space = text.indexOf(' ', from);
  return space === -1 || space >= limit ? startOfCharacter(text, from) : space + 1;
}

function beforeSpace(text: string, to: number): number {
  const space = text.lastIndexOf(' ', to);
  return space < to - BEFORE ? startOfCharacter(text, to) : space;
}

/** The offset of a character, not of the second half of a surrogate pair. */
const startOfCharacter = (text: string, at: number) =>
  /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;
