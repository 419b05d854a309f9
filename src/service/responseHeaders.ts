/** The headers of a response, and what they say about the request: its id, and when to send another one. */
import { MAX_PAUSE_MS } from './retry.ts';

/** Each header as one text, by its name in lower case. */
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
 * Milliseconds until the service wants the next request: the value of `retry-after-ms`, or of `retry-after` in seconds,
 * as another duration, or as a date; otherwise, when a limit that is used up starts anew. Never negative.
 *
 * @param clock epoch milliseconds on this machine, whose clock can be wrong. A time of the service is compared with its own `date`.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, clock: number): number | undefined {
  const sentAt = toTime(headers['date'] ?? '');
  const now = Number.isNaN(sentAt) ? clock : sentAt;
  const ms = Number(headers['retry-after-ms'] || Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  // A gateway can add its own to that of the service. A date has a comma, too, behind its first word.
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

/** The same as an error says in its words, if it is at most a minute: the headers can be missing. */
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

/** The limits that headers name, each with what remains of it and when it starts anew. */
const LIMITS = ['', '-requests', '-tokens'] as const;

/**
 * Milliseconds until the limits that are used up start anew, by the `x-ratelimit-*` headers. Undefined if none is used up,
 * and if it takes over a minute: that is the time until a limit is whole again, and a part of it can be enough.
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

/** Units that are written out, with the space around them. */
const WORDS = / ?([hms])(?:ours?|inutes?|ins?|econds?|ecs?)\b ?/g;

/** From here on, a number is not a duration but a time, in seconds or in milliseconds since 1970. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

/** A duration such as `6m0s` or `10 seconds`, a number of seconds, or a time. Never negative. */
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
