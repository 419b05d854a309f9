/** The actions of a script for the response to one request, at the level of its connection. */

import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { NO_TEXT, type StreamedEvent, type Text } from './answer.ts';
import { ownNow } from './ownTime.ts';

export interface Head {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** How HTTP/1.1 marks the end of the body. Default: in chunks. */
  readonly framing?: 'chunked' | 'until-close' | { readonly length: number };
}

type Pieces = readonly (string | Uint8Array)[];

/** How an event is written. Each piece is a write of its own. */
export type Encode = (event: StreamedEvent) => Pieces | Promise<Pieces>;

/** How the service writes a whole response, beginning with its head. */
export interface Style {
  readonly head?: Head;
  readonly encode?: Encode;
  /** The events of a response, when they are not those of every row. */
  change?(events: readonly StreamedEvent[]): readonly StreamedEvent[];
  /** Bytes between the last event and the end of the body. */
  last?(): Pieces | Promise<Pieces>;
}

/** The data that the service has sent in a turn, and the times. */
export interface Ledger {
  /** The text that has arrived if the client read everything. */
  text: Text;
  /** Requests for a completion. */
  posts: number;
  /** Requests that came after a request of the same round whose body had begun. */
  late: number;
  /** The turn has come to the round of the fault. */
  roundBegan: boolean;
  /** The time at which the fault began, and the time of the last action of the service for it, in own time. */
  faultAt: number | undefined;
  lastAt: number | undefined;
}

export const newLedger = (roundBegan: boolean): Ledger => ({
  roundBegan,
  text: NO_TEXT,
  posts: 0,
  late: 0,
  faultAt: undefined,
  lastAt: undefined,
});

export interface Reply {
  /** 1 for the first request of the round. */
  readonly post: number;
  /** The events after the fault. */
  readonly rest: readonly StreamedEvent[];
  readonly socket: Socket;
  /** The connection below TLS; the same as `socket` without TLS. */
  readonly raw: Socket;
  /** The stream of HTTP/2. */
  readonly stream: ServerHttp2Stream | undefined;
  /** Writes the head, once. */
  head(head?: Head): void;
  /** Writes a part of the body unchanged. */
  write(piece: string | Uint8Array): Promise<void>;
  /** Writes events, and notes their text as sent. */
  send(events: readonly StreamedEvent[], encode?: Encode): Promise<void>;
  /** Notes text as sent that a script wrote itself. */
  note(events: readonly StreamedEvent[]): void;
  /** Ends the body correctly for HTTP. */
  end(): Promise<void>;
  /** Sends the rest, and ends the body. */
  finish(): Promise<void>;
  /** Notes that a script has ended the body correctly. `finish` does this itself. */
  over(): void;
  /** Waits until the turn shows all text that was sent. */
  seen(): Promise<void>;
  /** Closes the connection without further data. */
  close(): void;
  reset(): void;
}

export const asSse: Encode = ({ data }) => [
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
];

export const SSE_HEAD = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

export const added = (text: Text, events: readonly StreamedEvent[]): Text =>
  events.reduce(
    (sum, { text: { reasoning, answer, calls } }) => ({
      reasoning: sum.reasoning + reasoning,
      answer: sum.answer + answer,
      calls: sum.calls + calls,
    }),
    text,
  );

/** The parts of a reply that differ between HTTP/1.1 and HTTP/2. */
interface Wire extends Pick<Reply, 'socket' | 'raw' | 'stream' | 'head' | 'close' | 'reset' | 'end'> {
  put(piece: Uint8Array): Promise<void>;
}

export interface ReplyOptions {
  readonly post: number;
  readonly rest: readonly StreamedEvent[];
  readonly ledger: Ledger;
  readonly seen: () => Promise<void>;
  /** Called when a head is written. */
  readonly onHead: (status: number) => void;
  /** Called when the body has ended correctly. */
  readonly onFinish: () => void;
  readonly style: Style;
}

function toReply(wire: Wire, { post, rest, ledger, seen, onHead, onFinish, style }: ReplyOptions): Reply {
  let begun = false;
  const head = (wanted: Head = style.head ?? {}) => {
    if (begun) return;
    begun = true;
    onHead(wanted.status ?? 200);
    wire.head(wanted);
  };
  const note = (events: readonly StreamedEvent[]) => {
    ledger.text = added(ledger.text, events);
  };
  const write = (piece: string | Uint8Array) => {
    head();
    return wire.put(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
  };
  const send = async (events: readonly StreamedEvent[], encode: Encode = style.encode ?? asSse) => {
    for (const event of events) {
      for (const piece of await encode(event)) await write(piece);
      note([event]);
      ledger.lastAt = ownNow();
    }
  };
  return {
    ...wire,
    head,
    post,
    rest,
    write,
    send,
    note,
    over: onFinish,
    seen,
    async finish() {
      await send(rest);
      for (const piece of (await style.last?.()) ?? []) await write(piece);
      // Called before the end, because the next request can arrive at once.
      onFinish();
      ledger.lastAt = ownNow();
      await wire.end();
    },
  };
}

/** A reply in HTTP/1.1, written by hand. */
export function overHttp1(socket: Socket, raw: Socket, options: ReplyOptions): Reply {
  let framing: Head['framing'];
  const put = (bytes: string | Uint8Array) =>
    new Promise<void>((resolve) => {
      if (socket.destroyed) resolve();
      else socket.write(bytes, () => resolve());
    });
  return toReply(
    {
      socket,
      raw,
      stream: undefined,
      head({ status = 200, headers = SSE_HEAD, framing: wanted = 'chunked' } = {}) {
        if (framing !== undefined) return;
        framing = wanted;
        const ends: Readonly<Record<string, string>> =
          wanted === 'chunked'
            ? { 'transfer-encoding': 'chunked' }
            : wanted === 'until-close'
              ? { connection: 'close' }
              : { 'content-length': String(wanted.length) };
        const lines = Object.entries({ ...headers, ...ends }).map(([name, value]) => `${name}: ${value}\r\n`);
        void put(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`);
      },
      async put(piece) {
        if (framing !== 'chunked') return put(piece);
        await put(
          Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
        );
      },
      async end() {
        if (framing === 'chunked') await put('0\r\n\r\n');
        else if (framing === 'until-close') socket.end();
      },
      close: () => socket.end(),
      reset: () => void raw.resetAndDestroy(),
    },
    options,
  );
}

/** A reply in HTTP/2. */
export function overHttp2(
  stream: ServerHttp2Stream,
  socket: Socket,
  raw: Socket,
  options: ReplyOptions,
): Reply {
  let begun = false;
  return toReply(
    {
      socket,
      raw,
      stream,
      head({ status = 200, headers = SSE_HEAD } = {}) {
        if (begun || stream.destroyed) return;
        begun = true;
        stream.respond({ ':status': status, ...headers });
      },
      put: (piece) =>
        new Promise((resolve) => {
          if (stream.destroyed || stream.writableEnded) resolve();
          else stream.write(piece, () => resolve());
        }),
      end: async () => void stream.end(),
      close: () => raw.end(),
      reset: () => void raw.resetAndDestroy(),
    },
    options,
  );
}
