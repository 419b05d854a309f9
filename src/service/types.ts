/** Types of the wire format, as the service documents it and as other clients have observed it. */

import type { ReasoningEffort } from './effort.ts';

export type RouteKind = 'direct' | 'gateway';

/**
 * How a route reaches the network, for what the editor's own settings can't express
 * (docs/service.md, On the wire).
 */
export interface RouteNetwork {
  /** `none` bypasses every proxy; otherwise the address of the route's proxy. */
  readonly proxy?: string;
  /** Path of a PEM file with the certificate authority that signed the route's certificate. */
  readonly caFile?: string;
  readonly http2?: boolean;
}

/**
 * Where requests are sent. `root` ends in the version prefix, without a trailing slash: `https://host/v1`.
 */
export interface Route {
  readonly name: string;
  readonly kind: RouteKind;
  readonly root: string;
  /** Scheme, host, and port. A key is bound to them. */
  readonly origin: string;
  readonly model: string;
  readonly network?: RouteNetwork;
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image_url';
  /** A `data:` address with base64 bytes, or `ms://<file_id>`. Public addresses are refused (Q6). */
  readonly image_url: { readonly url: string };
}

export type ContentPart = TextPart | ImagePart;

export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The names of reasoning on the wire (R4, docs/service.md). `tags` is reasoning inside `content`. */
export type ReasoningName = 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'tags';

/** Text as a string, or as the only part of an array (`src/service/contentParts.ts`). */
export type TextContent = string | readonly [TextPart];

export interface SystemMessage {
  readonly role: 'system';
  readonly content: TextContent;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly ContentPart[];
}

/**
 * An answer as it is sent back: the reasoning has its original name, and an empty `content` is omitted if
 * there are tool calls.
 */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content?: TextContent;
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly unknown[];
  readonly tool_calls?: readonly ToolCall[];
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: TextContent;
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface FunctionTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

export type { ReasoningEffort };

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: {
        readonly name: string;
        readonly schema: Readonly<Record<string, unknown>>;
        readonly strict?: boolean;
      };
    };

/**
 * The body of `POST /v1/chat/completions`. Its keys are written in this order, so that equal requests are
 * equal bytes.
 */
export interface ChatRequest {
  readonly model: string;
  readonly tools?: readonly FunctionTool[];
  readonly messages: readonly Message[];
  readonly stream: true;
  readonly stream_options: { readonly include_usage: true };
  readonly max_completion_tokens?: number;
  readonly reasoning_effort?: ReasoningEffort;
  readonly response_format?: ResponseFormat;
  readonly prompt_cache_key?: string;
}

/** What a request used, in tokens. Undefined means not reported. */
export interface Usage {
  readonly promptTokens: number | undefined;
  /** Including reasoning tokens. */
  readonly completionTokens: number | undefined;
  readonly totalTokens: number | undefined;
  readonly reasoningTokens: number | undefined;
  readonly cachedTokens: number | undefined;
}

/** Part of a streamed tool call. An empty id or name never overwrites an earlier one. */
export interface ToolCallDelta {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly arguments: string;
  /** Part of the arguments is lost, because they came as a number. */
  readonly isDamaged?: true;
}

/** One decoded chunk of a stream. Missing fields are undefined, never null. */
export interface Chunk {
  readonly id: string | undefined;
  readonly model: string | undefined;
  /** The reasoning text of this chunk. Counted once if two fields contain it. */
  readonly reasoning: { readonly name: ReasoningName; readonly text: string } | undefined;
  /** The entries of `reasoning_details`, unchanged, to send them back. */
  readonly reasoningDetails: readonly Readonly<Record<string, unknown>>[];
  readonly answer: string;
  readonly toolCalls: readonly ToolCallDelta[];
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
}

/** The events of a completion's body, in order. */
export type BodyStreamEvent =
  | { readonly type: 'chunk'; readonly chunk: Chunk }
  /** A tag closed reasoning inside `content`. If `wasReasoning`, all answer text so far was reasoning. */
  | {
      readonly type: 'tag-closed';
      readonly open: string;
      readonly close: string;
      readonly wasReasoning: boolean;
    }
  | { readonly type: 'keep-alive' }
  /** An event, a line among events, or the arguments of a call can't be read. This is reported. */
  | { readonly type: 'damaged' }
  /**
   * There is another choice beside the answer, or may be. Its text is skipped where it can be recognized. Reported once, and once
   * more with `hasCalls` if calls that were passed on may belong to it.
   */
  | { readonly type: 'other-choice'; readonly hasCalls: boolean }
  /**
   * The service began another response in the same stream, for example at another server. Its text follows the text so far.
   * Reported again with `hasCalls` before the first calls of that response, which replace the calls so far.
   */
  | { readonly type: 'begun-again'; readonly hasCalls?: true }
  | { readonly type: 'done' };
