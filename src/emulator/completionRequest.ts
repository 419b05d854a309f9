/** A completion request that passed every check: what the rest of the emulator works with. */
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
  /** As it was sent, for the prefix cache and the count of tokens. */
  readonly raw: JsonObject;
}

/** An image as bytes, or as a reference to a file that was uploaded before, of which nothing is known. */
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
  /** Output budget in tokens, already clamped to the ceiling (Q7, Q8). Reasoning counts against it. */
  readonly budget: number;
  /** What the request asked for; undefined on the gateway, which ignores it (Q15). */
  readonly effort: 'low' | 'high' | 'max' | undefined;
  readonly stream: boolean;
  readonly includeUsage: boolean;
}
