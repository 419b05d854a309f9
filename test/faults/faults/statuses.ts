/** Responses with another status than 200, and responses with 200 that are no completion. */
import type { RouteKind } from '../../../src/service/types.ts';
import { BEFORE_HEAD, type Expected, type Fault, HTTP1, type Stage } from '../fault.ts';
import type { Reply } from '../reply.ts';
import { COMPLETE, failed } from './expect.ts';

interface ErrorBody {
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly did_you_mean?: string;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly contentType?: string;
}

/** A gateway has `code` in every error, which is null if no code applies. */
const errorOf = (route: RouteKind, error: ErrorBody) =>
  JSON.stringify({
    error: route === 'direct' || error.code !== undefined ? error : { ...error, code: null },
  });

async function answer(reply: Reply, { status, headers, body, contentType = 'application/json' }: Answer) {
  reply.head({ status, headers: { 'content-type': contentType, ...headers } });
  await reply.write(body);
  await reply.end();
}

type Told = readonly [failure: NonNullable<Expected['failure']>, told: RegExp];

/** A status with an error. `posts` is how often the request is sent; with `then`, that many are refused. */
interface Status {
  readonly name: string;
  readonly status: number;
  readonly error: ErrorBody | ((route: RouteKind) => ErrorBody);
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  readonly told: Told;
  readonly posts?: number;
  readonly longer?: number;
  readonly routes?: readonly RouteKind[];
}

const toFault = ({ name, status, error, headers, told, posts = 1, longer, routes }: Status): Fault => ({
  name,
  phases: BEFORE_HEAD,
  ...(routes && { routes }),
  act: (reply, { route }) =>
    answer(reply, {
      status,
      headers: (typeof headers === 'function' ? headers() : headers) ?? {},
      body: errorOf(route, typeof error === 'function' ? error(route) : error),
    }),
  expected: () => failed(told[0], told[1], { posts, ...(longer !== undefined && { longer }) }),
});

const RATE: ErrorBody = { message: 'Rate limit exceeded' };
const INVALID = 'invalid_request_error';
const serverError = (status: number, told: Told): Status => ({
  name: `status-${status}`,
  status,
  error: { message: 'Something failed', type: 'server_error' },
  told,
  posts: 3,
});
const OVERLOADED: Told = ['overloaded', /service is overloaded/];

const STATUSES: readonly Status[] = [
  {
    name: 'status-400',
    status: 400,
    error: { message: 'No', type: INVALID },
    told: ['invalid-request', /rejected the request/],
  },
  {
    name: 'status-401',
    status: 401,
    error: (route) => ({
      message: route === 'direct' ? 'Invalid Authentication' : 'This key is not known to the gateway',
      type: 'invalid_authentication_error',
    }),
    told: ['bad-key', /API key was not accepted.*its own route/s],
  },
  {
    name: 'status-403',
    status: 403,
    error: { message: 'Not yours', type: 'permission_denied_error' },
    told: ['access-denied', /Access denied/],
  },
  {
    name: 'status-404-direct',
    status: 404,
    routes: ['direct'],
    error: { message: 'Not found the model svc-k3 or Permission denied', type: 'resource_not_found_error' },
    told: ['model-unavailable', /is not available.*doesn’t say which/s],
  },
  {
    name: 'status-404-gateway',
    status: 404,
    routes: ['gateway'],
    error: { message: 'This error is permanent', code: 'model_not_found', did_you_mean: 'vendor/svc-k3' },
    told: ['model-unknown', /gateway suggests “vendor\/svc-k3”/],
  },
  {
    name: 'status-408',
    status: 408,
    error: { message: 'Too slow' },
    told: ['server-failed', /service failed/],
  },
  {
    name: 'status-409',
    status: 409,
    error: { message: 'Conflict' },
    told: ['unknown', /failed with status 409/],
  },
  {
    name: 'status-413',
    status: 413,
    error: { message: 'Large' },
    told: ['too-large', /request is too large/],
  },
  {
    name: 'status-407',
    status: 407,
    error: { message: 'Who?' },
    told: ['proxy-refused', /proxy requires a user name and password/],
  },
  {
    name: 'status-429-balance',
    status: 429,
    error: { message: 'You exceeded your current quota', type: 'exceeded_current_quota_error' },
    told: ['no-balance', /no balance/],
  },
  {
    name: 'status-402',
    status: 402,
    error: { message: 'Insufficient balance' },
    told: ['no-balance', /no balance/],
  },
  { name: 'status-429', status: 429, error: RATE, told: ['rate-limited', /Too many requests/], posts: 3 },
  {
    name: 'status-429-seconds',
    status: 429,
    error: RATE,
    headers: { 'retry-after': '0.2' },
    told: ['rate-limited', /Too many requests/],
    posts: 3,
    longer: 400,
  },
  {
    name: 'status-429-date',
    status: 429,
    error: RATE,
    headers: () => ({ 'retry-after': new Date(Date.now() + 1000).toUTCString() }),
    told: ['rate-limited', /Too many requests/],
    posts: 3,
    longer: 2000,
  },
  {
    name: 'status-429-two-minutes',
    status: 429,
    error: RATE,
    headers: { 'retry-after': '120' },
    told: ['rate-limited', /wait 120 s/],
  },
  serverError(500, ['server-failed', /service failed/]),
  ...[502, 503, 504, 529].map((status) => serverError(status, OVERLOADED)),
];

/** Refused once or twice, and then answered. */
const then = (name: string, times: number, status: number): Fault => ({
  name,
  phases: BEFORE_HEAD,
  act: (reply, { route }) =>
    reply.post <= times
      ? answer(reply, { status, body: errorOf(route, status === 429 ? RATE : { message: 'Busy' }) })
      : reply.finish(),
  expected: () => ({ ...COMPLETE, posts: times + 1 }),
});

const plain = (name: string, response: Answer, told: Told): Fault => ({
  name,
  phases: BEFORE_HEAD,
  act: (reply) => answer(reply, response),
  expected: () => failed(...told),
});

const HTML = '<!doctype html><title>Sign in</title>';
const NO_COMPLETION: Told = ['not-a-completion', /Unexpected server response.*a web page/s];

export const REFUSALS: readonly Fault[] = [
  ...STATUSES.map(toFault),
  then('status-429-then-answer', 1, 429),
  then('status-503-twice-then-answer', 2, 503),
  then('status-500-then-answer', 1, 500),
  plain('status-404-html', { status: 404, body: HTML, contentType: 'text/html' }, [
    'not-found',
    /was not found at this address/,
  ]),
  plain('status-307', { status: 307, headers: { location: 'http://127.0.0.1:9/v1' }, body: 'Moved' }, [
    'redirected',
    /redirects to http:\/\/127\.0\.0\.1:9\/v1.*not followed/s,
  ]),
  plain('200-html', { status: 200, body: HTML, contentType: 'text/html' }, NO_COMPLETION),
  plain('200-html-as-stream', { status: 200, body: HTML, contentType: 'text/event-stream' }, NO_COMPLETION),
  plain(
    '200-error',
    { status: 200, body: JSON.stringify({ error: { message: 'Broken', type: 'server_error' } }) },
    ['server-failed', /reported an error/],
  ),
  plain('200-empty', { status: 200, body: '' }, ['not-a-completion', /Unexpected server response.*empty/s]),
  {
    name: '200-json',
    phases: BEFORE_HEAD,
    act: answerWhole,
    expected: () => COMPLETE,
  },
  {
    name: '200-json-cut',
    phases: BEFORE_HEAD,
    act: (reply) => answerWhole(reply, 60),
    expected: ({ phase }) =>
      phase === 'first-byte'
        ? failed('not-a-completion', /Unexpected server response/)
        : failed('not-a-completion', /Unexpected server response/),
  },
];

/** One JSON body instead of a stream. */
async function answerWhole(reply: Reply, length?: number | Stage): Promise<void> {
  const text = reply.rest.map((event) => event.text);
  const message = {
    role: 'assistant',
    reasoning_content: text.map(({ reasoning }) => reasoning).join(''),
    content: text.map(({ answer: piece }) => piece).join(''),
  };
  const choices = [{ index: 0, finish_reason: 'stop', message }];
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  const body = JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'svc-k3',
    choices,
    usage,
  });
  if (typeof length === 'number') return answer(reply, { status: 200, body: body.slice(0, length) });
  reply.note(reply.rest);
  return answer(reply, { status: 200, body });
}

export const BROKEN_HEADS: readonly Fault[] = [
  {
    name: 'not-http',
    phases: BEFORE_HEAD,
    transports: HTTP1,
    act: (reply) => void reply.socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
    expected: ({ phase }) =>
      phase === 'first-byte'
        ? failed('connection-lost', /connection was lost/)
        : { outcome: 'interrupted', failure: 'connection-lost', told: /interrupted/ },
  },
  {
    name: 'head-too-large',
    phases: BEFORE_HEAD,
    transports: HTTP1,
    act: (reply) => void reply.socket.write(`HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(100_000)}\r\n\r\n`),
    expected: ({ phase }) =>
      phase === 'first-byte'
        ? failed('connection-lost', /connection was lost/)
        : { outcome: 'interrupted', failure: 'connection-lost', told: /interrupted/ },
  },
  {
    name: 'error-body-stalls',
    phases: BEFORE_HEAD,
    async act(reply) {
      reply.head({ status: 401, headers: { 'content-type': 'application/json' } });
      await reply.write('{"error":{"mess');
    },
    // The status is enough, after the time in which an error is read.
    expected: () => failed('bad-key', /API key was not accepted/, { longer: 150 }),
  },
  {
    name: 'error-body-cut',
    phases: BEFORE_HEAD,
    async act(reply) {
      reply.head({ status: 403, headers: { 'content-type': 'application/json' } });
      await reply.write('{"error":{"mess');
      reply.close();
    },
    expected: () => failed('access-denied', /Access denied/),
  },
];
