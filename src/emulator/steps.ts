/** What the emulator sends, as data. Every response, complete or faulty, is a list of steps. */

/** The part of a stream that a write belongs to. */
export type Phase =
  | 'role'
  | 'reasoning'
  | 'answer'
  | 'tools'
  | 'finish'
  | 'usage'
  | 'done'
  /** The body of a response that is not streamed, and anything that a scenario adds. */
  | 'other';

export type ReplyStep =
  | {
      readonly type: 'head';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'write';
      readonly phase: Phase;
      readonly bytes: string | Uint8Array;
      /** Number of output tokens, for the pace. */
      readonly tokens: number;
    }
  /** Milliseconds without sending anything. */
  | { readonly type: 'wait'; readonly ms: number }
  /** Sends nothing more and keeps the connection open until the client closes it. */
  | { readonly type: 'hang' }
  /** Breaks the connection: `reset` with a TCP reset, `cut` by closing it within the body, as an intermediary does. */
  | { readonly type: 'break'; readonly how: 'reset' | 'cut' }
  /** Ends the body as HTTP requires. */
  | { readonly type: 'end' };

/** A response as steps; an endless one is a generator. */
export type Steps = Iterable<ReplyStep>;

export function write(bytes: string | Uint8Array, phase: Phase = 'other', tokens = 0): ReplyStep {
  return { type: 'write', phase, bytes, tokens };
}

/** A response with a single body. */
export function completeReply(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>>,
): readonly ReplyStep[] {
  const head: ReplyStep = { type: 'head', status, headers };
  return body.length === 0 ? [head, { type: 'end' }] : [head, write(body), { type: 'end' }];
}

/** A response with a JSON body. */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): readonly ReplyStep[] {
  return completeReply(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}
