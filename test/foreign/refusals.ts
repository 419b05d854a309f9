/** Refusals of the service: status and body as documented in the tables "Errors" and the field notes. */
import type { Fields } from './json.ts';

export type ForeignRoute = 'direct' | 'gateway';

/**
 * What a client may do after a refusal: never send the request again, send it after a wait, or not
 * documented.
 */
type Retry = { kind: 'never' } | { kind: 'wait'; milliseconds: number } | { kind: 'unsaid' };

export type Refusal = {
  status: number;
  headers: Record<string, string>;
  /** An object is sent as JSON, a string unchanged. */
  body: Fields | string;
  retry: Retry;
  /** A short description for the violations. */
  name: string;
};

const json = { 'content-type': 'application/json; charset=utf-8' };

function refusal(status: number, name: string, error: Fields): Refusal {
  return { status, name, headers: json, body: { error }, retry: { kind: 'never' } };
}

/** The direct route omits `code`, the gateway sends null ("Error shape"). */
function coded(route: ForeignRoute): Fields {
  return route === 'gateway' ? { code: null } : {};
}

/** E4, and every other 400 with the documented type `invalid_request_error`. */
export function invalidRequest(route: ForeignRoute, message: string): Refusal {
  return refusal(400, '400', { message, type: 'invalid_request_error', ...coded(route) });
}

/** E1, Authentication 3 and 4: the same status and type on both routes, with different messages. */
export function badKey(route: ForeignRoute): Refusal {
  const message =
    route === 'direct'
      ? 'Invalid Authentication: this key opens nothing here'
      : 'Edge access layer: credential rejected before it reached any model';
  return refusal(401, '401', { message, type: 'invalid_authentication_error', ...coded(route) });
}

/** E2: a wrong name and missing access have the same response. */
export function unknownModelDirect(model: string): Refusal {
  const message = `Model ${model} was not found, or permission for it was denied`;
  return refusal(404, '404', { message, type: 'resource_not_found_error' });
}

/** E3: `code` and `did_you_mean`, without `type`. */
export function unknownModelGateway(model: string): Refusal {
  return refusal(404, '404', {
    message: `No route carries ${model}. This error is permanent; see GET /v1/models for what does exist.`,
    code: 'model_not_found',
    did_you_mean: 'svc-k3',
  });
}

/** Paths that are not in the endpoint table. The body is not documented for them. */
export function unknownPath(path: string): Refusal {
  return refusal(404, '404', { message: `Nothing lives at ${path}`, type: 'resource_not_found_error' });
}

/** E5: `code` is null here on both routes, as the table says for this row. */
export function forcedTool(): Refusal {
  return refusal(400, '400', {
    message: 'The specified tool choice is incompatible with thinking enabled',
    type: 'invalid_request_error',
    code: null,
  });
}

/** Field notes, "Errors": the filter refuses before anything is generated. */
export function filtered(route: ForeignRoute): Refusal {
  const message = 'The content filter declined this prompt';
  return refusal(400, 'the filter', { message, type: 'content_filter', ...coded(route) });
}

/**
 * E6. The type is "not shown". The direct route always has one, so the name in the field notes is used there.
 *
 * @param seconds sent as Retry-After; without it, a client uses its own backoff
 * @param milliseconds the shortest wait that is not a violation
 */
export function rateLimited(route: ForeignRoute, seconds: number | undefined, milliseconds: number): Refusal {
  const type: Fields = route === 'direct' ? { type: 'rate_limit_reached_error' } : {};
  const error = { message: 'Rate limit exceeded: too many requests this minute', ...type, code: null };
  return {
    ...refusal(429, '429', error),
    headers: seconds === undefined ? json : { ...json, 'retry-after': String(seconds) },
    retry: { kind: 'wait', milliseconds },
  };
}

/** E7, according to the field notes: a 429 for balance, which must never be sent again. */
export function noBalance(route: ForeignRoute): Refusal {
  const message = 'Your account has used up its quota; top up the balance to go on';
  return refusal(429, 'no balance', { message, type: 'exceeded_current_quota_error', ...coded(route) });
}

/** E8: status and body of capacity errors are not shown. `server_error` is the type in the field notes. */
export function noCapacity(): Refusal {
  return {
    ...refusal(503, '503', { message: 'All replicas are busy at this peak hour', type: 'server_error' }),
    retry: { kind: 'wait', milliseconds: 500 },
  };
}

/** A portal page with status 200, as a proxy would send it. */
export function page(): Refusal {
  const body =
    '<!doctype html><html><head><title>Guest Wi-Fi</title></head><body><h1>Accept our terms</h1></body></html>';
  return {
    status: 200,
    name: 'a page',
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body,
    retry: { kind: 'unsaid' },
  };
}

/** Field notes, "Stream order": an error as the body of a 200, nested or flat. */
export function errorAs200(flat: boolean): Refusal {
  const message = 'The upstream worker vanished';
  const body: Fields = flat ? { object: 'error', message } : { error: { message, type: 'server_error' } };
  return { status: 200, name: 'an error as 200', headers: json, body, retry: { kind: 'unsaid' } };
}

export function redirected(status: number, location: string): Refusal {
  return { status, name: 'a redirect', headers: { location }, body: '', retry: { kind: 'never' } };
}
