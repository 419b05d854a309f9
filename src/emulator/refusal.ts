/** The error bodies of the service, per route (E1–E7, E11). */
import type { RouteKind } from '../service/types.ts';
import type { JsonObject } from './json.ts';

/** An error response: its status and its JSON body `{error: {…}}`. */
export interface ErrorReply {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error in the format of the route: `message` and `type`; the gateway adds `code`, which is null if there is none.
 * On the direct route `code` is absent (E11).
 */
export function toErrorReply(
  route: RouteKind,
  status: number,
  type: string,
  message: string,
  code: string | null = null,
): ErrorReply {
  return { status, body: { error: { message, type, ...(route === 'gateway' ? { code } : {}) } } };
}

/** A request that violates a rule for the body. `message` names the field. */
export function refuseInvalid(route: RouteKind, message: string): ErrorReply {
  return toErrorReply(route, 400, 'invalid_request_error', message);
}

/** E1: the gateway has its own message, with the same status and type. */
export function refuseKey(route: RouteKind): ErrorReply {
  const message =
    route === 'gateway'
      ? 'The gateway did not accept this API key. Check the key and that the header reads "Bearer <key>".'
      : 'Invalid Authentication';
  return toErrorReply(route, 401, 'invalid_authentication_error', message);
}

/** E2 and E3: an unknown model, in the format of the route. */
export function refuseModel(route: RouteKind, asked: string, right: string): ErrorReply {
  if (route === 'direct') {
    return toErrorReply(
      route,
      404,
      'resource_not_found_error',
      `Not found the model ${asked} or Permission denied`,
    );
  }
  return {
    status: 404,
    body: {
      error: {
        message: `Model '${asked}' is unknown or not enabled for this key. This error is permanent: do not retry with the same id. GET /v1/models lists the models you can use.`,
        code: 'model_not_found',
        did_you_mean: right,
      },
    },
  };
}

/** E5: a forced function. Here `code` is null on both routes, as documented. */
export function refuseForcedTool(): ErrorReply {
  return {
    status: 400,
    body: {
      error: {
        message: "tool_choice 'specified' is incompatible with thinking enabled",
        type: 'invalid_request_error',
        code: null,
      },
    },
  };
}
