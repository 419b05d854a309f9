/**
 * The step of a turn that a command is about: the argument is a node of the Reasoning view, or the context of a menu in the
 * chat.
 */
import * as v from 'valibot';
import { tryDecode } from '../../validation/decode.ts';

const stepTarget = v.looseObject({
  turnId: v.string(),
  /** The number of the step, from 0, in the Reasoning view. */
  index: v.optional(v.number()),
  step: v.optional(v.number()),
  /** The words that were searched for. */
  words: v.optional(v.string()),
});

/** Undefined for any other argument, for example of a keyboard shortcut. */
export function toStepTarget(
  argument: unknown,
): { readonly turnId: string; readonly step: number; readonly words: string | undefined } | undefined {
  const { turnId, index, step = index, words } = tryDecode(stepTarget, argument) ?? {};
  return turnId === undefined || step === undefined ? undefined : { turnId, step, words };
}
