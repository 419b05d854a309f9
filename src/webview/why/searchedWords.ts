/** Marks the words of a search of the reasoning in the step that the user has chosen, until Escape or another search. */
import type { HostMessage } from '../../panel/hostMessages.ts';
import { occurrencesIn, watchMarks } from '../find/find.ts';
import { stepElement } from './marks.ts';

type ShownStep = Extract<HostMessage, { type: 'step' }>;

export interface SearchedWords {
  /** Marks the searched words in a step, if there are any. Removes earlier marks. */
  show(step: ShownStep): void;
  /** Marks the words again, because the page has new elements. */
  markAgain(): void;
  /** Removes the marks. Returns false if nothing was marked. */
  clear(): boolean;
}

const HIGHLIGHT = 'searched';

/** @param afterDrawing runs a function when the step is on the page */
export function createSearchedWords(afterDrawing: (run: () => void) => void): SearchedWords {
  let shown: ShownStep | undefined;
  const marks = watchMarks([HIGHLIGHT], mark);

  function mark(): void {
    const body = shown && stepElement(shown)?.querySelector<HTMLElement>('.step-body');
    const ranges = shown?.words === undefined || !body ? [] : rangesOfWords(body, shown.words);
    // The words can be only in the title. Escape then has nothing to clear.
    if (ranges.length === 0) CSS.highlights.delete(HIGHLIGHT);
    else CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
  }

  function clear(): boolean {
    shown = undefined;
    marks.end();
    return CSS.highlights.delete(HIGHLIGHT);
  }

  return {
    show(step) {
      clear();
      if (step.words === undefined) return;
      shown = step;
      marks.begin();
      afterDrawing(mark);
    },
    markAgain() {
      if (shown !== undefined) afterDrawing(mark);
    },
    clear,
  };
}

/** The ranges of the words, found like the search does: all words next to each other, or else each word. */
function rangesOfWords(body: HTMLElement, words: string): readonly Range[] {
  const wanted = words.trim().split(/\s+/);
  const beside = occurrencesIn(body, wanted.join(' '));
  return beside.length > 0 ? beside : wanted.flatMap((word) => occurrencesIn(body, word));
}
