/** What a probe of a route found, as plain data. The words for it are in the editor. */
import type { RefusedPart } from '../conversation/outcomes/refusedFields.ts';

/** What is checked, in the order in which it is shown. */
export const CHECKS = [
  'model',
  'reasoning',
  'usage',
  'caching',
  'tools',
  'parallel-tools',
  'images',
  'json',
  'schema',
  'effort',
  'budget',
  'ceiling',
  'keep-alives',
] as const;

export type CheckId = (typeof CHECKS)[number];

/** `no` was seen, not assumed. Whatever has another explanation is `unclear`. */
export type Verdict = 'yes' | 'no' | 'unclear';

/** What was seen. The meaning of `values` depends on it. */
export type SeenKind =
  /** Values for themselves: names of models or fields, a number of tokens. */
  | 'as-is'
  | 'nothing'
  | 'not-reported'
  /** The cached tokens, and all tokens of that prompt. */
  | 'cached'
  /** The number of calls in one response. */
  | 'called'
  /** The input tokens by which the request grew. */
  | 'counted'
  /** It never reached the model. */
  | 'dropped'
  /** The start of an answer. */
  | 'answered'
  /** The start of an answer that doesn't have the requested format. */
  | 'other-form'
  /** The reasoning tokens with the lowest and with the highest effort. */
  | 'efforts'
  /** The output tokens, and the budget. */
  | 'spent'
  /** The number of requests with it, and of all. */
  | 'in-some'
  /** The message of the service, then the effort that it accepts, if there is one. */
  | 'refused'
  /** The request or its answer wasn't complete. */
  | 'failed';

export interface Seen {
  readonly kind: SeenKind;
  readonly values: readonly string[];
}

export interface CheckResult {
  readonly check: CheckId;
  readonly verdict: Verdict;
  readonly seen: Seen;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The results for one address and model. What was not checked has none. */
export interface RouteProbe {
  readonly results: readonly CheckResult[];
  /** Requests and costs of the last probe. */
  readonly requests: number;
  /** USD; undefined if the service didn't report it. */
  readonly cost: number | undefined;
}

export const resultOf = (probe: RouteProbe | undefined, check: CheckId): CheckResult | undefined =>
  probe?.results.find((one) => one.check === check);

/** Whether a probe saw that a part of requests is refused. */
export function refuses(probed: RouteProbe | undefined, part: RefusedPart): boolean {
  const result = resultOf(probed, part === 'lower-effort' ? 'effort' : part);
  if (result?.verdict !== 'no' || result.seen.kind !== 'refused') return false;
  const isLower = result.seen.values[1] === 'max';
  return part === 'lower-effort' ? isLower : part !== 'effort' || !isLower;
}

/** When it was probed last, in epoch milliseconds. */
export const probedAt = ({ results }: RouteProbe): number => Math.max(...results.map(({ at }) => at));
