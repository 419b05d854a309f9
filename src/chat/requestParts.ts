/** A request part by part, as it would be sent: the content, its size, and whether it is probably cached. */
import type { ChatRequest, Message } from '../service/types.ts';
import { toPrefix } from './prefix.ts';
import { estimateTokens, IMAGE_TOKENS } from './tokens.ts';
import type { Turn } from './turn.ts';

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
 * @param isAsked false if the last message stands for a question that isn't written yet; it is no part then
 */
export function toRequestParts(
  request: ChatRequest,
  earlier: Turn | undefined,
  isAsked = true,
): readonly RequestPart[] {
  const prefix = toPrefix(request);
  const changed = prefix.findIndex((part, i) => part.hash !== earlier?.request.prefix[i]?.hash);
  const until = changed === -1 ? prefix.length : changed;
  const tools = request.tools ?? [];
  const parts = [
    { kind: 'model', json: JSON.stringify(request.model), tokens: 0, images: 0 },
    { kind: 'tools', json: JSON.stringify(tools), tokens: estimateTokens(JSON.stringify(tools)), images: 0 },
    ...request.messages.slice(0, isAsked ? undefined : -1).map((message) => ({
      kind: message.role,
      json: JSON.stringify(message),
      ...sizeOf(message),
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
export function sizeOf(message: Message): { readonly tokens: number; readonly images: number } {
  if (message.role !== 'user' || typeof message.content === 'string') {
    return { tokens: estimateTokens(JSON.stringify(message)), images: 0 };
  }
  const images = message.content.filter(({ type }) => type === 'image_url').length;
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { tokens: estimateTokens(text) + images * IMAGE_TOKENS, images };
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
