/** What a fault is: plain data, and a script of what the service does with its sockets. */
import type { NoticeCode } from '../../src/conversation/outcomes/notices.ts';
import type { Outcome } from '../../src/conversation/turn.ts';
import type { ServiceErrorKind } from '../../src/service/errors.ts';
import type { RouteKind, RouteNetwork } from '../../src/service/types.ts';
import type { Reply, Style } from './reply.ts';

/**
 * Where in a turn a fault comes: before a connection, before the headers, between them and the first event, in the
 * reasoning, the answer, or the arguments of a call, before the headers and in the answer after a tool has run, and after
 * the finish reason.
 */
export const PHASES = [
  'connecting',
  'first-byte',
  'headers',
  'reasoning',
  'answering',
  'arguments',
  'tool-first-byte',
  'tool-round',
  'after-finish',
] as const;
export type Phase = (typeof PHASES)[number];

/** The phases in which the service has the request, and nothing of the response has come. */
export const BEFORE_HEAD: readonly Phase[] = ['first-byte', 'tool-first-byte'];
/** The phases in which bytes of a 200 have arrived. */
export const IN_BODY: readonly Phase[] = [
  'headers',
  'reasoning',
  'answering',
  'arguments',
  'tool-round',
  'after-finish',
];
/** The phases in which a part of the text has arrived, and more is to come. */
export const IN_TEXT: readonly Phase[] = ['reasoning', 'answering', 'arguments', 'tool-round'];

export const ROUTES: readonly RouteKind[] = ['direct', 'gateway'];

export const TRANSPORTS = ['node', 'node-tls', 'undici', 'undici-tls', 'undici-h2'] as const;
export type TransportName = (typeof TRANSPORTS)[number];
/** Those that speak HTTP/1.1, whose bytes a script can write. */
export const HTTP1: readonly TransportName[] = ['node', 'node-tls', 'undici', 'undici-tls'];

/** One cell of the table. */
export interface Stage {
  readonly phase: Phase;
  readonly route: RouteKind;
  readonly transport: TransportName;
}

/** What must come of a turn, by the specification. */
export interface Expected {
  readonly outcome: Outcome;
  /** The kind of the failure; the first one is meant, and the others are as good. None: the turn has no failure. */
  readonly failure?: ServiceErrorKind | readonly ServiceErrorKind[];
  /** How many requests are sent for the round of the fault. 1 if not given. */
  readonly posts?: number;
  /** Notices besides the one of the outcome. */
  readonly also?: readonly NoticeCode[];
  /** What the title or text of the first notice says. Must be given for a failure. */
  readonly told?: RegExp;
  /** Milliseconds that the turn may last on top of its limits, for example in pauses. */
  readonly longer?: number;
}

/** Where the turn sends its request, when not to the service itself. */
export interface Detour {
  /** Replaces the host in the address of the route. */
  readonly host?: string;
  readonly port?: number;
  readonly network?: RouteNetwork;
  close?(): Promise<void>;
}

export interface Fault {
  readonly name: string;
  readonly phases: readonly Phase[];
  /** Both, if not given. */
  readonly routes?: readonly RouteKind[];
  /** All, if not given. */
  readonly transports?: readonly TransportName[];
  /** The turn waits until a limit ends it: that of the phase, or four times as long with keep-alives alone. */
  readonly waits?: 'limit' | 'kept-alive';
  /** The service doesn't notice when the client leaves, because it doesn't read. */
  readonly deaf?: true;
  /** No other row may be played at the same time: the fault concerns the whole process. */
  readonly alone?: true;
  /** Called after the turn, to end a fault that outlasts the service. */
  after?(): void;
  /** How the service writes its response. */
  style?(stage: Stage): Style;
  /** What the service does when the turn is in the phase. Without it, the fault is on the way to the service. */
  act?(reply: Reply, stage: Stage): Promise<void> | void;
  /** Another way to the service. */
  detour?(port: number, stage: Stage): Detour | Promise<Detour>;
  expected(stage: Stage): Expected;
}

/** A row of the table: one fault in one cell. */
export interface Row extends Stage {
  readonly fault: Fault;
}

export const nameOf = ({
  fault,
  phase,
  route,
  transport,
}: {
  readonly fault: Pick<Fault, 'name'>;
  readonly phase: string;
  readonly route: string;
  readonly transport: string;
}): string => `${fault.name} · ${phase} · ${route} · ${transport}`;

export function rowsOf(faults: readonly Fault[]): readonly Row[] {
  return faults.flatMap((fault) =>
    fault.phases.flatMap((phase) =>
      (fault.routes ?? ROUTES).flatMap((route) =>
        (fault.transports ?? TRANSPORTS).map((transport) => ({ fault, phase, route, transport })),
      ),
    ),
  );
}
