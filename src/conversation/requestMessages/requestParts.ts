/** The parts of a request as it would be sent: the content, its size, and whether it is probably cached. */
import type { ChatRequest, Message } from '../../service/types.ts';
import type { Turn } from '../turn.ts';
import { estimateTokens, IMAGE_TOKENS } from '../usage/tokens.ts';
import { findChangedPart, toPrefix } from './prefix.ts';

/** The tokens that every request has in addition to its texts and images. */
export const REQUEST_OVERHEAD_TOKENS = 90;

/** The size of a request, without `REQUEST_OVERHEAD_TOKENS`. */
export interface RequestSize {
  /** The estimated tokens of its texts, including the tool definitions. */
  readonly text: number;
  readonly images: number;
}

export interface RequestPart {
  readonly kind: 'model' | 'tools' | Message['role'];
  /** Bytes of its JSON. */
  readonly bytes: number;
  /** Estimated. Images count as a fixed number. */
  readonly tokens: number;
  readonly images: number;
  /** This part and all parts before it are the same as in the last request of this conversation. */
  readonly unchanged: boolean;
}

/**
 * @param earlier the turn whose request was sent last, to estimate what is cached
 * @param isAsked false if the last message stands for a question that isn't written yet. That message isn't returned.
 * @param ratio tokens of the route for each estimated token of text
 */
export function toRequestParts(
  request: ChatRequest,
  earlier: Turn | undefined,
  isAsked = true,
  ratio = 1,
): readonly RequestPart[] {
  const prefix = toPrefix(request);
  const changed = findChangedPart(prefix, earlier?.request.prefix ?? '');
  const until = changed === -1 ? Number.POSITIVE_INFINITY : changed;
  const tools = request.tools ?? [];
  const parts = [
    { kind: 'model', json: JSON.stringify(request.model), tokens: 0, images: 0 },
    { kind: 'tools', json: JSON.stringify(tools), tokens: toolTokens(tools) * ratio, images: 0 },
    ...request.messages.slice(0, isAsked ? undefined : -1).map((message) => ({
      kind: message.role,
      json: JSON.stringify(message),
      ...sizeOfMessage(message, ratio),
    })),
  ] as const;
  return parts
    .map(({ kind, json, tokens, images }, i) => ({
      kind,
      bytes: Buffer.byteLength(json),
      tokens: Math.round(tokens),
      images,
      unchanged: i < until,
    }))
    .filter(({ kind }) => kind !== 'tools' || tools.length > 0);
}

/** The estimated tokens of a message, where images count as a fixed number, and its number of images. */
export function sizeOfMessage(
  message: Message,
  ratio = 1,
): { readonly tokens: number; readonly images: number } {
  if (message.role !== 'user' || typeof message.content === 'string') {
    return { tokens: estimateTokens(JSON.stringify(message)) * ratio, images: 0 };
  }
  const images = message.content.filter(({ type }) => type === 'image_url').length;
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { tokens: estimateTokens(text) * ratio + images * IMAGE_TOKENS, images };
}

/** The estimated tokens of tool definitions. */
export const toolTokens = (tools: ChatRequest['tools'] = []): number =>
  tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));

/** The size of a complete request. */
export function toRequestSize({ tools, messages }: ChatRequest): RequestSize {
  const sizes = messages.map((message) => sizeOfMessage(message));
  const images = sizes.reduce((sum, size) => sum + size.images, 0);
  const tokens = sizes.reduce((sum, size) => sum + size.tokens, toolTokens(tools));
  return { text: tokens - images * IMAGE_TOKENS, images };
}

const MAX_ADDRESS_LENGTH = 60;

/** The request as readable JSON. The bytes of images are shortened. */
export function toReadableRequest(request: ChatRequest): string {
  return JSON.stringify(
    request,
    (key, value: unknown) =>
      key === 'url' && typeof value === 'string' && value.length > MAX_ADDRESS_LENGTH
        ? // Not translated, as the rest of the request.
          `${value.slice(0, MAX_ADDRESS_LENGTH)}… (${value.length} characters)`
        : value,
    2,
  );
}
