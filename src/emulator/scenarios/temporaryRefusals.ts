/**
 * Temporary refusals (E6, E8; docs/service.md, Errors). Some count the attempts per body: the first two attempts fail
 * and the third succeeds; then the count starts again.
 */

import { toErrorReply } from '../refusal.ts';
import { jsonReply, type Steps } from '../steps.ts';
import type { Exchange, Scenario } from './scenario.ts';

const FAILURES = 2;

interface Failure {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly headers?: () => Readonly<Record<string, string>>;
}

const RATE_LIMIT: Failure = {
  status: 429,
  type: 'rate_limit_reached_error',
  message: 'Rate limit exceeded: too many requests per minute',
};

export const TEMPORARY_REFUSALS: readonly Scenario[] = [
  {
    name: 'rate-limit',
    row: 'E6',
    title: '429 twice without Retry-After, then the answer',
    instead: twice(RATE_LIMIT),
  },
  {
    name: 'rate-limit-untyped',
    row: 'E6',
    title: '429 twice as documented, with a message and code null and no type, then the answer',
    instead: ({ attempt }) =>
      attempt > FAILURES
        ? undefined
        : jsonReply(429, { error: { message: 'Rate limit exceeded', code: null } }),
  },
  {
    name: 'rate-limit-seconds',
    row: 'E6',
    title: '429 twice with Retry-After: 1, then the answer',
    instead: twice({ ...RATE_LIMIT, headers: () => ({ 'retry-after': '1' }) }),
  },
  {
    name: 'rate-limit-ms',
    row: 'service.md: Errors',
    title: '429 twice with retry-after-ms and x-ratelimit-*, then the answer',
    instead: twice({
      ...RATE_LIMIT,
      headers: () => ({
        'retry-after-ms': '700',
        'x-ratelimit-limit-requests': '20',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '1s',
      }),
    }),
  },
  {
    name: 'rate-limit-date',
    row: 'E6',
    title: '429 twice with Retry-After as a date two seconds ahead, then the answer',
    instead: twice({
      ...RATE_LIMIT,
      headers: () => ({ 'retry-after': new Date(Date.now() + 2000).toUTCString() }),
    }),
  },
  {
    name: 'rate-limit-long',
    row: 'E6',
    title: '429 with Retry-After: 120, always',
    instead: always({ ...RATE_LIMIT, headers: () => ({ 'retry-after': '120' }) }),
  },
  {
    name: 'rate-limit-forever',
    row: 'E6',
    title: '429 without Retry-After, always',
    instead: always(RATE_LIMIT),
  },
  {
    name: 'engine-overloaded',
    row: 'service.md: Errors',
    title: '429 engine_overloaded_error twice, then the answer',
    instead: twice({
      status: 429,
      type: 'engine_overloaded_error',
      message: 'The engine is currently overloaded, please try again later',
    }),
  },
  {
    name: 'overloaded',
    row: 'E8',
    title: '503 twice, then the answer',
    instead: twice({ status: 503, type: 'server_error', message: 'No capacity at the moment' }),
  },
  {
    name: '500',
    row: 'service.md: Errors',
    title: '500, always',
    instead: always({ status: 500, type: 'server_error', message: 'Internal server error' }),
  },
  ...[502, 503, 504, 529].map(
    (status): Scenario => ({
      name: String(status),
      row: 'E8',
      title: `${status}, always`,
      instead: always({ status, type: 'server_error', message: 'No capacity at the moment' }),
    }),
  ),
];

function twice(failure: Failure): (exchange: Exchange) => Steps | undefined {
  return (exchange) => (exchange.attempt > FAILURES ? undefined : always(failure)(exchange));
}

function always({ status, type, message, headers }: Failure): (exchange: Exchange) => Steps {
  return ({ route }) => jsonReply(status, toErrorReply(route, status, type, message).body, headers?.() ?? {});
}
