/** Reads the headers of a response: the id of the request, and when to send another one. */
import { MAX_PAUSE_MS } from './retry.ts';

/** Each header as one text, by its lower-case name. */
export function joinHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

/**
 * The milliseconds until the service wants the next request: the value of `retry-after-ms`, or of `retry-after` in seconds, as
 * another duration, or as a date; otherwise, the time until a used-up limit is reset. Never negative.
 *
 * @param clock epoch milliseconds on this machine, whose clock can be wrong. If the service sends its `date`, its times are
 * compared with that.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, clock: number): number | undefined {
  const sentAt = toTime(headers['date'] ?? '');
  const now = Number.isNaN(sentAt) ? clock : sentAt;
  const ms = Number(headers['retry-after-ms'] || Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  // Only the first value counts: a gateway can add its own to that of the service. A date has a comma, too, after its first word.
  const value = /^(?:[a-z]+,)?[^,]*/i.exec(headers['retry-after'] ?? '')?.[0];
  if (value === undefined || value.trim() === '') return limitResetMs(headers, now);
  const seconds = Number(value);
  if (seconds < EPOCH_SECONDS) return Math.max(0, seconds * 1000);
  const duration = toMs(value.trim(), now);
  if (duration !== undefined) return duration;
  const date = toTime(value);
  return Number.isNaN(date) ? limitResetMs(headers, now) : Math.max(0, date - now);
}

/** Epoch milliseconds. Times without a zone are in UTC (RFC 9110, 5.6.7), not in the zone of this machine. */
const toTime = (text: string): number =>
  Date.parse(/(?<![+-]\d\d:?\d)\d$/.test(text.trim()) ? `${text.trim()}Z` : text);

/** The same from the message of an error, if it is at most a minute. The headers can be missing. */
export function waitInWords(message: string, now: number): number | undefined {
  const [, time = ''] =
    /\b(?:try again|retry) (?:in|after) (\d{1,9}(?:\.\d{1,9})?(?: ?[a-z]{1,9})?(?:\d{1,9}[a-z]{1,9})?)/i.exec(
      message,
    ) ?? [];
  const ms = toMs(time, now);
  return ms !== undefined && ms <= MAX_PAUSE_MS ? ms : undefined;
}

/** The id under which the service knows the request. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['x-request-id'] ?? headers['x-trace-id'];
}

/** The suffixes of the limits in `x-ratelimit-*` headers. */
const LIMITS = ['', '-requests', '-tokens'] as const;

/**
 * The milliseconds until the used-up limits are reset, according to the `x-ratelimit-*` headers. Undefined if none is used up, or
 * if it takes over a minute: the headers have the time until a limit is fully available again, and a part of it may be enough.
 *
 * @param now epoch milliseconds
 */
function limitResetMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const waits = LIMITS.filter((limit) => /^0+$/.test(headers[`x-ratelimit-remaining${limit}`] ?? ''))
    .map((limit) => toMs(headers[`x-ratelimit-reset${limit}`] ?? '', now))
    .filter((ms) => ms !== undefined);
  const longest = waits.length === 0 ? undefined : Math.max(...waits);
  return longest !== undefined && longest <= MAX_PAUSE_MS ? longest : undefined;
}

const MS_OF_UNIT: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Units that are spelled out, with the space around them. */
const WORDS = / ?([hms])(?:ours?|inutes?|ins?|econds?|ecs?)\b ?/g;

/** From these values on, a number isn't a duration, but a time since 1970, in seconds or in milliseconds. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

/**
 * The milliseconds in a duration such as `6m0s` or `10 seconds`, in a number of seconds, or until a time since 1970. Never
 * negative.
 */
function toMs(value: string, now: number): number | undefined {
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
