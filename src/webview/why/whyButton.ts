/** The button “Why?” below words that the user has selected in an answer. */
import type { PanelWord } from '../../panel/words.ts';
import { type Selected, selectedWords } from './answerSegments.ts';

export interface WhyButtonDeps {
  word(key: PanelWord): string;
  /** Whether the answer of the message has reasoning. */
  mayAsk(exchangeId: string): boolean;
  ask(selected: Selected): void;
}

/** The space between the words and the button, and to the edges, in pixels. */
const GAP = 4;

/** Adds the button to the page. It is shown while words are selected and the pointer is not pressed. */
export function addWhyButton({ word, mayAsk, ask }: WhyButtonDeps): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'why-button';
  button.hidden = true;
  let isDown = false;

  function show(): void {
    const selected = isDown ? undefined : selectedWords();
    const last =
      selected && mayAsk(selected.exchangeId) ? [...selected.range.getClientRects()].at(-1) : undefined;
    const log = document.querySelector('.log')?.getBoundingClientRect();
    const isThere =
      last !== undefined && log !== undefined && last.bottom > log.top && last.bottom < log.bottom;
    button.hidden = !isThere;
    if (!isThere) return;
    button.textContent = word('Why?');
    button.title = word('Why? Show the steps of the reasoning that mention this');
    const { offsetWidth, offsetHeight } = button;
    const below = last.bottom + GAP;
    const top = below + offsetHeight < log.bottom ? below : last.top - GAP - offsetHeight;
    button.style.top = `${Math.max(GAP, top)}px`;
    button.style.left = `${Math.max(GAP, Math.min(last.right, innerWidth - GAP) - offsetWidth)}px`;
  }

  const down = (is: boolean) => () => {
    isDown = is;
    // A click ends the selection only after this event.
    setTimeout(show);
  };
  document.addEventListener('selectionchange', show);
  document.addEventListener('scroll', show, { capture: true, passive: true });
  window.addEventListener('resize', show);
  window.addEventListener('pointerdown', ({ target }) => {
    if (target !== button) down(true)();
  });
  window.addEventListener('pointerup', down(false));
  window.addEventListener('pointercancel', down(false));
  // Keeps the selection.
  button.addEventListener('mousedown', (event) => event.preventDefault());
  button.addEventListener('click', () => {
    const selected = selectedWords();
    button.hidden = true;
    if (selected !== undefined) ask(selected);
  });
  document.body.append(button);
}
