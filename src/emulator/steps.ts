/** What the emulator does on the wire, as data. Every reply, whole or broken, is a list of steps. */

/** The part of a stream that a write belongs to. */
export type Phase =
  | 'role'
  | 'reasoning'
  | 'answer'
  | 'tools'
  | 'finish'
  | 'usage'
  | 'done'
  /** The body of a reply that does not stream, and whatever a scenario adds. */
  | 'other';

export type Step =
  | {
      readonly type: 'head';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'write';
      readonly phase: Phase;
      readonly bytes: string | Uint8Array;
      /** Output tokens in it, for the pace. */
      readonly tokens: number;
    }
  /** Milliseconds without a byte. */
  | { readonly type: 'wait'; readonly ms: number }
  /** Not a byte more, with the connection open, until the client goes away. */
  | { readonly type: 'hang' }
  /** The connection breaks: `reset` at once, `cut` as when a machine in between closes it in the middle of a body. */
  | { readonly type: 'break'; readonly how: 'reset' | 'cut' }
  /** The body ends as HTTP wants it to. */
  | { readonly type: 'end' };

/** A reply in steps; endless ones are generators. */
export type Steps = Iterable<Step>;

export function write(bytes: string | Uint8Array, phase: Phase = 'other', tokens = 0): Step {
  return { type: 'write', phase, bytes, tokens };
}

/** A whole reply with one body. */
export function completeReply(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>>,
): readonly Step[] {
  const head: Step = { type: 'head', status, headers };
  return body.length === 0 ? [head, { type: 'end' }] : [head, write(body), { type: 'end' }];
}

/** A whole reply with a JSON body. */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): readonly Step[] {
  return completeReply(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}
