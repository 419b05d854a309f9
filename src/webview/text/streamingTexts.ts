/** The elements of streaming texts. Text is appended to its element as it arrives, and drawn once per frame. */
import type { TurnText } from '../../panel/views.ts';

export type TextKind = 'answer' | 'reasoning';

/** An element that shows a text. */
export interface TextElement<Element = HTMLElement> {
  readonly element: Element;
  /** Appends text. The next `draw` or `finish` shows it. */
  append(text: string): void;
  draw(): void;
  /** Call this when the text is complete. Draws all of it in its final form. */
  finish(): void;
}

export interface StreamingTexts<Element = HTMLElement> {
  /** The element of a text, updated to this text. The ID is that of a turn or of one of its rounds. */
  show(kind: TextKind, id: string, text: string, ended: boolean): Element;
  /** Adds text that was appended to a turn. Returns false if an element for it doesn't exist yet. */
  append(turnId: string, text: TurnText): boolean;
  /** Whether appended text is waiting to be drawn: in the next frame (`due`) or in a later one. */
  waiting(): 'nothing' | 'due' | 'later';
  /** Draws all text that is waiting. */
  draw(): void;
  /** Call this when the layout after a drawing is done. */
  laidOut(): void;
  /** Removes the elements of all other turns: their text was replaced, or they are gone. */
  keep(turnIds: ReadonlySet<string>): void;
}

export interface StreamingTextsDeps<Element> {
  /** Creates an element for the text of a turn or of one of its rounds. */
  readonly make: Readonly<Record<TextKind, (id: string) => TextElement<Element>>>;
  /** Milliseconds on a monotonic clock. */
  now(): number;
}

/**
 * After a drawing that took t milliseconds, its layout included, the next one waits this many times t, so that the page
 * stays usable.
 */
const PAUSE_FACTOR = 4;

interface Entry<Element> {
  readonly shown: TextElement<Element>;
  /** The length of the text in the element, in UTF-16 code units. */
  length: number;
  ended: boolean;
}

export function createStreamingTexts<Element>({
  make,
  now,
}: StreamingTextsDeps<Element>): StreamingTexts<Element> {
  const all = { answer: new Map<string, Entry<Element>>(), reasoning: new Map<string, Entry<Element>>() };
  const waiting = new Set<Entry<Element>>();
  let pauseUntil = 0;
  /** When the drawing began whose layout isn't done yet. */
  let begun: number | undefined;

  /** Creates an element. It is empty, so its text is drawn in the next frame, without a pause. */
  function create(kind: TextKind, id: string): Entry<Element> {
    const grown = { shown: make[kind](id), length: 0, ended: false };
    all[kind].set(id, grown);
    pauseUntil = Number.NEGATIVE_INFINITY;
    return grown;
  }

  function grow(grown: Entry<Element>, text: string): void {
    if (text === '' || grown.ended) return;
    grown.shown.append(text);
    grown.length += text.length;
    waiting.add(grown);
  }

  function appendTo(kind: TextKind, id: string, text: string): boolean {
    if (text === '') return true;
    const grown = all[kind].get(id);
    if (grown !== undefined) grow(grown, text);
    return grown !== undefined;
  }

  return {
    show(kind, id, text, ended) {
      const grown = all[kind].get(id) ?? create(kind, id);
      if (text.length > grown.length) grow(grown, text.slice(grown.length));
      if (ended && !grown.ended) {
        grown.ended = true;
        waiting.delete(grown);
        grown.shown.finish();
      }
      return grown.shown.element;
    },
    append(turnId, { reasoning, answer }) {
      const reasoningAdded = appendTo('reasoning', turnId, reasoning);
      const answerAdded = appendTo('answer', turnId, answer);
      return reasoningAdded && answerAdded;
    },
    waiting() {
      if (waiting.size === 0) return 'nothing';
      return now() < pauseUntil ? 'later' : 'due';
    },
    draw() {
      begun = now();
      for (const { shown } of waiting) shown.draw();
      waiting.clear();
    },
    laidOut() {
      if (begun === undefined) return;
      const ended = now();
      pauseUntil = ended + (ended - begun) * PAUSE_FACTOR;
      begun = undefined;
    },
    keep(turnIds) {
      for (const texts of [all.answer, all.reasoning])
        for (const [id, grown] of texts) {
          // The ID of a round begins with that of its turn.
          if (turnIds.has(id.split('/')[0] ?? '')) continue;
          waiting.delete(grown);
          texts.delete(id);
        }
    },
  };
}
