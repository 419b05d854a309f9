/**
 * “Why?”: from words of an answer to the steps of the reasoning that mention them, and from a step to the places of the answer. The
 * marks exist only on this page, and are lost with it.
 */
import type { HostMessage } from '../../panel/hostMessages.ts';
import type { ExchangeView } from '../../panel/views.ts';
import { type AnswerPart, answerPartsOf, haveReasoning, turnIdsOf } from './answerParts.ts';
import { selectedWords } from './answerSegments.ts';
import { placesFor, segmentsOfParts, stepsFor } from './comparing.ts';
import { focusedExchange, focusStep } from './marks.ts';
import { createMissingParts } from './missingParts.ts';
import type { WhyBar, WhyBarActions } from './whyBar.ts';
import { createWhyResult, type WhyResultDeps } from './whyResult.ts';
import { MOST_STEPS, toPlacesText, toStepsText } from './whyTexts.ts';

export interface Why {
  /** The content of the bar; undefined while it is closed. */
  bar(): WhyBar | undefined;
  readonly actions: WhyBarActions;
  /** Whether the answer of a message has reasoning, in any of its parts. */
  mayAsk(exchangeId: string): boolean;
  /** Asks about words of an answer; by default about the selected words. If nothing is selected, lets the user choose a sentence. */
  ask(asked?: Pick<Extract<HostMessage, { type: 'why' }>, 'turnId' | 'words'>): void;
  /** Shows a step of the reasoning, or the places of the answer that mention it. */
  show(message: Extract<HostMessage, { type: 'step' }>): void;
  /**
   * Call this when the page has changed. Removes marks of turns that are no longer shown.
   *
   * @param isNew whether a snapshot has arrived
   * @param hasMore whether messages have arrived that were requested
   */
  pageChanged(isNew: boolean, hasMore: boolean): void;
}

export function createWhy(deps: WhyResultDeps): Why {
  const { post, word, afterDrawing } = deps;
  const missing = createMissingParts(deps);
  const result = createWhyResult(deps);
  const { set, clear, step } = result;

  function askAbout(exchangeId: string, words: string, from: Range | undefined): void {
    const all = answerPartsOf(deps.exchanges(), exchangeId);
    if (all === undefined || missing.request(all, () => askAbout(exchangeId, words, from))) return;
    if (!haveReasoning(all.parts)) {
      say(exchangeId, all.parts, word('This answer has no reasoning.'));
      return;
    }
    const ranked = stepsFor(all.parts, words);
    const found = { kind: 'steps', words, cited: ranked.slice(0, MOST_STEPS) } as const;
    const { text, spoken } = toStepsText(ranked, word);
    set({ exchangeId, turnIds: turnIdsOf(all.parts), text, from, found }, spoken);
  }

  function say(exchangeId: string, parts: readonly AnswerPart[], text: string): void {
    clear();
    const found = { kind: 'steps', words: '', cited: [] } as const;
    set({ exchangeId, turnIds: turnIdsOf(parts), text, from: undefined, found });
  }

  /** The message that has the focus, or else the last one with reasoning. Messages that were stopped before their answer come last. */
  function targetHere(): ExchangeView | undefined {
    const focused = focusedExchange();
    const all = deps.exchanges();
    const reasoned = all.filter(({ turn }) => turn !== undefined && turn.reasoning !== '');
    return (
      all.find(({ id }) => id === focused) ??
      reasoned.findLast(({ turn }) => turn?.answer !== '' || turn.outcome === 'running') ??
      reasoned.at(-1) ??
      all.at(-1)
    );
  }

  /** Whether the user has chosen a sentence that has steps, and hasn't moved to another answer since. */
  function isChosenHere(): boolean {
    const state = result.state();
    if (state?.found.kind !== 'steps' || state.from !== undefined || state.found.cited.length === 0)
      return false;
    const focused = focusedExchange();
    const turnId = deps.exchanges().find(({ id }) => id === focused)?.turn?.id;
    return turnId === undefined || state.turnIds.includes(turnId);
  }

  function letChoose(): void {
    const here = targetHere();
    const all = here && answerPartsOf(deps.exchanges(), here.id);
    if (here === undefined || all === undefined) {
      deps.announce(word('There is no answer yet.'));
      return;
    }
    if (missing.request(all, letChoose)) return;
    const sentences = segmentsOfParts(all.parts).map(({ text }) => text);
    const last = all.parts.at(-1);
    if (!haveReasoning(all.parts)) say(here.id, all.parts, word('This answer has no reasoning.'));
    else if (last === undefined || sentences.length === 0)
      say(here.id, all.parts, word('There is no answer yet.'));
    else {
      const asked = { turnId: last.turn.id, sentences: sentences.slice(0, MOST_SENTENCES) };
      deps.afterFocus(() => post({ type: 'choose-words', ...asked }));
    }
  }

  /** Shows the places of the whole answer that mention a step of one of its parts. */
  function showPlaces(shown: Extract<HostMessage, { type: 'step' }>): void {
    const all = answerPartsOf(deps.exchanges(), shown.exchangeId);
    if (all === undefined || missing.request(all, () => showPlaces(shown))) return;
    const first = placesFor(all.parts, shown);
    let most = first.length;
    // Places in text that arrives later are left out, but not those in values of a JSON answer that the user expands.
    const isRunning = all.parts.some(({ turn }) => turn.outcome === 'running');
    const again = () => {
      const cited = placesFor(all.parts, shown).slice(0, isRunning ? first.length : undefined);
      most = Math.max(most, cited.length);
      return { cited, text: toPlacesText(most, word) };
    };
    clear();
    const exchangeId = all.parts.at(-1)?.exchangeId ?? shown.exchangeId;
    const text = toPlacesText(most, word);
    const found = { kind: 'places', cited: first, again } as const;
    set({ exchangeId, turnIds: turnIdsOf(all.parts), text, from: undefined, found });
  }

  return {
    bar: result.bar,
    actions: { step, close: result.close },
    mayAsk(exchangeId) {
      const all = answerPartsOf(deps.exchanges(), exchangeId);
      return all !== undefined && (all.missing !== undefined || haveReasoning(all.parts));
    },
    ask(asked) {
      missing.forget();
      if (asked?.turnId !== undefined && asked.words !== undefined) {
        const exchange = deps.exchanges().find(({ turn }) => turn?.id === asked.turnId);
        if (exchange !== undefined) askAbout(exchange.id, asked.words, undefined);
        return;
      }
      const selected = selectedWords();
      const found = result.state()?.found;
      // Asking the same again moves to the next step.
      if (selected === undefined && isChosenHere()) step(1);
      else if (selected === undefined) letChoose();
      else if (found?.kind === 'steps' && found.words === selected.words) step(1);
      else askAbout(selected.exchangeId, selected.words, selected.range.cloneRange());
    },
    show(message) {
      const { exchangeId, turnId, step: index, part } = message;
      if (deps.exchanges().find(({ id }) => id === exchangeId)?.turn?.id !== turnId) return;
      missing.forget();
      if (part === 'answer') {
        showPlaces(message);
        return;
      }
      clear();
      if (!deps.unfold(turnId)) {
        post({ type: 'show-step', turnId, step: index });
        return;
      }
      deps.stopFollowing();
      deps.schedule();
      afterDrawing(() => focusStep({ exchangeId, step: index }));
    },
    pageChanged(isNew, hasMore) {
      if (isNew) missing.forget();
      if (hasMore) missing.arrived();
      result.pageChanged(isNew);
    },
  };
}

/** The maximum number of sentences in the quick pick. */
const MOST_SENTENCES = 500;
