/** The type of a fault: plain data, and a script for the sockets of the service. */
import type { NoticeCode } from '../../src/conversation/outcomes/notices.ts';
import type { Outcome } from '../../src/conversation/turn.ts';
import type { ServiceErrorKind } from '../../src/service/errors.ts';
import type { RouteKind, RouteNetwork } from '../../src/service/types.ts';
import type { Reply, Style } from './reply.ts';

/**
 * The place of a fault in a turn: before a connection, before the headers, between them and the first event, in the
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

/** The phases in which the service has the request, and no part of the response has arrived. */
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
/** The phases in which a part of the text has arrived, and more text follows. */
export const IN_TEXT: readonly Phase[] = ['reasoning', 'answering', 'arguments', 'tool-round'];

export const ROUTES: readonly RouteKind[] = ['direct', 'gateway'];

export const TRANSPORTS = ['node', 'node-tls', 'undici', 'undici-tls', 'undici-h2'] as const;
export type TransportName = (typeof TRANSPORTS)[number];
/** The transports with HTTP/1.1, whose bytes a script can write. */
export const HTTP1: readonly TransportName[] = ['node', 'node-tls', 'undici', 'undici-tls'];

/** One cell of the table. */
export interface Stage {
  readonly phase: Phase;
  readonly route: RouteKind;
  readonly transport: TransportName;
}

/** The required result of a turn, according to the specification. */
export interface Expected {
  readonly outcome: Outcome;
  /** The kind of the failure: the first kind is expected, and the others are also allowed. Without kinds, the turn has no failure. */
  readonly failure?: ServiceErrorKind | readonly ServiceErrorKind[];
  /** The number of requests for the round of the fault. 1 if not given. */
  readonly posts?: number;
  /** Notices besides the one of the outcome. */
  readonly also?: readonly NoticeCode[];
  /** Words in the title or text of the first notice. Must be given for a failure. */
  readonly told?: RegExp;
  /** Milliseconds that the turn may last in addition to its limits, for example for pauses. */
  readonly longer?: number;
}

/** The target of the turn's request, if it isn't the service itself. */
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
  /** The turn waits until a limit ends it: the limit of the phase, or four times this limit if only keep-alives arrive. */
  readonly waits?: 'limit' | 'kept-alive';
  /** The service doesn't notice when the client leaves, because it doesn't read. */
  readonly deaf?: true;
  /** No other row may run at the same time, because the fault affects the whole process. */
  readonly alone?: true;
  /** Called after the turn, to end a fault that outlasts the service. */
  after?(): void;
  /** How the service writes its response. */
  style?(stage: Stage): Style;
  /** The actions of the service when the turn is in the phase. Without them, the fault is on the way to the service. */
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
