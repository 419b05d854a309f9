/** Connections on which no data, only signs of life, or slow data arrive. */
import { setTimeout as pause } from 'node:timers/promises';
import { BEFORE_HEAD, type Fault, HTTP1, IN_BODY } from '../fault.ts';
import type { Reply } from '../reply.ts';
import { COMPLETE, silent } from './expect.ts';

const EVERY_MS = 15;

/** Writes something again and again, until the client leaves. */
async function forever(reply: Reply, write: () => unknown): Promise<void> {
  while (!reply.raw.destroyed && !reply.raw.readableEnded && reply.stream?.destroyed !== true) {
    await write();
    await pause(EVERY_MS);
  }
}

const keptAlive = (name: string, event: string): Fault => ({
  name,
  phases: IN_BODY,
  waits: 'kept-alive',
  act: (reply) => forever(reply, () => reply.write(event)),
  expected: (stage) => silent(stage, 'made no progress'),
});

export const SILENCES: readonly Fault[] = [
  {
    name: 'stall',
    phases: [...BEFORE_HEAD, ...IN_BODY],
    waits: 'limit',
    act: () => undefined,
    expected: silent,
  },
  {
    name: 'half-open',
    phases: [...BEFORE_HEAD, ...IN_BODY],
    waits: 'limit',
    deaf: true,
    // The other side has silently disappeared: it reads nothing, and doesn't notice that the client closes the connection.
    act: (reply) => void reply.raw.pause(),
    expected: silent,
  },
  keptAlive('endless-comments', ': PROCESSING\n\n'),
  keptAlive('endless-empty-deltas', 'data: {"choices":[{"index":0,"delta":{}}]}\n\n'),
  keptAlive('endless-pings', 'event: ping\ndata: {}\n\n'),
  {
    name: 'endless-head',
    phases: BEFORE_HEAD,
    transports: HTTP1,
    waits: 'limit',
    act(reply) {
      reply.socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      return forever(reply, () => reply.socket.write('x'));
    },
    expected: silent,
  },
  {
    name: 'slow-head',
    phases: BEFORE_HEAD,
    transports: HTTP1,
    async act(reply) {
      for (const piece of [
        'HTTP/1.1 20',
        '0 OK\r\ncontent-type: text/ev',
        'ent-stream\r\nconnection: close\r',
        '\n\r\n',
      ]) {
        reply.socket.write(piece);
        await pause(10);
      }
      for (const event of reply.rest) reply.socket.write(`data: ${dataOf(event.data)}\n\n`);
      reply.note(reply.rest);
      reply.close();
    },
    expected: () => COMPLETE,
  },
  {
    name: 'slow-body',
    phases: IN_BODY,
    async act(reply) {
      for (const event of reply.rest) {
        await reply.send([event]);
        await pause(5);
      }
      reply.over();
      await reply.end();
    },
    expected: () => COMPLETE,
  },
  {
    name: 'comments-between',
    phases: IN_BODY,
    async act(reply) {
      for (const event of reply.rest) {
        await reply.write(': PROCESSING\n\n');
        await reply.send([event]);
      }
      reply.over();
      await reply.end();
    },
    expected: () => COMPLETE,
  },
];

const dataOf = (data: object | string) => (typeof data === 'string' ? data : JSON.stringify(data));
