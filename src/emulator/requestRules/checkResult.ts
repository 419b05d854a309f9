/** The result of a check: the validated value or the refusal. */
import type { ReasoningName, RouteKind } from '../../service/types.ts';
import type { ErrorReply } from '../refusal.ts';

export interface CheckContext {
  readonly route: RouteKind;
  /** The field names with which reasoning can be sent back next to tool calls. */
  readonly replayNames: readonly ReasoningName[];
}

/** Either the validated value or the refusal. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: ErrorReply };

export function passed<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function failed(refusal: ErrorReply): Checked<never> {
  return { ok: false, refusal };
}

/** Some client libraries send null for omitted fields. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
