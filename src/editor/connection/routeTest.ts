/**
 * Tests a route before it is saved: requests the models that a key may use (M1), which costs nothing. Not every gateway lists its
 * models, so for a route that doesn't, the result is `unknown`.
 */
import { createClient } from '../../service/client.ts';
import { type Failure, ServiceError, type ServiceErrorKind, toFailure } from '../../service/errors.ts';
import type { Transport } from '../../service/transport.ts';
import type { Route } from '../../service/types.ts';
import type { SilenceLimits } from '../../service/watchdog.ts';

export type RouteTest =
  /** The key may use the model. */
  | { readonly result: 'works' }
  /** The model is not in the list of models for this key, which is not empty. */
  | { readonly result: 'other-models'; readonly models: readonly string[] }
  /** The service answers, but doesn't list models. */
  | { readonly result: 'unknown' }
  /** Requests to this address, or with this key, can't succeed. */
  | { readonly result: 'failed'; readonly failure: Failure };

export interface RouteTestDeps {
  readonly transport: Transport;
  readonly limits: SilenceLimits;
}

/** Failures that a request for a completion would have as well. */
const CERTAIN: ReadonlySet<ServiceErrorKind> = new Set([
  'bad-key',
  'access-denied',
  'redirected',
  'unreachable',
  'untrusted-certificate',
  'proxy-refused',
  'connection-lost',
  'silent',
]);

/** Rejects with the signal's reason when it aborts. */
export async function testRoute(
  { transport, limits }: RouteTestDeps,
  route: Route,
  key: string,
  signal: AbortSignal,
): Promise<RouteTest> {
  try {
    const models = await createClient({ transport, route, key, limits }).models(signal);
    if (models.length === 0) return { result: 'unknown' };
    return models.includes(route.model) ? { result: 'works' } : { result: 'other-models', models };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ServiceError && CERTAIN.has(error.kind))
      return { result: 'failed', failure: toFailure(error) };
    return { result: 'unknown' };
  }
}
