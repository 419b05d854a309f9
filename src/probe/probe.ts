/** What a probe of a route found, as plain data. The words for it are in the editor. */
import * as v from 'valibot';
import { count, type Decoder, decode, type Fields, oneOf, type WrongField } from '../validation/decode.ts';

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
  /** The message of the service. */
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

/** When it was probed last, in epoch milliseconds. */
export const probedAt = ({ results }: RouteProbe): number => Math.max(...results.map(({ at }) => at));

/** Adds the results of a probe to those of an earlier one. A check that failed says nothing new. */
export function withResults(earlier: RouteProbe | undefined, later: RouteProbe): RouteProbe {
  const results = CHECKS.flatMap((check) => {
    const before = resultOf(earlier, check);
    const now = resultOf(later, check);
    return (now?.seen.kind === 'failed' ? (before ?? now) : (now ?? before)) ?? [];
  });
  return { ...later, results };
}

const text = v.string();

const seen: Decoder<Seen> = v.object({
  kind: oneOf<SeenKind>({
    'as-is': true,
    nothing: true,
    'not-reported': true,
    cached: true,
    called: true,
    counted: true,
    dropped: true,
    answered: true,
    'other-form': true,
    efforts: true,
    spent: true,
    'in-some': true,
    refused: true,
    failed: true,
  }),
  values: v.array(text),
});

const checkResult: Decoder<CheckResult> = v.object({
  check: v.picklist(CHECKS),
  verdict: oneOf<Verdict>({ yes: true, no: true, unclear: true }),
  seen,
  at: count,
} satisfies Fields<CheckResult>);

const probe = v.object({ results: v.array(v.unknown()), requests: count, cost: v.optional(count) });

/**
 * Decodes a stored probe. Another version may have written it.
 *
 * @param onWrong called for each result that is left out
 * @returns undefined if nothing of it can be used
 */
export function decodeProbe(json: unknown, onWrong: (wrong: WrongField) => void): RouteProbe | undefined {
  if (json === undefined) return undefined;
  const decoded = decode(probe, json);
  if (!decoded.ok) {
    onWrong(decoded.wrong);
    return undefined;
  }
  const results = decoded.value.results.flatMap((one) => {
    const result = decode(checkResult, one);
    if (result.ok) return [result.value];
    onWrong(result.wrong);
    return [];
  });
  return results.length === 0 ? undefined : { ...decoded.value, cost: decoded.value.cost, results };
}
