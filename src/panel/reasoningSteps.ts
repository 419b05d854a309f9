/** Reasoning in the steps of the Reasoning view, as it arrives: the same splitting, without figures. */
import { EMPTY_OUTLINE, foldOutline, type Outline } from '../conversation/reasoning/outline.ts';

/** Text to append to a step. Steps count from 0. */
export interface StepText {
  readonly step: number;
  readonly text: string;
}

export interface ReasoningSteps {
  /**
   * The steps of appended text. The start of a line, at most 64 characters, waits until it is known which step it belongs
   * to; white space before the first step waits for that step.
   */
  append(text: string): readonly StepText[];
  /** The text that waits, because no more will come. */
  finish(): readonly StepText[];
  /** The title of a step so far. */
  title(step: number): string;
}

export function createReasoningSteps(): ReasoningSteps {
  let outline: Outline = EMPTY_OUTLINE;
  let waiting = '';

  const take = (step: number): StepText => {
    const text = waiting;
    waiting = '';
    return { step: Math.max(0, step), text };
  };
  const last = () => outline.finished.length - (outline.current === undefined ? 1 : 0);

  return {
    append(text) {
      const taken: StepText[] = [];
      for (const piece of text.split(/(?<=\n)/)) {
        if (piece === '') continue;
        waiting += piece;
        outline = foldOutline(outline, piece, 0);
        const isKnown = piece.endsWith('\n') || outline.decided;
        if (isKnown && last() >= 0) taken.push(take(last()));
      }
      return taken;
    },
    finish: () => (waiting === '' ? [] : [take(last())]),
    title: (step) => (outline.finished[step] ?? outline.current)?.title ?? '',
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
