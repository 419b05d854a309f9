import { MAX_PAUSE_MS } from './retry.ts';

/** The limits that headers name, each with what remains of it and when it starts anew. */
const LIMITS = ['', '-requests', '-tokens'] as const;

/**
 * Milliseconds until the limits that are used up start anew, by the `x-ratelimit-*` headers. Undefined if none is used up,
 * and if it takes over a minute: that is the time until a limit is whole again, and a part of it can be enough.
 *
 * @param now epoch milliseconds
 */
export function limitResetMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const waits = LIMITS.filter((limit) => /^0+$/.test(headers[`x-ratelimit-remaining${limit}`] ?? ''))
    .map((limit) => toMs(headers[`x-ratelimit-reset${limit}`] ?? '', now))
    .filter((ms) => ms !== undefined);
  const longest = waits.length === 0 ? undefined : Math.max(...waits);
  return longest !== undefined && longest <= MAX_PAUSE_MS ? longest : undefined;
}

const MS_OF_UNIT: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Units that are written out, with the space around them. */
const WORDS = / ?([hms])(?:ours?|inutes?|ins?|econds?|ecs?)\b ?/g;

/** From here on, a number is not a duration but a time, in seconds or in milliseconds since 1970. */
const [EPOCH_SECONDS, EPOCH_MS] = [1e9, 1e12];

/** A duration such as `6m0s` or `10 seconds`, a number of seconds, or a time. Never negative. */
export function toMs(value: string, now: number): number | undefined {
  if (/^\d{1,15}(\.\d{1,9})?$/.test(value)) {
    const number = Number(value);
    if (number >= EPOCH_MS) return Math.max(0, number - now);
    return number >= EPOCH_SECONDS ? Math.max(0, number * 1000 - now) : number * 1000;
  }
  const short = value.toLowerCase().replace(WORDS, '$1');
  const parts = [...short.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|[hms])/g)];
  if (value === '' || parts.map(([part]) => part).join('') !== short) return undefined;
  return parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (MS_OF_UNIT[unit] ?? 0), 0);
}
