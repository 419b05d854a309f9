/** What a check gives back: the value as it may be used, or the refusal that the client gets. */
import type { ReasoningName, RouteKind } from '../../service/types.ts';
import type { Refusal } from '../refusal.ts';

export interface CheckContext {
  readonly route: RouteKind;
  /** The names under which reasoning has to come back beside tool calls. */
  readonly replayNames: readonly ReasoningName[];
}

/** Either the value that passed, or the refusal. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

export function passed<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function failed(refusal: Refusal): Checked<never> {
  return { ok: false, refusal };
}

/** Null is a client library's way to leave a field out. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
