/**
 * “Why?”: from words of an answer to the steps of the reasoning that mention them, and from a step to the places of the answer.
 * What is marked is only on this page, and gone with it.
 */
import type { HostMessage, WebviewMessage } from '../../panel/messages.ts';
import { toStepTexts } from '../../panel/reasoningSteps.ts';
import type { ExchangeView } from '../../panel/views.ts';
import { type Cited, createStepIndex } from '../../panel/why.ts';
import type { PanelWord } from '../../panel/words.ts';
import { clearMarks, markPlaces, markSteps, stepElement } from './marks.ts';
import { type Place, placesIn, selectedWords } from './places.ts';
import type { WhyBar, WhyBarActions } from './whyBar.ts';

export interface Why {
  /** What the bar shows; undefined while it is closed. */
  bar(): WhyBar | undefined;
  readonly actions: WhyBarActions;
  /** Asks about words of an answer; by default about those that are selected, and without any lets the user choose. */
  ask(asked?: Pick<Extract<HostMessage, { type: 'why' }>, 'turnId' | 'words'>): void;
  /** Shows a step of the reasoning, or the places of the answer that came of it. */
  show(message: Extract<HostMessage, { type: 'step' }>): void;
  /** What is shown has changed: marks of a turn that is no longer shown are removed. */
  pageChanged(isNew: boolean): void;
}

export interface WhyDeps {
  post(message: WebviewMessage): void;
  word(key: PanelWord, ...values: readonly (string | number)[]): string;
  announce(text: string): void;
  schedule(): void;
  /** Runs after the next drawing. */
  afterDrawing(run: () => void): void;
  exchanges(): readonly ExchangeView[];
  /** Opens the reasoning of a turn; false if the setting hides it. */
  unfold(turnId: string): boolean;
  stopFollowing(): void;
}

interface Target {
  readonly exchangeId: string;
  readonly turnId: string;
}

type State = Target & {
  readonly text: string;
  readonly at: number;
  /** Where the user was. */
  readonly from: Range | undefined;
} & (
    | { readonly kind: 'steps'; readonly words: string; readonly cited: readonly Cited[] }
    | { readonly kind: 'places'; readonly step: number; readonly cited: readonly (Cited & Place)[] }
  );

const articleOf = (exchangeId: string) =>
  document.querySelector<HTMLElement>(`article.k3[data-exchange="${CSS.escape(exchangeId)}"]`);

export function createWhy(deps: WhyDeps): Why {
  const { post, word, afterDrawing } = deps;
  let state: State | undefined;

  const turnOf = ({ exchangeId, turnId }: Target) => {
    const turn = deps.exchanges().find(({ id }) => id === exchangeId)?.turn;
    return turn?.id === turnId ? turn : undefined;
  };

  /** Tells the Reasoning view which steps are marked. */
  function tell(isHidden: boolean): void {
    if (state?.kind !== 'steps') return;
    const steps = state.cited.map(({ index }) => index);
    post({ type: 'cite', turnId: state.turnId, steps, at: state.at, show: isHidden });
  }

  /** Draws the marks again, for texts that may be drawn anew. */
  function mark(): void {
    if (state?.kind === 'steps') markSteps(articleOf(state.exchangeId), state.cited, state.at);
    if (state?.kind === 'places') markPlaces(state.cited, state.at);
  }

  function goTo(): void {
    if (state === undefined) return;
    const isHidden = state.kind === 'steps' && state.cited.length > 0 && !deps.unfold(state.turnId);
    tell(isHidden);
    deps.stopFollowing();
    deps.schedule();
    afterDrawing(() => {
      mark();
      if (state?.kind === 'steps') focusStep(state, state.cited[state.at]?.index);
      const range = state?.kind === 'places' ? state.cited[state.at]?.range : undefined;
      range?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
      if (range !== undefined && state !== undefined)
        articleOf(state.exchangeId)?.focus({ preventScroll: true });
    });
  }

  function set(next: State, spoken = next.text): void {
    state = next;
    deps.announce(spoken);
    goTo();
  }

  function askAbout(target: Target, words: string, from: Range | undefined): void {
    const turn = turnOf(target);
    if (turn === undefined) return;
    if (turn.reasoning === '') {
      say(target, word('This answer has no reasoning.'));
      return;
    }
    const all = createStepIndex(toStepTexts(turn.reasoning)).rank(words);
    const cited = all.slice(0, MOST_STEPS);
    const { text, spoken } = toStepsText(all, word);
    set({ kind: 'steps', ...target, words, cited, text, at: 0, from }, spoken);
  }

  function say(target: Target, text: string): void {
    clear();
    set({ kind: 'steps', ...target, words: '', cited: [], text, at: 0, from: undefined });
  }

  /** The message that has the focus, or else the last one with reasoning. */
  function targetHere(): ExchangeView | undefined {
    const focused = document.activeElement?.closest<HTMLElement>('article.k3')?.dataset['exchange'];
    const all = deps.exchanges();
    return (
      all.find(({ id }) => id === focused) ??
      all.findLast(({ turn }) => turn !== undefined && turn.reasoning !== '') ??
      all.at(-1)
    );
  }

  function letChoose(): void {
    const exchange = targetHere();
    const article = exchange && articleOf(exchange.id);
    if (exchange?.turn === undefined || !article) {
      deps.announce(word('There is no answer yet.'));
      return;
    }
    const target = { exchangeId: exchange.id, turnId: exchange.turn.id };
    const sentences = placesIn(article).map(({ text }) => text);
    if (exchange.turn.reasoning === '') say(target, word('This answer has no reasoning.'));
    else if (sentences.length === 0) say(target, word('There is no answer yet.'));
    else post({ type: 'choose-words', turnId: target.turnId, sentences: sentences.slice(0, MOST_SENTENCES) });
  }

  function close(): void {
    const closed = state;
    clear();
    deps.schedule();
    if (closed === undefined) return;
    const { from } = closed;
    articleOf(closed.exchangeId)?.focus({ preventScroll: true });
    if (from === undefined || !from.startContainer.isConnected) return;
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(from);
    from.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
  }

  function clear(): void {
    if (state === undefined) return;
    if (state.kind === 'steps' && state.cited.length > 0)
      post({ type: 'cite', turnId: state.turnId, steps: [], at: 0, show: false });
    state = undefined;
    clearMarks();
  }

  function step(by: 1 | -1): void {
    if (state === undefined || state.cited.length === 0) return;
    const at = (state.at + by + state.cited.length) % state.cited.length;
    state = { ...state, at };
    deps.announce(word('{0} of {1}', at + 1, state.cited.length));
    goTo();
  }

  return {
    bar: () => state && { text: state.text, count: state.cited.length, at: state.at },
    actions: { step, close },
    ask(asked) {
      const selected = selectedWords();
      if (asked?.turnId !== undefined && asked.words !== undefined) {
        const exchange = deps.exchanges().find(({ turn }) => turn?.id === asked.turnId);
        if (exchange !== undefined)
          askAbout({ exchangeId: exchange.id, turnId: asked.turnId }, asked.words, undefined);
        return;
      }
      if (selected === undefined) {
        letChoose();
        return;
      }
      // The same again goes to the next step.
      if (state?.kind === 'steps' && state.words === selected.words) {
        step(1);
        return;
      }
      const turn = deps.exchanges().find(({ id }) => id === selected.exchangeId)?.turn;
      if (turn !== undefined)
        askAbout(
          { exchangeId: selected.exchangeId, turnId: turn.id },
          selected.words,
          selected.range.cloneRange(),
        );
    },
    show({ exchangeId, turnId, step: index, part }) {
      const target = { exchangeId, turnId };
      const turn = turnOf(target);
      const article = articleOf(exchangeId);
      if (turn === undefined || article === null) return;
      if (part === 'reasoning') {
        clear();
        if (!deps.unfold(turnId)) {
          post({ type: 'show-step', turnId, step: index });
          return;
        }
        deps.stopFollowing();
        deps.schedule();
        afterDrawing(() => focusStep(target, index));
        return;
      }
      const places = placesIn(article);
      const found = createStepIndex(toStepTexts(turn.reasoning)).placesOf(
        index,
        places.map(({ text }) => text),
      );
      const cited = found.flatMap((one) => {
        const place = places[one.index];
        return place === undefined ? [] : [{ ...one, ...place }];
      });
      const text =
        cited.length === 0
          ? word('No place in the answer mentions this step.')
          : word(
              '{0, plural, one {# place mentions this step} other {# places mention this step}}',
              cited.length,
            );
      clear();
      set({ kind: 'places', ...target, step: index, cited, text, at: 0, from: undefined });
    },
    pageChanged(isNew) {
      if (state === undefined) return;
      // A snapshot has new elements: ranges in the old ones mark nothing.
      if (turnOf(state) === undefined || (isNew && (state.kind === 'places' || state.cited.length === 0)))
        clear();
      else if (isNew) afterDrawing(mark);
    },
  };
}

/** Shown in a list of the editor. */
const MOST_SENTENCES = 500;
/** So many of the closest steps are marked. Nobody goes through more. */
const MOST_STEPS = 12;

/** What was found, for the bar, and as it is announced. */
function toStepsText(
  cited: readonly Cited[],
  word: WhyDeps['word'],
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

/** Unfolds a step, scrolls to it, and focuses its button. */
function focusStep({ exchangeId }: Target, index: number | undefined): void {
  const step = index === undefined ? undefined : stepElement(articleOf(exchangeId), index);
  const button = step?.querySelector<HTMLElement>('.step-fold');
  if (!step || !button) return;
  if (step.classList.contains('is-folded')) button.click();
  for (const other of step.parentElement?.querySelectorAll<HTMLElement>('.step-fold') ?? [])
    other.tabIndex = other === button ? 0 : -1;
  button.focus({ preventScroll: true });
  step.scrollIntoView({ block: 'center' });
}
