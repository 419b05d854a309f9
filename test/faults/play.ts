/** Runs one row: asks a question whose answer has the fault, once to the end, and once stopped in the fault. */
import { setTimeout as pause } from 'node:timers/promises';
import { responsesOf } from '../../src/conversation/rounds.ts';
import type { Toolbox } from '../../src/conversation/toolCalls/tools.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import type { Transport } from '../../src/service/transport.ts';
import type { SilenceLimits } from '../../src/service/watchdog.ts';
import type { Authority } from '../unit/service/authority.ts';
import { type Text, TOOL } from './answer.ts';
import { nameOf, type Phase, type Row } from './fault.ts';
import { ownNow, ownPause } from './ownTime.ts';
import type { Ledger } from './reply.ts';
import { type Service, startService } from './service.ts';
import { type Told, toldBy } from './told.ts';
import { transportOf } from './transports.ts';
import type { Window } from './window.ts';

/** The result of one question. */
export interface Played {
  readonly turn: Turn | undefined;
  readonly ends: number;
  readonly text: Text;
  readonly ledger: Ledger;
  /** Milliseconds from the fault, or from the stop, to the end of the turn. */
  readonly lasted: number;
  readonly account: readonly string[];
  /** The text in the database. */
  readonly stored: { readonly text: Text; readonly outcome: string | undefined };
  readonly told: readonly Told[];
  /** Connections that were open a while after the turn had ended. */
  readonly open: number;
  /** Whether the machine was so busy that it may have caused the result. */
  readonly starved: boolean;
}

export interface PlayDeps {
  readonly window: Window;
  readonly authority: Authority;
  /** Breaks the client, to test the harness. */
  readonly breakTransport?: ((send: Transport) => Transport) | undefined;
}

/** The limit of the phase in which a row waits, and the limit of every other phase, in milliseconds. */
export const LIMIT = 400;
const WIDE = 5000;
/** The time after the beginning of a fault at which a waiting turn is stopped, in milliseconds. */
const STOP_AFTER = 30;
/** If the process can't run for this time, in milliseconds, a limit can end a turn before its fault. */
const STARVED = 300;
/** A turn that lasts longer counts as one that doesn't end. */
const PATIENCE = 8000;
const FIRST_PAUSE = 20;

export const textOf = (turn: Turn): Text => {
  const all = responsesOf(turn);
  return {
    reasoning: all.map(({ reasoning }) => reasoning).join(''),
    answer: all.map(({ answer }) => answer).join(''),
    calls: all.flatMap(({ toolCalls }) => toolCalls.map((call) => call.arguments)).join(''),
  };
};

let count = 0;

export async function playTurn(row: Row, stops: boolean, deps: PlayDeps): Promise<Played> {
  const { window, authority, breakTransport } = deps;
  const { fault, phase, route } = row;
  const id = `${++count} ${nameOf(row)}`;
  const user = new AbortController();
  let shown: Turn | undefined;
  let stoppedAt: number | undefined;
  const stop = () => {
    stoppedAt ??= ownNow();
    user.abort();
  };
  const onFault = () => {
    if (!stops) return;
    if (fault.waits === undefined) stop();
    else setTimeout(stop, STOP_AFTER);
  };
  const service = await startService({
    ...row,
    authority,
    onFault,
    seen: (ledger) => untilSeen(ledger, () => shown),
  });
  const detour = await fault.detour?.(service.port, row);
  const { send, scheme, close } = transportOf(row.transport, authority, detour?.network);
  const origin = `${scheme}://${detour?.host ?? '127.0.0.1'}:${detour?.port ?? service.port}`;
  const begunAt = ownNow();
  if (fault.detour !== undefined) onFault();
  const asked = window.ask({
    id,
    route: { name: route, kind: route, root: `${origin}/v1`, origin, model: 'svc-k3' },
    transport: breakTransport === undefined ? send : breakTransport(send),
    limits: limitsOf(phase, () => (fault.waits === undefined || stops || !service.inRound() ? WIDE : LIMIT)),
    toolbox: TOOLBOX,
    signal: user.signal,
    onTurn(turn) {
      shown = turn;
    },
  });
  const wallAt = performance.now();
  const ownAt = ownNow();
  const late = new AbortController();
  const ended = await Promise.race([asked, ownPause(PATIENCE, late.signal).then(() => undefined)]);
  late.abort();
  fault.after?.();
  const withheld = performance.now() - wallAt - (ownNow() - ownAt);
  const open = await openAfter(service, fault.deaf === true);
  await Promise.all([close(), detour?.close?.()]);
  await service.close();
  const turn = ended?.turn ?? shown;
  const { faultAt, lastAt } = service.ledger;
  const begun = stoppedAt ?? (fault.waits === undefined ? lastAt : faultAt) ?? begunAt;
  return {
    turn,
    ends: ended?.ends ?? 0,
    text: turn === undefined ? { reasoning: '', answer: '', calls: '' } : textOf(turn),
    ledger: service.ledger,
    lasted: (ended?.at ?? ownNow()) - begun,
    account: window.account(id),
    stored: storedOf(window, id),
    told: turn === undefined ? [] : await toldBy(turn),
    open,
    starved:
      withheld > STARVED || (fault.waits !== undefined && fault.act !== undefined && faultAt === undefined),
  };
}

const TOOLBOX: Toolbox = {
  definitions: [
    {
      name: TOOL,
      description: 'Looks.',
      parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
      source: 'k3',
    },
  ],
  run: async () => ({ text: 'seen' }),
};

/** Only the phase of the fault has a short limit, and only in the round of the fault, if the turn waits for it. */
function limitsOf(phase: Phase, limit: () => number): SilenceLimits {
  const wide = {
    connecting: WIDE,
    'first-byte': WIDE,
    reasoning: WIDE,
    answering: WIDE,
    afterFinish: WIDE,
    errorBody: LIMIT,
    firstPause: FIRST_PAUSE,
  };
  return Object.defineProperty(wide, LIMIT_OF[phase], { get: limit });
}

const LIMIT_OF: Readonly<Record<Phase, keyof SilenceLimits>> = {
  connecting: 'connecting',
  'first-byte': 'first-byte',
  headers: 'first-byte',
  reasoning: 'reasoning',
  answering: 'answering',
  arguments: 'answering',
  'tool-first-byte': 'first-byte',
  'tool-round': 'answering',
  'after-finish': 'afterFinish',
};

async function untilSeen(ledger: Ledger, shown: () => Turn | undefined): Promise<void> {
  const until = ownNow() + 2000;
  const has = (turn: Turn | undefined) => {
    const { reasoning = '', answer = '', calls = '' } = turn === undefined ? {} : textOf(turn);
    const { text } = ledger;
    return (
      reasoning.length + answer.length + calls.length >=
      text.reasoning.length + text.answer.length + text.calls.length
    );
  };
  while (!has(shown()) && ownNow() < until) await pause(2);
}

async function openAfter(service: Service, deaf: boolean): Promise<number> {
  if (deaf) return 0;
  for (let waited = 0; waited < 100 && service.open() > 0; waited++) await pause(5);
  return service.open();
}

function storedOf(window: Window, id: string): Played['stored'] {
  const turn = window.stored(id)?.exchanges[0]?.attempts[0];
  return turn === undefined
    ? { text: { reasoning: '', answer: '', calls: '' }, outcome: undefined }
    : { text: textOf(turn), outcome: turn.outcome };
}
