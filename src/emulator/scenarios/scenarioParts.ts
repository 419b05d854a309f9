/** Functions that several scenarios use. */

import type { Frame } from '../frames.ts';
import { type JsonObject, toList, toObject } from '../json.ts';
import type { Draft } from '../reply.ts';
import { type Phase, type ReplyStep, write } from '../steps.ts';

/** Changes the delta of a frame's choice and, if given, the finish reason. */
export function mapDeltas(
  frame: Frame,
  change: (delta: JsonObject) => JsonObject,
  finishReason?: string | null,
): Frame {
  const choices = (toList(frame.chunk['choices']) ?? []).map((entry) => {
    const choice = toObject(entry) ?? {};
    return {
      ...choice,
      delta: change(toObject(choice['delta']) ?? {}),
      ...(finishReason === undefined ? {} : { finish_reason: finishReason }),
    };
  });
  return { ...frame, chunk: { ...frame.chunk, choices } };
}

/** Adds fields to the chunk of a frame. */
export function withFields(frame: Frame, fields: JsonObject): Frame {
  return { ...frame, chunk: { ...frame.chunk, ...fields } };
}

/**
 * The steps up to the middle of a phase, followed by other steps. A response that is not streamed is cut in the middle
 * of its body.
 */
export function breakOffIn(
  phase: Phase,
  steps: readonly ReplyStep[],
  ...then: readonly ReplyStep[]
): readonly ReplyStep[] {
  const writes = steps.filter((step) => step.type === 'write');
  const inPhase = writes.filter((step) => step.phase === phase);
  const last = inPhase[Math.floor((inPhase.length - 1) / 2)];
  if (last !== undefined) return [...steps.slice(0, steps.indexOf(last) + 1), ...then];
  const [only] = writes;
  if (only === undefined) return then;
  const half = typeof only.bytes === 'string' ? only.bytes.slice(0, only.bytes.length / 2) : only.bytes;
  return [...steps.slice(0, steps.indexOf(only)), write(half), ...then];
}

/** Text with UTF-8 sequences of one to four bytes, and a character of two code points. */
export function withUnicode(draft: Draft): Draft {
  const text = '\n\nÄpfel, 漢字, 🙂, e\u0301.';
  return { ...draft, reasoning: draft.reasoning + text, content: draft.content + text };
}

/** A draft with two paragraphs of reasoning and two of the answer, for scenarios that send each byte separately. */
export function firstParagraphs(draft: Draft): Draft {
  const firstTwo = (text: string) => text.split('\n\n', 2).join('\n\n');
  return { ...draft, reasoning: firstTwo(draft.reasoning), content: firstTwo(draft.content) };
}
