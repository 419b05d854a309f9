/** Removes from a request what its route refuses: the format is asked for in words, and effort and budget are those of the service. */
import { canBeIgnored } from '../conversation/outcomes/notices.ts';
import type { RefusedField, RefusedPart } from '../conversation/outcomes/refusedFields.ts';
import { isContinuation } from '../conversation/requestMessages/continuation.ts';
import { CONTEXT_WINDOW_TOKENS } from '../service/limits.ts';
import type { ReasoningEffort, ResponseFormat } from '../service/types.ts';
import { formatInWords } from './responseFormat.ts';

export interface Wanted {
  readonly responseFormat: ResponseFormat | undefined;
  readonly effort: ReasoningEffort | undefined;
  /** Tokens; undefined for the default of the service. */
  readonly budget: number | undefined;
}

/** Which of the wanted fields the route refuses. */
function refusedOf(
  { responseFormat, effort, budget = 0 }: Wanted,
  refused: ReadonlySet<RefusedPart>,
): readonly RefusedField[] {
  const form = { json_schema: 'schema', json_object: 'json', text: undefined } as const;
  const wanted = [
    responseFormat && form[responseFormat.type],
    effort && ('effort' as const),
    budget >= CONTEXT_WINDOW_TOKENS ? ('ceiling' as const) : undefined,
  ];
  const isRefused = (field: RefusedField) =>
    refused.has(field) || (field === 'effort' && canBeIgnored(effort) && refused.has('lower-effort'));
  return wanted.flatMap((field) => (field !== undefined && isRefused(field) ? [field] : []));
}

/**
 * The fields that are sent, and the fields that are left out because the route refuses them.
 *
 * @param smaller the output budget instead of one at the ceiling; undefined for the default of the service
 */
export function withoutRefused(
  wanted: Wanted,
  refused: ReadonlySet<RefusedPart> | undefined,
  smaller: number | undefined,
): { readonly sent: Wanted; readonly leftOut: readonly RefusedField[] } {
  const leftOut = refused === undefined ? [] : refusedOf(wanted, refused);
  const isFormless = leftOut.includes('schema') || leftOut.includes('json');
  return {
    sent: {
      responseFormat: isFormless ? undefined : wanted.responseFormat,
      effort: leftOut.includes('effort') ? undefined : wanted.effort,
      budget: leftOut.includes('ceiling') ? smaller : wanted.budget,
    },
    leftOut,
  };
}

/** A prompt that asks for a format in words. Reasoning to continue from stays at the end of the prompt, where it is searched for. */
export function withFormat(prompt: string, format: ResponseFormat): string {
  const words = formatInWords(format);
  return isContinuation(prompt) ? `${words}\n\n${prompt}` : `${prompt}\n\n${words}`;
}
