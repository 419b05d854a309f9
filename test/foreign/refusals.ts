/** What the service says instead of an answer: statuses and bodies of the tables "Errors" and the field notes. */
import type { Fields } from './json.ts';

export type ForeignRoute = 'direct' | 'gateway';

/** How a client may treat a refusal: send it never again, again after a wait, or the texts do not say. */
type Retry = { kind: 'never' } | { kind: 'wait'; milliseconds: number } | { kind: 'unsaid' };

export type Refusal = {
  status: number;
  headers: Record<string, string>;
  /** An object is sent as JSON, a string as it is. */
  body: Fields | string;
  retry: Retry;
  /** A few words for the lines about it. */
  name: string;
};

const json = { 'content-type': 'application/json; charset=utf-8' };

function refusal(status: number, name: string, error: Fields): Refusal {
  return { status, name, headers: json, body: { error }, retry: { kind: 'never' } };
}

/** The direct route leaves `code` out, the gateway carries it as null ("Error shape"). */
function coded(route: ForeignRoute): Fields {
  return route === 'gateway' ? { code: null } : {};
}

/** E4 and every other 400 whose type is documented as `invalid_request_error`. */
export function invalidRequest(route: ForeignRoute, message: string): Refusal {
  return refusal(400, '400', { message, type: 'invalid_request_error', ...coded(route) });
}

/** E1, Authentication 3 and 4: same status and type on both routes, each in its own words. */
export function badKey(route: ForeignRoute): Refusal {
  const message =
    route === 'direct'
      ? 'Invalid Authentication: this key opens nothing here'
      : 'Edge access layer: credential rejected before it reached any model';
  return refusal(401, '401', { message, type: 'invalid_authentication_error', ...coded(route) });
}

/** E2: a wrong name and missing access are one answer. */
export function unknownModelDirect(model: string): Refusal {
  const message = `Model ${model} was not found, or permission for it was denied`;
  return refusal(404, '404', { message, type: 'resource_not_found_error' });
}

/** E3: `code` and `did_you_mean`, and no `type`. */
export function unknownModelGateway(model: string): Refusal {
  return refusal(404, '404', {
    message: `No route carries ${model}. This error is permanent; see GET /v1/models for what does exist.`,
    code: 'model_not_found',
    did_you_mean: 'svc-k3',
  });
}

/** Paths that the endpoint table does not have. The body is not documented for them. */
export function unknownPath(path: string): Refusal {
  return refusal(404, '404', { message: `Nothing lives at ${path}`, type: 'resource_not_found_error' });
}

/** E5: `code` is null here on both routes, as the table says for this very row. */
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
 * E6. The type is "not shown"; the direct route always has one, so the field notes' name is used there.
 * @param seconds goes out as Retry-After; without it a client backs off by itself
 * @param milliseconds the least wait that is not called a storm
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

/** E7 by the field notes: a 429 for balance, never to be sent again. */
export function noBalance(route: ForeignRoute): Refusal {
  const message = 'Your account has used up its quota; top up the balance to go on';
  return refusal(429, 'no balance', { message, type: 'exceeded_current_quota_error', ...coded(route) });
}

/** E8: status and body of capacity errors are not shown; `server_error` is the field notes' type. */
export function noCapacity(): Refusal {
  return {
    ...refusal(503, '503', { message: 'All replicas are busy at this peak hour', type: 'server_error' }),
    retry: { kind: 'wait', milliseconds: 500 },
  };
}

/** A portal's page with status 200, as a proxy in between would send it. */
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
