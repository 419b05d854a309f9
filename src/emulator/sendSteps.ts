/** Performs steps on a socket, at the pace of a model. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Step, Steps } from './steps.ts';

export interface Pace {
  /** Infinity writes as fast as the client reads. */
  readonly tokensPerSecond: number;
}

/** How an exchange ended, seen from here. */
export type Ending = 'answered' | 'broken' | 'client-left';

/** Milliseconds that are not worth a timer. */
const SHORTEST_WAIT_MS = 4;

/** Milliseconds in which a client on this machine has read what was written. */
const ARRIVAL_MS = 20;

/**
 * Performs the steps in order. It ends early when the client goes away, which is no error: that is what Stop does.
 */
export async function sendSteps(response: ServerResponse, steps: Steps, pace: Pace): Promise<Ending> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  let due = performance.now();
  for (const step of steps) {
    if (gone.signal.aborted) return 'client-left';
    switch (step.type) {
      case 'head':
        response.writeHead(step.status, step.headers);
        // Headers leave at once, as a server that streams sends them.
        response.flushHeaders();
        break;
      case 'write':
        due = await waitUntil(due + (step.tokens / pace.tokensPerSecond) * 1000, gone.signal);
        await writeOut(response, step, gone.signal);
        break;
      case 'wait':
        due = await waitUntil(Math.max(due, performance.now()) + step.ms, gone.signal);
        break;
      case 'hang':
        if (!gone.signal.aborted) await once(gone.signal, 'abort');
        return 'client-left';
      case 'break':
        // What was written has arrived before the connection breaks.
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

/** Waits for a moment of `performance.now()`, or until the client goes away; returns the moment. */
async function waitUntil(due: number, signal: AbortSignal): Promise<number> {
  const ms = due - performance.now();
  if (ms > SHORTEST_WAIT_MS) await sleep(ms, undefined, { signal }).catch(ignoreAbort);
  return due;
}

async function writeOut(
  response: ServerResponse,
  step: Extract<Step, { type: 'write' }>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const hasRoom = response.write(step.bytes);
  // A turn of the loop for each write keeps writes apart on the wire and lets a Stop through.
  if (hasRoom) await nextTurn();
  else await once(response, 'drain', { signal }).catch(ignoreAbort);
}

/** The client went away, which ends every wait; who plays looks at the signal. */
function ignoreAbort(): void {}
