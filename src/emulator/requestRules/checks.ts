/** All documented rules for the body of a completion request, in the order in which the service checks them. */
import { CONTEXT_WINDOW_TOKENS, DEFAULT_MAX_COMPLETION_TOKENS, DEFAULT_MODEL } from '../../service/limits.ts';
import type { RouteKind } from '../../service/types.ts';
import type { CompletionRequest } from '../completionRequest.ts';
import { toObject } from '../json.ts';
import { type ErrorReply, refuseInvalid, refuseModel } from '../refusal.ts';
import { checkMessages } from './checkMessages.ts';
import { type CheckContext, type Checked, failed, isAbsent, passed } from './checkResult.ts';
import { checkFormat, checkToolChoice, checkTools } from './checkTools.ts';

/**
 * Checks the parsed body (Q3–Q15). Fields without a rule are accepted and ignored, as unknown fields are by the
 * service; `max_tokens` is one of them.
 */
export function checkCompletion(json: unknown, context: CheckContext): Checked<CompletionRequest> {
  const { route } = context;
  const body = toObject(json);
  if (body === undefined) return failed(refuseInvalid(route, 'The request body must be a JSON object'));

  const model = body['model'];
  if (typeof model !== 'string') return failed(refuseInvalid(route, 'model must be a string'));
  if (model !== DEFAULT_MODEL) return failed(refuseModel(route, model, DEFAULT_MODEL));

  const messages = checkMessages(body['messages'], context);
  if (!messages.ok) return messages;
  const tools = checkTools(body['tools'], route);
  if (!tools.ok) return tools;
  const format = checkFormat(body['response_format'], route);
  if (!format.ok) return format;
  const problem =
    checkToolChoice(body['tool_choice'], route) ??
    checkEffort(body['reasoning_effort'], route) ??
    checkSampling(body, route) ??
    checkStreaming(body, route) ??
    checkBudget(body['max_completion_tokens'], route) ??
    checkCacheKey(body['prompt_cache_key'], route);
  if (problem !== undefined) return failed(problem);

  const asked = body['max_completion_tokens'];
  return passed({
    messages: messages.value,
    tools: tools.value,
    format: format.value,
    budget:
      typeof asked === 'number' ? Math.min(asked, CONTEXT_WINDOW_TOKENS) : DEFAULT_MAX_COMPLETION_TOKENS,
    effort: route === 'gateway' ? undefined : toEffort(body['reasoning_effort']),
    stream: body['stream'] === true,
    includeUsage: toObject(body['stream_options'])?.['include_usage'] === true,
  });
}

/** Q7, Q8: a value that is too large is not an error. Some client libraries send null for omitted fields. */
function checkBudget(value: unknown, route: RouteKind): ErrorReply | undefined {
  if (isAbsent(value) || (typeof value === 'number' && Number.isInteger(value) && value > 0))
    return undefined;
  return refuseInvalid(route, 'max_completion_tokens must be a positive integer');
}

/** Q15: the direct route accepts three values; the gateway accepts any string and ignores it. */
function checkEffort(value: unknown, route: RouteKind): ErrorReply | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'string') return refuseInvalid(route, 'reasoning_effort must be a string');
  if (route === 'gateway' || toEffort(value) !== undefined) return undefined;
  return refuseInvalid(route, `reasoning_effort must be one of low, high, max; it is '${value}'`);
}

function toEffort(value: unknown): CompletionRequest['effort'] {
  return value === 'low' || value === 'high' || value === 'max' ? value : undefined;
}

/** Sampling parameters that this model family fixes (docs/service.md, Sampling); the fixed value itself is accepted. */
const FIXED_SAMPLING: Readonly<Record<string, number>> = {
  temperature: 1,
  top_p: 0.95,
  n: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
};

function checkSampling(body: Readonly<Record<string, unknown>>, route: RouteKind): ErrorReply | undefined {
  for (const [field, only] of Object.entries(FIXED_SAMPLING)) {
    const value = body[field];
    if (isAbsent(value) || value === only) continue;
    return refuseInvalid(route, `invalid ${field}: only ${only} is allowed for this model`);
  }
  return undefined;
}

function checkStreaming(body: Readonly<Record<string, unknown>>, route: RouteKind): ErrorReply | undefined {
  const { stream, stream_options: options } = body;
  if (!isAbsent(stream) && typeof stream !== 'boolean')
    return refuseInvalid(route, 'stream must be a boolean');
  if (isAbsent(options)) return undefined;
  const fields = toObject(options);
  if (fields === undefined) return refuseInvalid(route, 'stream_options must be an object');
  if (stream !== true) return refuseInvalid(route, 'stream_options is only allowed when stream is true');
  const usage = fields['include_usage'];
  if (isAbsent(usage) || typeof usage === 'boolean') return undefined;
  return refuseInvalid(route, 'stream_options.include_usage must be a boolean');
}

/** Q14: accepted, but without effect. */
function checkCacheKey(value: unknown, route: RouteKind): ErrorReply | undefined {
  if (isAbsent(value) || typeof value === 'string') return undefined;
  return refuseInvalid(route, 'prompt_cache_key must be a string or null');
}
