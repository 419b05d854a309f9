/** The target of a request: an endpoint, optionally with a scenario. */
import { VERSION_PREFIX } from '../service/limits.ts';
import type { Scenario } from './scenarios/scenario.ts';

export type Target =
  | { readonly kind: 'completion' | 'models'; readonly scenario: Scenario | undefined }
  /** `GET /s`. */
  | { readonly kind: 'scenario-list'; readonly scenario: undefined }
  /** A known path with another method; `allow` is the supported one. */
  | {
      readonly kind: 'wrong-method';
      readonly scenario: Scenario | undefined;
      readonly allow: 'GET' | 'POST';
    }
  | { readonly kind: 'unknown'; readonly path: string };

const ENDPOINTS = {
  [`${VERSION_PREFIX}/chat/completions`]: { kind: 'completion', method: 'POST' },
  [`${VERSION_PREFIX}/models`]: { kind: 'models', method: 'GET' },
  '/s': { kind: 'scenario-list', method: 'GET' },
} as const;

/** Removes `/s/NAME` from the path. The query is ignored; the rest must match exactly. */
export function readRequestTarget(method: string, url: string, scenarios: readonly Scenario[]): Target {
  const path = url.replace(/[?#].*$/s, '');
  const prefix = /^\/s\/([^/]+)(\/.*)$/.exec(path);
  const scenario = prefix === null ? undefined : scenarios.find(({ name }) => name === prefix[1]);
  const rest = prefix?.[2] ?? path;
  const endpoint = Object.entries(ENDPOINTS).find(([known]) => known === rest)?.[1];
  if (
    endpoint === undefined ||
    (prefix !== null && (scenario === undefined || endpoint.kind === 'scenario-list'))
  ) {
    return { kind: 'unknown', path };
  }
  if (method !== endpoint.method) return { kind: 'wrong-method', scenario, allow: endpoint.method };
  return endpoint.kind === 'scenario-list'
    ? { kind: endpoint.kind, scenario: undefined }
    : { kind: endpoint.kind, scenario };
}
