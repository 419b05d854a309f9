/** Splits reasoning into the steps of the Reasoning view as it arrives, but without figures. */
import { EMPTY_OUTLINE, foldOutline, type Outline } from '../conversation/reasoning/outline.ts';

/** Text to append to a step. Steps are counted from 0. */
export interface StepText {
  readonly step: number;
  readonly text: string;
}

export interface ReasoningSteps {
  /**
   * Returns the appended text, divided into steps. The start of a line, at most 64 characters, waits until it is known which step
   * it belongs to; white space before the first step waits for that step.
   */
  append(text: string): readonly StepText[];
  /** Returns the text that waits, because no more will come. */
  finish(): readonly StepText[];
  /** The title of a step so far. */
  title(step: number): string;
}

export function createReasoningSteps(): ReasoningSteps {
  /** Without the finished steps, so that the cost of each step doesn't grow with their number. */
  let outline: Outline = EMPTY_OUTLINE;
  const titles: string[] = [];
  let waiting = '';

  const take = (step: number): StepText => {
    const text = waiting;
    waiting = '';
    return { step: Math.max(0, step), text };
  };
  const last = () => titles.length - (outline.current === undefined ? 1 : 0);

  function fold(piece: string): void {
    const { finished, ...others } = foldOutline(outline, piece, 0);
    for (const { title } of finished) titles.push(title);
    outline = { ...others, finished: EMPTY_OUTLINE.finished };
  }

  return {
    append(text) {
      const taken: StepText[] = [];
      for (const piece of text.split(/(?<=\n)/)) {
        if (piece === '') continue;
        waiting += piece;
        fold(piece);
        const isKnown = piece.endsWith('\n') || outline.decided;
        if (isKnown && last() >= 0) taken.push(take(last()));
      }
      return taken;
    },
    finish: () => (waiting === '' ? [] : [take(last())]),
    title: (step) => titles[step] ?? outline.current?.title ?? '',
  };
}

/** The texts of all steps of a reasoning. */
export function toStepTexts(reasoning: string): readonly string[] {
  const steps = createReasoningSteps();
  const texts: string[] = [];
  for (const { step, text } of [...steps.append(reasoning), ...steps.finish()])
    texts[step] = (texts[step] ?? '') + text;
  return texts;
}
