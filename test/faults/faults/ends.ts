/** Connections and bodies that end in the middle. */
import { constants } from 'node:http2';
import type { StreamedEvent } from '../answer.ts';
import { BEFORE_HEAD, type Fault, HTTP1, IN_BODY, IN_TEXT } from '../fault.ts';
import { asSse, SSE_HEAD } from '../reply.ts';
import { COMPLETE, cut, failed, lost, silent } from './expect.ts';

const ANYWHERE = [...BEFORE_HEAD, ...IN_BODY];
const TLS = ['node-tls', 'undici-tls', 'undici-h2'] as const;
const GARBAGE = Buffer.from('\x00garbage, and no record of TLS\xff'.repeat(8), 'latin1');

/** With a finish reason, as some gateways send one with each chunk. */
function finished({ data, ...event }: StreamedEvent): StreamedEvent {
  const ended = JSON.stringify(data).replace('"finish_reason":null', '"finish_reason":"stop"');
  return { ...event, data: typeof data === 'string' ? data : JSON.parse(ended) };
}

export const ENDS: readonly Fault[] = [
  {
    name: 'reset',
    phases: ANYWHERE,
    async act(reply) {
      // A reset discards data that the client's system has not read yet.
      await reply.seen();
      reply.reset();
    },
    expected: lost,
  },
  { name: 'fin', phases: ANYWHERE, act: (reply) => reply.close(), expected: lost },
  {
    name: 'finish-with-each-fin',
    phases: IN_TEXT,
    style: () => ({ encode: (event) => asSse(finished(event)) }),
    act: (reply) => reply.close(),
    expected: lost,
  },
  { name: 'end-without-done', phases: IN_BODY, act: (reply) => reply.end(), expected: cut },
  {
    name: 'end-by-close',
    phases: IN_BODY,
    transports: HTTP1,
    style: () => ({ head: { framing: 'until-close' } }),
    act: (reply) => reply.end(),
    expected: cut,
  },
  {
    name: 'length-too-large',
    phases: IN_BODY,
    transports: HTTP1,
    style: () => ({ head: { framing: { length: 100_000 } } }),
    act: (reply) => reply.close(),
    expected: lost,
  },
  {
    name: 'no-chunk',
    phases: IN_BODY,
    transports: HTTP1,
    async act(reply) {
      await reply.seen();
      reply.socket.write('this is no length of a chunk\r\n');
    },
    expected: lost,
  },
  {
    name: 'tls-broken',
    phases: ANYWHERE,
    transports: TLS,
    async act(reply) {
      await reply.seen();
      reply.raw.write(GARBAGE);
    },
    expected: (stage) =>
      stage.phase === 'first-byte'
        ? failed(['connection-lost', 'unreachable'], /connection was lost|Couldn’t reach the service/)
        : stage.phase === 'tool-first-byte'
          ? { outcome: 'interrupted', failure: ['connection-lost', 'unreachable'], told: /interrupted/ }
          : lost(stage),
  },
  {
    name: 'fin-between-requests',
    phases: ['tool-round'],
    transports: HTTP1,
    // The service resets a connection when a second request arrives on it.
    act: (reply) => reply.finish(),
    expected: () => COMPLETE,
  },
];

export const DONES: readonly Fault[] = [
  {
    name: 'done-early',
    phases: IN_TEXT,
    async act(reply) {
      await reply.write('data: [DONE]\n\n');
      await reply.end();
    },
    expected: () => ({ outcome: 'interrupted', also: ['usage-missing'], told: /interrupted/ }),
  },
  {
    name: 'done-twice',
    phases: IN_BODY,
    async act(reply) {
      await reply.send(reply.rest);
      await reply.write('data: [DONE]\n\n');
      reply.over();
      await reply.end();
    },
    expected: () => COMPLETE,
  },
];

export const HTTP2: readonly Fault[] = [
  {
    name: 'goaway-graceful',
    phases: ANYWHERE,
    transports: ['undici-h2'],
    async act(reply) {
      reply.stream?.session?.goaway(constants.NGHTTP2_NO_ERROR);
      await reply.finish();
    },
    // RFC 9113, 6.8: running requests are answered to their end.
    expected: () => COMPLETE,
  },
  {
    name: 'goaway-and-silence',
    phases: ANYWHERE,
    transports: ['undici-h2'],
    waits: 'limit',
    act: (reply) => reply.stream?.session?.goaway(constants.NGHTTP2_NO_ERROR),
    expected: silent,
  },
  {
    name: 'goaway-and-close',
    phases: ANYWHERE,
    transports: ['undici-h2'],
    async act(reply) {
      await reply.seen();
      reply.stream?.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0);
      reply.raw.end();
    },
    expected: lost,
  },
  {
    name: 'rst-stream',
    phases: ANYWHERE,
    transports: ['undici-h2'],
    async act(reply) {
      await reply.seen();
      reply.stream?.close(constants.NGHTTP2_INTERNAL_ERROR);
    },
    // In undici, a body that is reset looks like a complete one.
    expected: (stage) => (BEFORE_HEAD.includes(stage.phase) ? lost(stage) : cut(stage)),
  },
  {
    name: 'refused-stream',
    phases: BEFORE_HEAD,
    transports: ['undici-h2'],
    act: (reply) => reply.stream?.close(constants.NGHTTP2_REFUSED_STREAM),
    expected: lost,
  },
];

export const INFORMATIONAL: readonly Fault[] = [
  {
    name: 'upgrade-101',
    phases: ['first-byte'],
    transports: HTTP1,
    act: (reply) =>
      void reply.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      ),
    expected: () => failed(['unknown', 'connection-lost'], /failed with status 101|connection was lost/),
  },
  {
    name: 'early-hints',
    phases: BEFORE_HEAD,
    transports: HTTP1,
    async act(reply) {
      reply.socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n');
      reply.head({ headers: SSE_HEAD });
      await reply.finish();
    },
    expected: () => COMPLETE,
  },
];
