/** The shapes of the wire, as the service documents them and as tolerant clients have seen them. */

export type RouteKind = 'direct' | 'gateway';

/** How a route reaches the network when the editor's own settings cannot say it (docs/service.md, On the wire). */
export interface RouteNetwork {
  /** `none` bypasses every proxy; otherwise the address of the proxy of this route. */
  readonly proxy?: string;
  /** Path of a PEM file with the authority that signed the route's certificate. */
  readonly caFile?: string;
  readonly http2?: boolean;
}

/** Where requests go. `root` ends in the version prefix and has no trailing slash: `https://host/v1`. */
export interface Route {
  readonly name: string;
  readonly kind: RouteKind;
  readonly root: string;
  /** Scheme, host and port, to which a key is bound. */
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

/** The names under which reasoning travels (R4, docs/service.md); `tags` is reasoning inside `content`. */
export type ReasoningName = 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'tags';

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly ContentPart[];
}

/** An answer as it goes back: the reasoning under the name it came by, `content` left out when it is empty beside calls. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly unknown[];
  readonly tool_calls?: readonly ToolCall[];
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
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

export type ReasoningEffort = 'low' | 'high' | 'max';

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

/** The body of `POST /v1/chat/completions`. Its keys are written in this order, so that equal requests are equal bytes. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly stream: true;
  readonly stream_options: { readonly include_usage: true };
  readonly max_completion_tokens?: number;
  readonly reasoning_effort?: ReasoningEffort;
  readonly tools?: readonly FunctionTool[];
  readonly response_format?: ResponseFormat;
  readonly prompt_cache_key?: string;
}

/** What a request used, in tokens. Undefined means that the service did not say. */
export interface Usage {
  readonly promptTokens: number | undefined;
  /** With the reasoning tokens. */
  readonly completionTokens: number | undefined;
  readonly totalTokens: number | undefined;
  readonly reasoningTokens: number | undefined;
  readonly cachedTokens: number | undefined;
}

/** Part of a tool call as it streams; an empty id or name never overwrites an earlier one. */
export interface ToolCallDelta {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly arguments: string;
}

/** One decoded chunk of a stream. Absent fields are undefined, never null. */
export interface Chunk {
  readonly id: string | undefined;
  readonly model: string | undefined;
  /** Reasoning text of this chunk, counted once when two names carry it. */
  readonly reasoning: { readonly name: ReasoningName; readonly text: string } | undefined;
  /** `reasoning_details` entries verbatim, for replay. */
  readonly reasoningDetails: readonly Readonly<Record<string, unknown>>[];
  readonly answer: string;
  readonly toolCalls: readonly ToolCallDelta[];
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
}
