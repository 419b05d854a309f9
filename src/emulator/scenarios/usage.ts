/** Usage in other places, with other names, or missing (Q10, E10, F6; docs/service.md, Usage). */
import type { Frame } from '../frames.ts';
import { type JsonObject, toList, toObject } from '../json.ts';
import type { Scenario } from './scenario.ts';
import { withFields } from './scenarioParts.ts';

export const USAGE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'no-usage',
    row: 'E10, F6, Q10',
    title: 'The stream ends without usage although it was asked for',
    frames: (frames) => frames.filter(({ phase }) => phase !== 'usage'),
  },
  {
    name: 'zero-usage',
    row: 'F6',
    title: 'Every figure of the usage is 0',
    reply: (reply) => ({
      ...reply,
      usage: { promptTokens: 0, cachedTokens: 0, reasoningTokens: 0, completionTokens: 0 },
    }),
  },
  {
    name: 'zero-total',
    row: 'F6',
    title: 'The total of the usage is 0, the other figures are right',
    frames: (frames) => changeUsage(frames, (usage) => ({ ...usage, total_tokens: 0 })),
  },
  {
    name: 'no-total',
    row: 'F6',
    title: 'The usage has no total',
    frames: (frames) => changeUsage(frames, ({ total_tokens: _total, ...usage }) => usage),
  },
  {
    name: 'usage-in-choice',
    row: 'service.md: Stream order',
    title: 'Usage stands in choices[0] of the last chunk, and nowhere else',
    frames: (frames) => moveUsage(frames).filter(({ phase }) => phase !== 'usage'),
  },
  {
    name: 'usage-twice',
    row: 'service.md: Stream order',
    title: 'Usage comes in choices[0] and again at top level; it counts once',
    frames: moveUsage,
  },
  {
    name: 'usage-running',
    row: 'service.md: Stream order',
    title: 'Every chunk carries usage so far; the last one wins',
    frames: (frames) => {
      const usage = usageOf(frames);
      return frames.map((frame) =>
        frame.phase === 'usage' || usage === undefined
          ? frame
          : withFields(frame, { usage: { ...usage, completion_tokens: 1, total_tokens: 1 } }),
      );
    },
  },
  {
    name: 'cached-top-level',
    row: 'service.md: Usage',
    title: 'Cached tokens as top-level `cached_tokens`',
    frames: (frames) =>
      changeUsage(frames, ({ prompt_tokens_details: details, ...usage }) => ({
        ...usage,
        cached_tokens: toObject(details)?.['cached_tokens'],
      })),
  },
  {
    name: 'cached-hit-miss',
    row: 'service.md: Usage',
    title: 'Cached tokens as `prompt_cache_hit_tokens` and `prompt_cache_miss_tokens`',
    frames: (frames) =>
      changeUsage(frames, ({ prompt_tokens_details: details, ...usage }) => {
        const hit = Number(toObject(details)?.['cached_tokens'] ?? 0);
        return {
          ...usage,
          prompt_cache_hit_tokens: hit,
          prompt_cache_miss_tokens: Number(usage['prompt_tokens']) - hit,
        };
      }),
  },
  {
    name: 'usage-as-text',
    row: 'service.md: Usage',
    title: 'Every number of the usage is written as text',
    frames: (frames) => changeUsage(frames, toTexts),
  },
  {
    name: 'odd-counts',
    row: 'service.md: Usage',
    title: 'Cached tokens that are no multiple of 256, reasoning tokens one above completion tokens',
    reply: (reply) => ({
      ...reply,
      usage: {
        ...reply.usage,
        cachedTokens: Math.min(77, reply.usage.promptTokens),
        reasoningTokens: reply.usage.completionTokens + 1,
      },
    }),
  },
];

function usageOf(frames: readonly Frame[]): JsonObject | undefined {
  return toObject(frames.find(({ phase }) => phase === 'usage')?.chunk['usage']);
}

function changeUsage(frames: readonly Frame[], change: (usage: JsonObject) => JsonObject): readonly Frame[] {
  const usage = usageOf(frames);
  if (usage === undefined) return frames;
  return frames.map((frame) =>
    frame.phase === 'usage' ? withFields(frame, { usage: change(usage) }) : frame,
  );
}

function toTexts(usage: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]) => {
      const parts = toObject(value);
      return [name, parts === undefined ? String(value) : toTexts(parts)];
    }),
  );
}

/** Also adds the usage to the choice of the frame with the finish reason. */
function moveUsage(frames: readonly Frame[]): readonly Frame[] {
  const usage = usageOf(frames);
  if (usage === undefined) return frames;
  return frames.map((frame) => {
    if (frame.phase !== 'finish') return frame;
    const choices = (toList(frame.chunk['choices']) ?? []).map((choice) => ({ ...toObject(choice), usage }));
    return withFields(frame, { choices });
  });
}
