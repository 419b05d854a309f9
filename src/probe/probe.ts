/** The results of a probe of a route, as plain data. Their words are in the editor. */
import type { RefusedPart } from '../conversation/outcomes/refusedFields.ts';

/** The checks, in the order in which they are shown. */
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

/** `no` means that it was seen, not assumed. Anything that can have another explanation is `unclear`. */
export type Verdict = 'yes' | 'no' | 'unclear';

/** What was seen. The kind determines the meaning of `values`. */
export type SeenKind =
  /** Values that need no explanation: names of models or fields, or a number of tokens. */
  | 'as-is'
  | 'nothing'
  | 'not-reported'
  /** The cached tokens, and all tokens of the prompt. */
  | 'cached'
  /** The number of calls in one response. */
  | 'called'
  /** The input tokens by which the request grew. */
  | 'counted'
  /** The tool or the image never reached the model. */
  | 'dropped'
  /** The start of an answer. */
  | 'answered'
  /** The start of an answer that doesn't have the requested format. */
  | 'other-form'
  /** The reasoning tokens with the lowest and with the highest effort. */
  | 'efforts'
  /** The output tokens, and the budget. */
  | 'spent'
  /** The number of requests in which it was seen, and the number of all requests. */
  | 'in-some'
  /** The message of the service, then the effort that the service accepts, if any. */
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

/** The results for one address and model. A check that wasn't made has none. */
export interface RouteProbe {
  readonly results: readonly CheckResult[];
  /** Requests and costs of the last probe. */
  readonly requests: number;
  /** USD; undefined if the service didn't report it. */
  readonly cost: number | undefined;
}

export const resultOf = (probe: RouteProbe | undefined, check: CheckId): CheckResult | undefined =>
  probe?.results.find((one) => one.check === check);

/** Whether a probe has shown that a part of requests is refused. */
export function refuses(probed: RouteProbe | undefined, part: RefusedPart): boolean {
  const result = resultOf(probed, part === 'lower-effort' ? 'effort' : part);
  if (result?.verdict !== 'no' || result.seen.kind !== 'refused') return false;
  const isLower = result.seen.values[1] === 'max';
  return part === 'lower-effort' ? isLower : part !== 'effort' || !isLower;
}

/** The time of the latest result, in epoch milliseconds. */
export const probedAt = ({ results }: RouteProbe): number => Math.max(...results.map(({ at }) => at));
