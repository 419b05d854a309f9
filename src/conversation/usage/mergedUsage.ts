/** Merges the usage of a response that reports it more than once. */
import type { Usage } from '../../service/types.ts';

/**
 * Usage can be reported twice, in the choice and at the top level. The last number wins; they are not added. Zeros don't count as a
 * report (F6), and a zero doesn't replace the input, the cached tokens, or the reasoning tokens.
 */
export function mergeUsage(earlier: Usage | undefined, later: Usage): Usage {
  if (earlier === undefined || isZero(earlier)) return later;
  if (isZero(later)) return earlier;
  const promptTokens = later.promptTokens || earlier.promptTokens;
  const completionTokens = later.completionTokens ?? outputOf(earlier, later, promptTokens);
  // If a figure changed, the earlier total is out of date.
  const isOther = promptTokens !== earlier.promptTokens || completionTokens !== earlier.completionTokens;
  // A total without input or output that is below the known figures says nothing.
  const isLess =
    (later.completionTokens === undefined || !later.promptTokens) &&
    later.totalTokens !== undefined &&
    later.totalTokens < (promptTokens ?? 0) + (completionTokens ?? 0);
  return {
    promptTokens,
    completionTokens,
    totalTokens:
      (isLess ? undefined : later.totalTokens) ||
      (isOther ? sumOf({ ...later, promptTokens, completionTokens }, earlier) : earlier.totalTokens),
    reasoningTokens: later.reasoningTokens || (earlier.reasoningTokens ?? later.reasoningTokens),
    cachedTokens: later.cachedTokens || (earlier.cachedTokens ?? later.cachedTokens),
  };
}

/** The new sum, if the earlier total was a sum, too. Undefined otherwise. */
function sumOf({ promptTokens = 0, completionTokens = 0 }: Usage, earlier: Usage): number | undefined {
  const before = (earlier.promptTokens ?? 0) + (earlier.completionTokens ?? 0);
  return earlier.totalTokens === before ? promptTokens + completionTokens : undefined;
}

/** The output that follows from a later total. A total alone never makes it smaller. */
function outputOf(
  { completionTokens: known }: Usage,
  later: Usage,
  promptTokens: number | undefined,
): number | undefined {
  if (known === undefined || !later.totalTokens || promptTokens === undefined) return known;
  const follows = later.totalTokens - promptTokens;
  return follows < (later.promptTokens === undefined ? known : 0) ? known : follows;
}

const isZero = (usage: Usage): boolean => Object.values(usage).every((figure) => (figure ?? 0) === 0);
