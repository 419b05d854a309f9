/** An answer on the wire: chunks, framing, and the complete body of a response that isn't streamed. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { Fields, Json } from './json.ts';
import type { ReasoningName, ToolCall } from './memory.ts';
import type { Framing, Reply } from './reply.ts';

/** One write. `data` is a chunk or [DONE]; a comment has no data. */
export type Piece = {
  data?: Fields | '[DONE]';
  event?: string;
  comment?: string;
  /** Milliseconds before it. */
  pause: number;
  /** What it adds to the turn. */
  reasoning?: string;
  answer?: string;
  /** Set for the finish reason: after it, nothing of the turn is missing. */
  ends?: boolean;
};

export type Identity = { id: string; created: number };

const charactersInPiece = 16;

/** 10 to 30 ms, varying but the same in every run. */
function pauseOf(index: number): number {
  return 10 + ((index * 13) % 21);
}

function split(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${charactersInPiece}}`, 'gu')) ?? [];
}

/** Reasoning under the requested name (field notes, "Reasoning has several names"). */
function reasoningFields(name: ReasoningName, text: string): Fields {
  switch (name) {
    case 'reasoning_details':
      return { reasoning_details: [{ type: 'reasoning.text', index: 0, text }] };
    case 'both':
      return { reasoning_content: text, reasoning: text };
    case 'think':
      return { content: text };
    default:
      return { [name]: text };
  }
}

function tagged(reply: Reply): string {
  return reply.reasoningName === 'think' ? `<think>${reply.reasoning}</think>\n\n` : reply.reasoning;
}

function callFields(call: ToolCall): Fields {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}

/**
 * Arguments are sent in pieces. The later ones have an empty id and name, which overwrite nothing (field
 * notes).
 */
function callDeltas(calls: ToolCall[]): Fields[] {
  const heads = calls.map((call, index) => ({ index, ...callFields({ ...call, arguments: '' }) }));
  const rest = calls.flatMap((call, index) =>
    split(call.arguments).map((text) => ({
      tool_calls: [{ index, id: '', function: { name: '', arguments: text } }],
    })),
  );
  return calls.length === 0 ? [] : [{ tool_calls: heads }, ...rest];
}

/** Creates the pieces of one answer, in the order of the field notes' "Stream order seen on the wire". */
class Composer {
  readonly #reply: Reply;
  readonly #frame: Fields;

  constructor(reply: Reply, { id, created }: Identity) {
    this.#reply = reply;
    this.#frame = { id, object: 'chat.completion.chunk', created, model: reply.model };
  }

  #chunk(delta: Json, finish: string | null = null, more: Fields = {}): Fields {
    return { ...this.#frame, choices: [{ index: 0, delta, finish_reason: finish, ...more }] };
  }

  #delta(fields: Fields): Fields {
    const empty: Fields = this.#reply.nulls
      ? { content: null, reasoning_content: null, tool_calls: null }
      : {};
    return this.#chunk({ ...empty, ...fields });
  }

  opening(): Piece[] {
    const first = this.#reply.nulls
      ? { role: 'assistant', content: null }
      : { role: 'assistant', content: '' };
    const waiting = this.#reply.comments ? [1, 2, 3].map(() => ({ comment: 'still here', pause: 150 })) : [];
    return [...waiting, ...this.#emptied(), { data: this.#delta(first), pause: 0 }];
  }

  #emptied(): Piece[] {
    return this.#reply.emptyChoices ? [{ data: { ...this.#frame, choices: [] }, pause: 5 }] : [];
  }

  reasoning(): Piece[] {
    const name = this.#reply.reasoningName;
    const pieces = split(tagged(this.#reply)).map((text, index) => ({
      data: this.#delta(reasoningFields(name, text)),
      pause: pauseOf(index),
      ...(name === 'think' ? {} : { reasoning: text }),
    }));
    const hollow: Piece[] = this.#reply.nulls ? [{ data: this.#chunk(null), pause: 5 }] : [];
    return [...pieces, ...hollow, ...this.#emptied()];
  }

  said(): Piece[] {
    const answer = split(this.#reply.answer).map((text, index) => ({
      data: this.#delta({ content: text }),
      pause: pauseOf(index),
      answer: text,
    }));
    const calls = callDeltas(this.#reply.calls).map((delta, index) => ({
      data: this.#delta(delta),
      pause: pauseOf(index),
    }));
    return [...answer, ...calls];
  }

  /** @param usage undefined if the client did not ask for it (Q10) */
  closing(usage: Fields | undefined): Piece[] {
    const { finish, usage: place, done, ending } = this.#reply;
    const pieces: Piece[] = [];
    if (finish !== undefined) {
      const inside = usage !== undefined && ['choice', 'twice'].includes(place) ? { usage } : {};
      pieces.push({ data: this.#chunk({}, finish, inside), pause: 5, ends: true });
    }
    if (usage !== undefined && ['last', 'zero', 'twice'].includes(place)) {
      pieces.push({ data: { ...this.#frame, choices: [], usage }, pause: 5 });
    }
    if (ending === 'error' || ending === 'error event') {
      const error = { message: 'The worker ran out of memory', type: 'server_error' };
      pieces.push({ data: { error }, pause: 5, ...(ending === 'error event' ? { event: 'error' } : {}) });
    }
    return done ? [...pieces, { data: '[DONE]', pause: 0 }] : pieces;
  }
}

/** A comment before every tenth piece, if comments were requested. */
function commented(pieces: Piece[]): Piece[] {
  return pieces.flatMap((piece, index) =>
    index % 10 === 9 ? [{ comment: 'still here', pause: 5 }, piece] : [piece],
  );
}

/** R7 to R9. */
export function piecesOf(reply: Reply, identity: Identity, usage: Fields | undefined): Piece[] {
  const composer = new Composer(reply, identity);
  const pieces = [
    ...composer.opening(),
    ...composer.reasoning(),
    ...composer.said(),
    ...composer.closing(usage),
  ];
  return reply.comments ? commented(pieces) : pieces;
}

/** One event in the requested framing. Only the first event has a byte order mark. */
export function framed(piece: Piece, { eol, space }: Framing): string {
  const gap = space ? ' ' : '';
  const event = piece.event === undefined ? '' : `event:${gap}${piece.event}${eol}`;
  const data = typeof piece.data === 'string' ? piece.data : JSON.stringify(piece.data);
  const line = piece.comment === undefined ? `data:${gap}${data}` : `:${gap}${piece.comment}`;
  return `${event}${line}${eol}${eol}`;
}

/** Writes a text at once, or one byte per turn of the event loop so that characters are split. */
export async function put(response: ServerResponse, text: string, single: boolean): Promise<void> {
  if (!single) {
    if (!response.write(text)) {
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    return;
  }
  for (const byte of response.destroyed ? [] : Buffer.from(text)) {
    response.write(Buffer.of(byte));
    await turnOfLoop();
  }
}

/** R1, R3 to R6: the answer as one body. */
export function wholeBody(reply: Reply, { id, created }: Identity, usage: Fields): Fields {
  const inTags = reply.reasoningName === 'think';
  const message: Fields = {
    role: 'assistant',
    ...(inTags ? {} : reasoningFields(reply.reasoningName, reply.reasoning)),
    content: inTags ? tagged(reply) + reply.answer : reply.answer,
    ...(reply.calls.length > 0 ? { tool_calls: reply.calls.map(callFields) } : {}),
  };
  return {
    id,
    object: 'chat.completion',
    created,
    model: reply.model,
    choices: [{ index: 0, message, finish_reason: reply.finish ?? null }],
    ...(reply.usage === 'none' ? {} : { usage }),
  };
}
