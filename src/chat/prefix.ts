/** What a request begins with, part by part, and what its cache did with it (R11). */
import { createHash } from 'node:crypto';
import { CACHE_BLOCK_TOKENS, CACHE_THRESHOLD_TOKENS } from '../service/limits.ts';
import type { ChatRequest } from '../service/types.ts';
import type { PrefixPart, Turn } from './turn.ts';

/** One hash for each part of a request, in the order in which it is sent. */
export function toPrefix(request: Pick<ChatRequest, 'model' | 'tools' | 'messages'>): readonly PrefixPart[] {
  return [
    { label: 'model', hash: hashOf(request.model) },
    { label: 'tools', hash: hashOf(request.tools ?? []) },
    ...request.messages.map(
      (message): PrefixPart => ({
        label: message.role === 'system' ? 'system' : 'message',
        hash: hashOf(message),
      }),
    ),
  ];
}

function hashOf(part: unknown): string {
  return createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 16);
}

/** A share of cached tokens that is lower than the prefix allowed. */
export interface CacheDrop {
  readonly expectedTokens: number;
  readonly cachedTokens: number;
  /** The part of the request that changed, or `nothing` when the service forgot an unchanged prefix. */
  readonly changed: PrefixPart['label'] | 'nothing';
  /** Position of the changed part among the messages, counted from 1. */
  readonly message: number | undefined;
}

/**
 * Compares the cached tokens of a turn with what the turn before it had put into the cache. Undefined when nothing is
 * reported, when the prefix is too short to count, or when nothing was lost.
 *
 * The prefix of the earlier request is counted in blocks of 256 tokens; half of it may be missing before it is a drop,
 * because reported counts are not exact (`field-notes.md`).
 */
export function findCacheDrop(earlier: Turn | undefined, turn: Turn): CacheDrop | undefined {
  const cachedTokens = turn.usage?.cachedTokens;
  const before = earlier?.usage?.promptTokens;
  if (earlier === undefined || cachedTokens === undefined || before === undefined) return undefined;
  if (earlier.request.routeName !== turn.request.routeName || before <= CACHE_THRESHOLD_TOKENS)
    return undefined;
  const expectedTokens = Math.floor(before / CACHE_BLOCK_TOKENS) * CACHE_BLOCK_TOKENS;
  if (cachedTokens >= expectedTokens / 2) return undefined;
  const at = earlier.request.prefix.findIndex((part, i) => part.hash !== turn.request.prefix[i]?.hash);
  const part = earlier.request.prefix[at];
  const first = earlier.request.prefix.findIndex(({ label }) => label === 'message');
  return {
    expectedTokens,
    cachedTokens,
    changed: part?.label ?? 'nothing',
    message: part?.label === 'message' ? at - first + 1 : undefined,
  };
}
