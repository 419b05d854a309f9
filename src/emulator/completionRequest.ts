/** A completion request that has passed all checks. */
import type { ImageInfo } from './images.ts';
import type { JsonObject } from './json.ts';

export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface RequestMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** The text parts, joined by line ends. */
  readonly text: string;
  readonly images: readonly RequestImage[];
  readonly calls: readonly RequestedCall[];
  /** The original JSON, for the prompt cache and the token count. */
  readonly raw: JsonObject;
}

/** An image as bytes, or a reference to an uploaded file, whose content is not known. */
export type RequestImage =
  | { readonly kind: 'bytes'; readonly info: ImageInfo; readonly size: number }
  | { readonly kind: 'file'; readonly id: string };

export interface RequestTool {
  readonly name: string;
  readonly parameters: JsonObject;
  readonly raw: JsonObject;
}

export type RequestFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly schema: JsonObject };

export interface CompletionRequest {
  readonly messages: readonly RequestMessage[];
  readonly tools: readonly RequestTool[];
  readonly format: RequestFormat;
  /** Output budget in tokens, clamped to the maximum (Q7, Q8). Includes reasoning. */
  readonly budget: number;
  /** The requested effort; undefined on the gateway, which ignores it (Q15). */
  readonly effort: 'low' | 'high' | 'max' | undefined;
  readonly stream: boolean;
  readonly includeUsage: boolean;
}
