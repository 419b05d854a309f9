/** Runs a turn with another service: the client, the run, and the fold, without the editor. */
import assert from 'node:assert/strict';
import { createTurn } from '../../../src/conversation/fold.ts';
import { runTurn } from '../../../src/conversation/runTurn.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { createClient } from '../../../src/service/client.ts';
import { nodeTransport } from '../../../src/service/nodeTransport.ts';
import { buildRequest } from '../../../src/service/request.ts';
import type { Transport } from '../../../src/service/transport.ts';
import type { Message, RouteKind } from '../../../src/service/types.ts';
import type { SilenceLimits } from '../../../src/service/watchdog.ts';

export interface Ask {
  /** Without the version prefix. */
  readonly url: string;
  /** A string is a question; an array is a conversation. */
  readonly messages: string | readonly Message[];
  readonly key?: string;
  /** By default the direct route. */
  readonly kind?: RouteKind;
  readonly model?: string;
  readonly transport?: Transport;
  readonly signal?: AbortSignal;
  /** Milliseconds of silence in any phase. */
  readonly silentMs?: number;
  /** Those of single phases. */
  readonly limits?: Partial<SilenceLimits>;
  /** Called with each state of the turn. */
  readonly onTurn?: (turn: Turn) => void;
}

export interface Asked {
  readonly turn: Turn;
  /** Milliseconds of each pause before a retry. The test doesn't wait for them. */
  readonly pauses: readonly number[];
}

export async function askTurn(ask: Ask): Promise<Asked> {
  const { url, key = 'a-key', kind = 'direct', model = 'svc-k3', silentMs = 20_000 } = ask;
  const messages: readonly Message[] =
    typeof ask.messages === 'string' ? [{ role: 'user', content: ask.messages }] : ask.messages;
  const pauses: number[] = [];
  const limits: SilenceLimits = {
    connecting: silentMs,
    'first-byte': silentMs,
    reasoning: silentMs,
    answering: silentMs,
    ...ask.limits,
  };
  const client = createClient({
    transport: ask.transport ?? nodeTransport,
    route: { name: 'r', kind, root: `${url}/v1`, origin: url, model },
    key,
    limits,
    random: () => 0,
    pause: async (ms) => void pauses.push(ms),
  });
  const built = buildRequest({ model, messages });
  assert.ok(built.ok);
  const facts = {
    routeName: 'r',
    routeKind: kind,
    model,
    maxCompletionTokens: undefined,
    clampedFrom: undefined,
    effort: undefined,
    prompt: undefined,
    prefix: '',
  } as const;
  let turn = createTurn('t', Date.now(), facts);
  const signal = ask.signal ?? new AbortController().signal;
  for await (const step of runTurn({ client, now: () => performance.now() }, turn, built.request, signal)) {
    turn = step.turn;
    ask.onTurn?.(turn);
  }
  return { turn, pauses };
}
