/**
 * Builds the body of a completion request, or reports why the service would refuse it, before anything is
 * sent (Q1–Q15).
 */
import { isEffort, type ReasoningEffort } from './effort.ts';
import { isImageData } from './imageTypes.ts';
import { CONTEXT_WINDOW_TOKENS, MAX_TOOLS } from './limits.ts';
import type { ChatRequest, ContentPart, FunctionTool, Message, ResponseFormat } from './types.ts';

export interface RequestInput {
  readonly model: string;
  readonly messages: readonly Message[];
  /** Output budget in tokens. Undefined uses the service's default (Q7). */
  readonly maxCompletionTokens?: number | undefined;
  readonly effort?: ReasoningEffort | undefined;
  readonly tools?: readonly FunctionTool[] | undefined;
  readonly responseFormat?: ResponseFormat | undefined;
  readonly promptCacheKey?: string | undefined;
}

/** Why a request is not sent: the field of the request, and what is wrong with it. */
export type RequestProblem =
  | { readonly field: 'model'; readonly reason: 'empty' }
  | { readonly field: 'content'; readonly reason: 'empty-beside-calls' }
  | { readonly field: 'messages'; readonly reason: 'empty' | 'nothing-asked' }
  | { readonly field: 'max_completion_tokens'; readonly reason: 'not-a-positive-integer' }
  | {
      readonly field: 'image_url';
      readonly reason: 'public-address' | 'not-an-image';
      readonly value: string;
    }
  | { readonly field: 'tools'; readonly reason: 'too-many'; readonly count: number }
  | { readonly field: 'tools'; readonly reason: 'same-name'; readonly value: string }
  | { readonly field: 'tool_call_id'; readonly reason: 'unanswered-or-unknown'; readonly value: string }
  | { readonly field: 'reasoning_effort'; readonly reason: 'unknown'; readonly value: string }
  | { readonly field: 'response_format'; readonly reason: 'no-name' | 'no-object-schema' };

export type BuiltRequest =
  | {
      readonly ok: true;
      readonly request: ChatRequest;
      /** The output budget that was asked for, in tokens, if it is above the ceiling. Then the ceiling is sent (Q8). */
      readonly clampedFrom: number | undefined;
    }
  | { readonly ok: false; readonly problem: RequestProblem };

/**
 * Builds the request for these messages. It always streams and always asks for usage (Q9, Q10), never forces
 * a tool (Q12), and omits every parameter that isn't set, so that equal settings give equal bytes (R11).
 */
export function buildRequest(input: RequestInput): BuiltRequest {
  const problem = findProblem(input);
  if (problem !== undefined) return { ok: false, problem };
  const asked = input.maxCompletionTokens;
  const budget = asked === undefined ? undefined : Math.min(asked, CONTEXT_WINDOW_TOKENS);
  const request: ChatRequest = {
    model: input.model,
    ...(input.tools === undefined || input.tools.length === 0
      ? {}
      : { tools: input.tools.map(withProperties) }),
    messages: input.messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(budget === undefined ? {} : { max_completion_tokens: budget }),
    ...(input.effort === undefined ? {} : { reasoning_effort: input.effort }),
    ...(input.responseFormat === undefined ? {} : { response_format: input.responseFormat }),
    ...(input.promptCacheKey === undefined ? {} : { prompt_cache_key: input.promptCacheKey }),
  };
  return { ok: true, request, clampedFrom: asked === budget ? undefined : asked };
}

/** Some services refuse an object schema without `properties`, which MCP servers send for tools without arguments. */
function withProperties(tool: FunctionTool): FunctionTool {
  const { parameters } = tool.function;
  if ('properties' in parameters) return tool;
  return { ...tool, function: { ...tool.function, parameters: { ...parameters, properties: {} } } };
}

function findProblem(input: RequestInput): RequestProblem | undefined {
  if (input.model.trim() === '') return { field: 'model', reason: 'empty' };
  const asked = input.maxCompletionTokens;
  if (asked !== undefined && (!Number.isInteger(asked) || asked < 1)) {
    return { field: 'max_completion_tokens', reason: 'not-a-positive-integer' };
  }
  if (input.effort !== undefined && !isEffort(input.effort)) {
    return { field: 'reasoning_effort', reason: 'unknown', value: input.effort };
  }
  return (
    findMessageProblem(input.messages) ??
    findToolProblem(input.tools ?? []) ??
    findFormatProblem(input.responseFormat)
  );
}

/** The first problem in these messages because of which the service would refuse them. */
export function findMessageProblem(messages: readonly Message[]): RequestProblem | undefined {
  if (messages.length === 0) return { field: 'messages', reason: 'empty' };
  const newest = messages.findLast((message) => message.role === 'user');
  if (newest === undefined || isBlank(newest.content)) return { field: 'messages', reason: 'nothing-asked' };
  for (const message of messages) {
    if (message.role === 'assistant' && message.tool_calls !== undefined && message.content === '')
      return { field: 'content', reason: 'empty-beside-calls' };
    if (message.role !== 'user' || typeof message.content === 'string') continue;
    for (const part of message.content) {
      const problem = findImageProblem(part);
      if (problem !== undefined) return problem;
    }
  }
  return findOrphan(messages);
}

function isBlank(content: string | readonly ContentPart[]): boolean {
  if (typeof content === 'string') return content.trim() === '';
  return content.every((part) => part.type === 'text' && part.text.trim() === '');
}

/**
 * Images are sent as bytes or as `ms://<file_id>`. Everything else is refused here, because the service would
 * refuse it (Q6).
 */
function findImageProblem(part: ContentPart): RequestProblem | undefined {
  if (part.type !== 'image_url') return undefined;
  const { url } = part.image_url;
  if (/^https?:/i.test(url)) return { field: 'image_url', reason: 'public-address', value: url };
  if ((isImageData(url) && !url.endsWith(',')) || /^ms:\/\/\S+$/.test(url)) return undefined;
  return { field: 'image_url', reason: 'not-an-image', value: url.slice(0, 60) };
}

/**
 * Every tool result must belong to a call of the preceding assistant message, and every call must have its
 * result.
 */
function findOrphan(messages: readonly Message[]): RequestProblem | undefined {
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) {
        return { field: 'tool_call_id', reason: 'unanswered-or-unknown', value: message.tool_call_id };
      }
      continue;
    }
    const problem = findUnanswered(open);
    if (problem !== undefined) return problem;
    open = new Set(message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.id) : []);
  }
  return findUnanswered(open);
}

function findUnanswered([id]: ReadonlySet<string>): RequestProblem | undefined {
  return id === undefined ? undefined : { field: 'tool_call_id', reason: 'unanswered-or-unknown', value: id };
}

function findToolProblem(tools: readonly FunctionTool[]): RequestProblem | undefined {
  if (tools.length > MAX_TOOLS) return { field: 'tools', reason: 'too-many', count: tools.length };
  const names = new Set<string>();
  for (const { function: fn } of tools) {
    if (names.has(fn.name)) return { field: 'tools', reason: 'same-name', value: fn.name };
    names.add(fn.name);
  }
  return undefined;
}

function findFormatProblem(format: ResponseFormat | undefined): RequestProblem | undefined {
  if (format?.type !== 'json_schema') return undefined;
  if (format.json_schema.name.trim() === '') return { field: 'response_format', reason: 'no-name' };
  if (format.json_schema.schema['type'] !== 'object')
    return { field: 'response_format', reason: 'no-object-schema' };
  return undefined;
}
