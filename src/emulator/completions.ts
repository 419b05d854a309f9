/** Responds to each endpoint: checks the rules, then applies the scenario, then creates the reply. */
import type { IncomingMessage } from 'node:http';
import { CONTEXT_WINDOW_TOKENS, DEFAULT_MODEL } from '../service/limits.ts';
import type { RouteKind } from '../service/types.ts';
import type { AttemptCounts } from './attemptCounts.ts';
import { hasLoneSurrogate, parseJsonText } from './json.ts';
import { countCached, countPrompt, type PromptCache, rememberPrompt, toSegments } from './promptCache.ts';
import { readBody } from './readBody.ts';
import type { RequestRecorder } from './recorder.ts';
import { type ErrorReply, refuseInvalid, toErrorReply } from './refusal.ts';
import { checkKey } from './requestRules/checkCaller.ts';
import { checkCompletion } from './requestRules/checks.ts';
import { respond } from './respond.ts';
import type { Exchange, Scenario } from './scenarios/scenario.ts';
import { jsonReply, type Steps } from './steps.ts';
import type { Target } from './target.ts';

export interface CompletionsDeps {
  readonly route: RouteKind;
  readonly key: string;
  readonly firstTokenDelayMs: number;
  readonly maxBodyBytes: number;
  readonly attempts: AttemptCounts;
  readonly scenarios: readonly Scenario[];
  readonly recorder: Pick<RequestRecorder, 'body'> | undefined;
}

export interface Incoming {
  readonly request: IncomingMessage;
  readonly target: Target;
  /** Number of the request in the recorder. */
  readonly record: number;
  readonly requestId: string;
  /** URL of the emulator. */
  readonly url: string;
}

/** Returns the steps of the response, or undefined when the client disconnected before the request was complete. */
export function createCompletions(deps: CompletionsDeps): (incoming: Incoming) => Promise<Steps | undefined> {
  const { route } = deps;
  let cache: PromptCache = [];

  return async (incoming) => {
    const { target, request } = incoming;
    switch (target.kind) {
      case 'scenario-list':
        return jsonReply(
          200,
          deps.scenarios.map(({ name, row, title }) => ({ name, row, title })),
        );
      case 'unknown':
        return toSteps(
          toErrorReply(
            route,
            404,
            'resource_not_found_error',
            `There is nothing at ${target.path}; GET /s lists the scenarios`,
          ),
        );
      case 'wrong-method':
        return toSteps({
          ...refuseMethod(route, request.method ?? '', target.allow),
          headers: { allow: target.allow },
        });
      case 'models':
        return listModels(incoming, target.scenario);
      case 'completion':
        return complete(incoming, target.scenario);
      default:
        return unreachable(target);
    }
  };

  function listModels({ request, url }: Incoming, scenario: Scenario | undefined): Steps {
    const refused = checkKey(request.headers.authorization, deps.key, route);
    if (refused !== undefined) return toSteps(refused);
    if (scenario?.front !== undefined) return scenario.front({ route, url });
    return jsonReply(200, scenario?.models?.() ?? MODEL_LIST);
  }

  async function complete(incoming: Incoming, scenario: Scenario | undefined): Promise<Steps | undefined> {
    const { request, url } = incoming;
    const body = await readBody(request, deps.maxBodyBytes);
    if (body === 'broken') return undefined;
    const refused = checkKey(request.headers.authorization, deps.key, route);
    if (refused !== undefined) return toSteps(refused);
    if (body === 'too-large') return toSteps(refuseSize(route, deps.maxBodyBytes));
    const text = body.toString('utf8');
    deps.recorder?.body(incoming.record, text);
    const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
    if (mediaType !== 'application/json') {
      return toSteps(refuseInvalid(route, 'the Content-Type header must be application/json'));
    }
    const json = parseJsonText(text);
    if (json === undefined) return toSteps(refuseInvalid(route, 'the request body is not valid JSON'));
    // Checking each text takes longer than searching the JSON for the escape, which is rare.
    if (/\\ud[89a-f]/i.test(text) && hasLoneSurrogate(json))
      return toSteps(refuseInvalid(route, 'the request body has half of a surrogate pair'));
    const checked = checkCompletion(json, {
      route,
      replayNames: scenario?.replayNames ?? ['reasoning_content'],
    });
    if (!checked.ok) return toSteps(checked.refusal);

    const received = scenario?.passOn?.(checked.value) ?? checked.value;
    const segments = toSegments(received);
    const promptTokens = countPrompt(segments);
    if (promptTokens >= CONTEXT_WINDOW_TOKENS) return toSteps(refuseLength(route, promptTokens));
    const name = scenario?.name ?? '';
    const exchange: Exchange = {
      route,
      url,
      request: received,
      attempt: deps.attempts.count(name, body),
      bodyBytes: body.length,
      acceptsGzip: /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')),
    };
    const instead = scenario?.front?.(exchange) ?? scenario?.instead?.(exchange);
    if (instead !== undefined) return instead;
    deps.attempts.reset(name, body);
    const cachedTokens = countCached(cache, segments);
    cache = rememberPrompt(cache, segments);
    const created = Math.floor(Date.now() / 1000);
    const context = { id: `chatcmpl-${incoming.requestId}`, created, promptTokens, cachedTokens };
    return respond(exchange, scenario, context, deps.firstTokenDelayMs);
  }
}

const MODEL_LIST = {
  object: 'list',
  data: [{ id: DEFAULT_MODEL, object: 'model', created: 1_750_000_000, owned_by: 'emulator' }],
};

function toSteps(refusal: ErrorReply): Steps {
  return jsonReply(refusal.status, refusal.body, refusal.headers);
}

function refuseMethod(route: RouteKind, method: string, allow: string): ErrorReply {
  return toErrorReply(route, 405, 'invalid_request_error', `${method} is not allowed here; use ${allow}`);
}

function refuseSize(route: RouteKind, maxBytes: number): ErrorReply {
  return toErrorReply(
    route,
    413,
    'invalid_request_error',
    `Request exceeds the maximum size: the total message size exceeds limit ${maxBytes}`,
  );
}

function refuseLength(route: RouteKind, tokens: number): ErrorReply {
  return refuseInvalid(
    route,
    `Invalid request: your request exceeded model token limit: ${CONTEXT_WINDOW_TOKENS} (requested: ${tokens})`,
  );
}

function unreachable(value: never): never {
  throw new Error(`A target that nobody answers: ${JSON.stringify(value)}`);
}
