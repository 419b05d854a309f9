/**
 * What “Why?” has found: steps of the reasoning or places of the answer. Marks them, and goes from one to the next.
 */

import type { ExchangeView } from '../../panel/views.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import type { Cited } from '../../panel/why.ts';
import type { PanelWord } from '../../panel/words.ts';
import { scrollLog } from '../base/scrollLog.ts';
import { watchMarks } from '../find/find.ts';
import type { PlacedStep } from './answerParts.ts';
import type { AnswerSegment } from './answerSegments.ts';
import { answerArticleOf, clearMarks, focusStep, HIGHLIGHTS, markPlaces, markSteps } from './marks.ts';
import type { WhyBar } from './whyBar.ts';

export interface WhyState {
  /** The message to which the focus returns. */
  readonly exchangeId: string;
  /** The turns that this is about. */
  readonly turnIds: readonly string[];
  readonly text: string;
  readonly at: number;
  /** Where the user was. */
  readonly from: Range | undefined;
  readonly found:
    | { readonly kind: 'steps'; readonly words: string; readonly cited: readonly (Cited & PlacedStep)[] }
    | {
        readonly kind: 'places';
        readonly cited: readonly (Cited & AnswerSegment)[];
        /** Finds the places again, in the text as it is drawn now. */
        readonly again: () => readonly (Cited & AnswerSegment)[];
      };
}

export interface WhyResult {
  /** Undefined while nothing is shown. */
  state(): WhyState | undefined;
  bar(): WhyBar | undefined;
  /**
   * Shows what was found, beginning with the first.
   *
   * @param spoken what a screen reader says, if it differs from the text
   */
  set(next: Omit<WhyState, 'at'>, spoken?: string): void;
  /** Goes to the next or the previous one. */
  step(by: 1 | -1): void;
  /** Removes the marks. */
  clear(): void;
  /** Removes the marks, and returns the focus and the selection to where the user was. */
  close(): void;
  /**
   * Removes the marks of turns that are no longer shown, and draws those of new elements.
   *
   * @param isNew a snapshot has come
   */
  pageChanged(isNew: boolean): void;
}

export interface WhyResultDeps {
  post(message: WebviewMessage): void;
  word(key: PanelWord, ...values: readonly (string | number)[]): string;
  announce(text: string): void;
  schedule(): void;
  /** Runs after the next drawing. */
  afterDrawing(run: () => void): void;
  /** Runs what opens a list of the editor, which closes if the focus comes here later. */
  afterFocus(run: () => void): void;
  exchanges(): readonly ExchangeView[];
  /** Opens the reasoning of a turn; false if the setting hides it. */
  unfold(turnId: string): boolean;
  stopFollowing(): void;
}

export function createWhyResult(deps: WhyResultDeps): WhyResult {
  const { post, word, afterDrawing } = deps;
  let state: WhyState | undefined;
  const marks = watchMarks(HIGHLIGHTS, markAgain);

  /** Tells the Reasoning view which steps are marked. */
  function tell(isHidden: boolean): void {
    if (state?.found.kind !== 'steps') return;
    const steps = state.found.cited.map(({ turnId, step, strength }) => ({ turnId, step, strength }));
    post({ type: 'cite', steps, at: state.at, show: isHidden });
  }

  /** Draws the marks again, for texts that may be drawn anew. */
  function mark(): void {
    if (state?.found.kind === 'steps') markSteps(state.found.cited, state.at);
    if (state?.found.kind === 'places') markPlaces(state.found.cited, state.at);
  }

  /** The texts of marks were replaced. Text that has come since has no places of this result. */
  function markAgain(): void {
    const found = state?.found;
    if (state !== undefined && found?.kind === 'places')
      state = { ...state, found: { ...found, cited: found.again().slice(0, found.cited.length) } };
    mark();
  }

  function goTo(): void {
    if (state === undefined) return;
    const step = state.found.kind === 'steps' ? state.found.cited[state.at] : undefined;
    tell(step !== undefined && !deps.unfold(step.turnId));
    deps.stopFollowing();
    deps.schedule();
    afterDrawing(() => {
      mark();
      if (state?.found.kind === 'steps') focusStep(state.found.cited[state.at]);
      // The command moves the focus into the page. Without a step to go to, it would be nowhere.
      if (state?.found.cited.length === 0 && document.activeElement === document.body)
        answerArticleOf(state.exchangeId)?.focus({ preventScroll: true });
      const range = state?.found.kind === 'places' ? state.found.cited[state.at]?.range : undefined;
      const element = range?.startContainer.parentElement;
      scrollLog(element, 'center');
      element?.closest<HTMLElement>('article.k3')?.focus({ preventScroll: true });
    });
  }

  function set(next: Omit<WhyState, 'at'>, spoken = next.text): void {
    state = { ...next, at: 0 };
    marks.begin();
    deps.announce(spoken);
    goTo();
  }

  function step(by: 1 | -1): void {
    const count = state?.found.cited.length ?? 0;
    if (state === undefined || count === 0) return;
    const at = (state.at + by + count) % count;
    state = { ...state, at };
    deps.announce(word('{0} of {1}', at + 1, count));
    goTo();
  }

  function close(): void {
    const closed = state;
    clear();
    deps.schedule();
    if (closed === undefined) return;
    const { from } = closed;
    answerArticleOf(closed.exchangeId)?.focus({ preventScroll: true });
    if (from === undefined || !from.startContainer.isConnected) return;
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(from);
    from.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
  }

  function clear(): void {
    if (state === undefined) return;
    if (state.found.kind === 'steps' && state.found.cited.length > 0)
      post({ type: 'cite', steps: [], at: 0, show: false });
    state = undefined;
    marks.end();
    clearMarks();
  }

  const isShown = (turnId: string) => deps.exchanges().some(({ turn }) => turn?.id === turnId);

  return {
    state: () => state,
    bar: () => state && { text: state.text, count: state.found.cited.length, at: state.at },
    set,
    step,
    clear,
    close,
    pageChanged(isNew) {
      if (state === undefined) return;
      // A snapshot has new elements: ranges in the old ones mark nothing.
      const isLost = isNew && (state.found.kind === 'places' || state.found.cited.length === 0);
      if (isLost || !state.turnIds.every(isShown)) clear();
      else if (isNew) afterDrawing(mark);
    },
  };
}
