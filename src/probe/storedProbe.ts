/** Stored probes. In its own file, because the probe itself is loaded only when it is first run. */
import * as v from 'valibot';
import { count, type Decoder, decode, type Fields, oneOf, type WrongField } from '../validation/decode.ts';
import {
  CHECKS,
  type CheckResult,
  type RouteProbe,
  resultOf,
  type Seen,
  type SeenKind,
  type Verdict,
} from './probe.ts';

/** Adds the results of a probe to those of an earlier one. A check that failed doesn't replace an earlier result. */
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
