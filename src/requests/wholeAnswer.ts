/**
 * The whole answer of a turn that continues an earlier one, joined from the text of all its parts. It is derived: the
 * turns keep their text as it came, because later requests begin with the same messages (R11).
 */

import { askedQuestion, type Exchange, shownTurn } from '../conversation/conversation.ts';
import type { Question } from '../conversation/question.ts';
import type { Turn } from '../conversation/turn.ts';
import { type CutText, isSeamKnown, joinText, toCutText } from '../review/answers/joinText.ts';
import { joinParts } from './joinParts.ts';

export interface WholeAnswer {
  /** The question of the first part, which has the code and the paths that the answer is about. */
  readonly question: Question;
  /** The text of all parts. If they can't be joined, the text of the last part alone. */
  readonly text: string;
  /** The number of parts that have text. 1 for an answer that continues none. */
  readonly parts: number;
  /**
   * The turns that this one continues, the first one first, including those with only reasoning. Empty if their text isn't joined
   * to this one.
   */
  readonly earlier: readonly Turn[];
  /** Whether the parts could be joined. Only JSON has parts that can't. */
  readonly fits: boolean;
}

/** The parts before the last one. */
interface Earlier {
  readonly question: Question;
  readonly parts: number;
  /** Undefined if the parts can't be joined. */
  readonly cut: CutText | undefined;
}

/** Cached by the last of the earlier turns. Turns that have ended don't change, but another attempt of one of them may be shown. */
const known = new WeakMap<Turn, { readonly turns: readonly Turn[]; readonly earlier: Earlier }>();

/**
 * The whole answer of a turn. While the turn runs, the text is that of the earlier parts until it is known where the last part
 * continues it; from then on, the text only grows.
 *
 * @param exchanges the exchanges that are shown, including that of the turn
 */
export function toWholeAnswer(exchanges: readonly Exchange[], question: Question, turn: Turn): WholeAnswer {
  const before = question.continues === undefined ? undefined : turnsBefore(exchanges, turn);
  const earlier = before && findEarlier(before);
  const { answer } = turn;
  const ended = turn.outcome !== undefined;
  const isEmpty = ended && answer.trim() === '';
  if (before === undefined || earlier === undefined || isEmpty) {
    const turns = isEmpty ? [] : (before?.turns ?? []);
    return { question: earlier?.question ?? question, text: answer, parts: 1, earlier: turns, fits: true };
  }
  const { cut } = earlier;
  const whole = { question: earlier.question, parts: earlier.parts + 1, earlier: before.turns };
  if (cut === undefined) return { ...whole, text: answer, earlier: [], fits: false };
  if (!ended)
    return { ...whole, text: isSeamKnown(cut, answer) ? joinText(cut, answer, false) : cut.text, fits: true };
  const text = joinParts(earlier.question, cut, answer, turn.outcome === 'complete');
  if (text === undefined) return { ...whole, text: answer, earlier: [], fits: false };
  return { ...whole, text, fits: true };
}

/**
 * Whether the answer of a turn continues one that is no longer shown before it, because another attempt is shown. The
 * continuation alone doesn't answer the question.
 */
export function isRestAlone(exchanges: readonly Exchange[], question: Question, turn: Turn): boolean {
  const at = exchanges.findLastIndex(({ attempts }) => attempts.some(({ id }) => id === turn.id));
  const before = exchanges[at - 1];
  return question.continues !== undefined && (before && shownTurn(before)?.id) !== question.continues;
}

/** Whether the answer of a turn is part of the whole answer of a later exchange, where it is shown. */
export function isContinued(exchanges: readonly Exchange[], turn: Turn): boolean {
  const next = exchanges.findLast(({ question }) => question.continues === turn.id);
  const after = next && shownTurn(next);
  if (next === undefined || after === undefined) return false;
  const { parts, fits } = toWholeAnswer(exchanges, next.question, after);
  if (parts > 1 && fits) return true;
  // A part without text shows nothing, but the next part may.
  const isEmpty = after.outcome !== undefined && after.answer.trim() === '';
  return isEmpty && isContinued(exchanges, after);
}

/**
 * Whether a later exchange continues a turn, so that the end of the turn is out of date: it continues the text, or has an answer
 * of its own if the turn has no text. False if that exchange failed, or doesn't fit.
 */
export function goesOn(exchanges: readonly Exchange[], turn: Turn): boolean {
  if (turn.answer.trim() !== '') return isContinued(exchanges, turn);
  const at = exchanges.findLastIndex(({ question }) => question.continues === turn.id);
  const [before, next] = [exchanges[at - 1], exchanges[at]];
  const after = next && shownTurn(next);
  if (after === undefined || before === undefined || shownTurn(before)?.id !== turn.id) return false;
  return after.outcome === undefined || after.answer.trim() !== '' || goesOn(exchanges, after);
}

interface Before {
  readonly turns: readonly Turn[];
  /** The exchange of the first of these turns, or of the turn itself if there are none. */
  readonly first: Exchange | undefined;
}

/** The turns that a turn continues, as far as they are shown. */
function turnsBefore(exchanges: readonly Exchange[], turn: Turn): Before {
  let at = exchanges.findLastIndex(({ attempts }) => attempts.some(({ id }) => id === turn.id));
  const turns: Turn[] = [];
  let first = exchanges[at];
  while (first?.question.continues !== undefined) {
    const before = exchanges[--at];
    const continued = before && shownTurn(before);
    if (continued?.id !== first.question.continues) break;
    turns.unshift(continued);
    first = before;
  }
  return { turns, first };
}

/** The parts with text before that of a turn; undefined if there are none. */
function findEarlier({ turns, first }: Before): Earlier | undefined {
  const texts = turns.filter(({ answer }) => answer.trim() !== '');
  const last = texts.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const cached = known.get(last);
  if (cached?.turns.length === texts.length && texts.every((one, index) => one === cached.turns[index]))
    return cached.earlier;
  const question = askedQuestion(first, turns[0] ?? last);
  const earlier = { question, parts: texts.length, cut: joinAll(question, texts) };
  known.set(last, { turns: texts, earlier });
  return earlier;
}

function joinAll(question: Question, turns: readonly Turn[]): CutText | undefined {
  let cut: CutText | undefined = toCutText('');
  for (const { answer } of turns) {
    const text: string | undefined =
      cut && (cut.text === '' ? answer : joinParts(question, cut, answer, false));
    cut = text === undefined ? undefined : toCutText(text);
  }
  return cut;
}
