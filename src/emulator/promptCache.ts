/** The automatic prefix cache (R11): which part of a prompt is cached from earlier prompts of the same key. */
import { createHash } from 'node:crypto';
import { CACHE_BLOCK_TOKENS, CACHE_THRESHOLD_TOKENS } from '../service/limits.ts';
import type { CompletionRequest } from './completionRequest.ts';
import { type JsonObject, toList, toObject } from './json.ts';
import { countTokens, IMAGE_TOKENS, REQUEST_OVERHEAD_TOKENS } from './tokens.ts';

/** A part of a serialized prompt. Text can match partially, an image only completely. */
export interface Segment {
  readonly kind: 'text' | 'image';
  /** Only a hash of an image is kept, because each remembered prompt can have several images of many megabytes. */
  readonly text: string;
  readonly tokens: number;
}

/** The cached prompts of a key, newest last. */
export type PromptCache = readonly (readonly Segment[])[];

const REMEMBERED_PROMPTS = 32;

/** The prompt as bytes, in the order in which the model reads it: tools, then messages. */
export function toSegments(request: CompletionRequest): readonly Segment[] {
  const tools = request.tools.map((tool) => textSegment(JSON.stringify(tool.raw)));
  return [...tools, ...request.messages.flatMap(({ raw }) => toMessageSegments(raw))];
}

export function countPrompt(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + segment.tokens, REQUEST_OVERHEAD_TOKENS);
}

/**
 * Number of cached tokens of the prompt. Up to about a thousand tokens, only an identical prompt is cached, and then
 * completely; above that, the common prefix is cached in blocks of 256.
 */
export function countCached(cache: PromptCache, prompt: readonly Segment[]): number {
  const total = countPrompt(prompt);
  const longest = Math.max(0, ...cache.map((earlier) => countCommon(earlier, prompt)));
  if (longest > CACHE_THRESHOLD_TOKENS) return Math.floor(longest / CACHE_BLOCK_TOKENS) * CACHE_BLOCK_TOKENS;
  return longest === total && cache.some((earlier) => isSame(earlier, prompt)) ? total : 0;
}

export function rememberPrompt(cache: PromptCache, prompt: readonly Segment[]): PromptCache {
  const others = cache.filter((earlier) => !isSame(earlier, prompt));
  return [...others, prompt].slice(-REMEMBERED_PROMPTS);
}

/** Tokens of the common prefix of two prompts, byte for byte; 0 if the first byte differs. */
function countCommon(left: readonly Segment[], right: readonly Segment[]): number {
  let tokens = 0;
  for (const [index, mine] of right.entries()) {
    const theirs = left[index];
    if (theirs?.text === mine.text) {
      tokens += mine.tokens;
      continue;
    }
    if (theirs?.kind === 'text' && mine.kind === 'text') {
      tokens += countTokens(mine.text.slice(0, commonLength(theirs.text, mine.text)));
    }
    break;
  }
  return tokens === 0 ? 0 : tokens + REQUEST_OVERHEAD_TOKENS;
}

function isSame(left: readonly Segment[], right: readonly Segment[]): boolean {
  return left.length === right.length && right.every((segment, index) => segment.text === left[index]?.text);
}

function commonLength(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  for (let i = 0; i < end; i++) if (left[i] !== right[i]) return i;
  return end;
}

/** The fields of a message in the order in which they were sent: another order is another prefix. */
function toMessageSegments(raw: JsonObject): readonly Segment[] {
  return Object.entries(raw).flatMap(([field, value]) => {
    // A role has no tokens: it is part of the fixed overhead.
    if (field === 'role') return [{ kind: 'text', text: `\u0000${String(value)}`, tokens: 0 } as const];
    if (typeof value === 'string') return [textSegment(value)];
    if (field === 'content') return (toList(value) ?? []).map(toPartSegment);
    return value === null ? [] : [textSegment(JSON.stringify(value))];
  });
}

function toPartSegment(part: unknown): Segment {
  const object = toObject(part);
  const text = object?.['text'];
  if (typeof text === 'string') return textSegment(text);
  const hash = createHash('sha256').update(JSON.stringify(part)).digest('base64');
  return { kind: 'image', text: hash, tokens: IMAGE_TOKENS };
}

function textSegment(text: string): Segment {
  return { kind: 'text', text, tokens: countTokens(text) };
}
