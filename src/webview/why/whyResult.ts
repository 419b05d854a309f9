/** The result of “Why?”: steps of the reasoning or places of the answer. Marks them, and moves from one to the next. */

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
  /** The IDs of the turns of the answer. */
  readonly turnIds: readonly string[];
  readonly text: string;
  readonly at: number;
  /** The words that the user had selected; undefined if none. */
  readonly from: Range | undefined;
  readonly found:
    | { readonly kind: 'steps'; readonly words: string; readonly cited: readonly (Cited & PlacedStep)[] }
    | {
        readonly kind: 'places';
        readonly cited: readonly (Cited & AnswerSegment)[];
        /** Finds the places again, in the text as it is drawn now, and names them for the bar. */
        readonly again: () => {
          readonly cited: readonly (Cited & AnswerSegment)[];
          readonly text: string;
        };
      };
}

export interface WhyResult {
  /** Undefined while no result is shown. */
  state(): WhyState | undefined;
  bar(): WhyBar | undefined;
  /**
   * Shows a result, beginning with the first step or place.
   *
   * @param spoken the text for screen readers, if it differs from the shown text
   */
  set(next: Omit<WhyState, 'at'>, spoken?: string): void;
  /** Moves to the next or the previous step or place. */
  step(by: 1 | -1): void;
  /** Removes the marks. */
  clear(): void;
  /** Removes the marks, and restores the focus and the selection. */
  close(): void;
  /**
   * Removes the marks of turns that are no longer shown, and draws those of new elements.
   *
   * @param isNew whether a snapshot has arrived
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
  /** Runs a function that opens a quick pick of the editor, which would close if the page got the focus later. */
  afterFocus(run: () => void): void;
  exchanges(): readonly ExchangeView[];
  /** Expands the reasoning of a turn. Returns false if the setting hides it. */
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

  /** Draws the marks again, because the texts may have been drawn anew. */
  function mark(): void {
    if (state?.found.kind === 'steps') markSteps(state.found.cited, state.at);
    if (state?.found.kind === 'places') markPlaces(state.found.cited, state.at);
  }

  /** Called when the texts of marks were replaced, or are on the page again. */
  function markAgain(): void {
    const found = state?.found;
    if (state !== undefined && found?.kind === 'places') {
      const { cited, text } = found.again();
      // Values of a JSON answer are gone when their parent is collapsed.
      const at = Math.max(0, Math.min(state.at, cited.length - 1));
      state = { ...state, text, at, found: { ...found, cited } };
    }
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
      // The command moves the focus into the page. If there is no step to focus, no element would have it.
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
      // A snapshot creates new elements, and ranges in the old ones no longer mark anything.
      const isLost = isNew && (state.found.kind === 'places' || state.found.cited.length === 0);
      if (isLost || !state.turnIds.every(isShown)) clear();
      else if (isNew) afterDrawing(mark);
    },
  };
}
