/** One result of a probe, with what was seen. */
import { cutText } from '../conversation/cutText.ts';
import type { Turn } from '../conversation/turn.ts';
import type { CheckId, CheckResult, SeenKind, Verdict } from './probe.ts';

/** An ended turn of a probe. */
export interface ProbeTurn {
  readonly turn: Turn;
  /** The number of its keep-alives. */
  readonly keepAlives: number;
  /** The probe stopped the turn, because its answer was long enough. */
  readonly cut: boolean;
}

export type Reading = Omit<CheckResult, 'at'>;

const MAX_EXCERPT = 120;

function toExcerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_EXCERPT ? `${cutText(line, MAX_EXCERPT)}…` : line;
}

/** The values are shown as text, shortened so that they fit into a table. */
export function toReading(
  check: CheckId,
  verdict: Verdict,
  kind: SeenKind,
  ...values: readonly (string | number)[]
) {
  const short = values.map((value) => toExcerpt(String(value)));
  return { check, verdict, seen: { kind, values: short } } satisfies Reading;
}
