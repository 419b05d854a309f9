/** Sends steps over a connection, at the pace of a model. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ReplyStep, Steps } from './steps.ts';

export interface Pace {
  /** Infinity sends as fast as the client reads. */
  readonly tokensPerSecond: number;
}

/** How an exchange ended for the server. */
export type Ending = 'answered' | 'broken' | 'client-left';

/** Shorter waits, in milliseconds, are skipped. */
const SHORTEST_WAIT_MS = 4;

/** Milliseconds after which a local client has read what was sent. */
const ARRIVAL_MS = 20;

/**
 * Sends the steps in order. Ends early when the client closes the connection, which is not an error: Stop does that.
 */
export async function sendSteps(response: ServerResponse, steps: Steps, pace: Pace): Promise<Ending> {
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  let due = performance.now();
  for (const step of steps) {
    if (disconnected.signal.aborted) return 'client-left';
    switch (step.type) {
      case 'head':
        response.writeHead(step.status, step.headers);
        // Send headers immediately, as a streaming server does.
        response.flushHeaders();
        break;
      case 'write':
        due = await waitUntil(due + (step.tokens / pace.tokensPerSecond) * 1000, disconnected.signal);
        await writeOut(response, step, disconnected.signal);
        break;
      case 'wait':
        due = await waitUntil(Math.max(due, performance.now()) + step.ms, disconnected.signal);
        break;
      case 'hang':
        if (!disconnected.signal.aborted) await once(disconnected.signal, 'abort');
        return 'client-left';
      case 'break':
        // Wait until the client has received what was written.
        await sleep(ARRIVAL_MS);
        if (step.how === 'reset') response.socket?.resetAndDestroy();
        else response.socket?.destroySoon();
        return 'broken';
      case 'end':
        response.end();
        return 'answered';
    }
  }
  response.end();
  return 'answered';
}

/** Waits until a time of `performance.now()`, or until the client disconnects; returns the time. */
async function waitUntil(due: number, signal: AbortSignal): Promise<number> {
  const ms = due - performance.now();
  if (ms > SHORTEST_WAIT_MS) await sleep(ms, undefined, { signal }).catch(ignoreAbort);
  return due;
}

async function writeOut(
  response: ServerResponse,
  step: Extract<ReplyStep, { type: 'write' }>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const hasRoom = response.write(step.bytes);
  // Yielding after each write keeps writes separate on the wire and allows the client to stop.
  if (hasRoom) await nextTurn();
  else await once(response, 'drain', { signal }).catch(ignoreAbort);
}

/** The client disconnected, which ends every wait; the caller checks the signal. */
function ignoreAbort(): void {}
