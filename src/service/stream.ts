/** Converts the body of a completion from server-sent events to decoded chunks. */
import { type BodyEvent, readBody } from './body.ts';
import { decodeCutReply } from './cutReply.ts';
import { decodeChunk } from './decode.ts';
import { decodeErrorBody, type ErrorBody, fromErrorBody } from './errorResponse.ts';
import { ServiceError } from './errors.ts';
import { asObject, asString, parseJson } from './json.ts';
import { flushTags, NO_TAGS, splitTags, type TagPart, type TagState } from './thinkTags.ts';
import type { TransportResponse } from './transport.ts';
import type { Chunk } from './types.ts';
import type { Watchdog } from './watchdog.ts';

/** The events of a completion's body, in order. */
export type BodyStreamEvent =
  | { readonly type: 'chunk'; readonly chunk: Chunk }
  /** A tag closed reasoning inside `content`. If `wasReasoning`, all answer text so far was reasoning. */
  | {
      readonly type: 'tag-closed';
      readonly open: string;
      readonly close: string;
      readonly wasReasoning: boolean;
    }
  | { readonly type: 'keep-alive' }
  /** An event that isn't JSON. It is skipped and reported. */
  | { readonly type: 'damaged' }
  | { readonly type: 'done' };

interface ReadState {
  tags: TagState;
  namedReasoning: boolean;
  chunks: number;
}

/**
 * Reads the body of a 200 response. The iteration ends when the body ends. Throws a ServiceError for an error
 * object, or if the body isn't a completion (R9, E11).
 */
export async function* readStream(
  response: TransportResponse,
  watchdog: Watchdog,
  now: number,
): AsyncGenerator<BodyStreamEvent> {
  const state: ReadState = { tags: NO_TAGS, namedReasoning: false, chunks: 0 };
  let excerpt = '';
  try {
    for await (const batch of readBody(response.body)) {
      watchdog.activity();
      for (const event of batch) {
        if (event.type === 'data' && event.data.trim() === '[DONE]') {
          yield* flush(state);
          yield { type: 'done' };
          // Ignore everything after [DONE]. Some servers send more, and some never close the connection.
          return;
        }
        if (event.type !== 'comment' && excerpt === '')
          excerpt = (event.type === 'data' ? event.data : event.text).slice(0, 400);
        for (const out of readEvent(response, event, state, now)) {
          if (out.type === 'chunk') {
            if (carriesAnything(out.chunk)) watchdog.progress();
            if (out.chunk.answer !== '' || out.chunk.toolCalls.length > 0) watchdog.enter('answering');
            else if (out.chunk.reasoning !== undefined) watchdog.enter('reasoning');
            if (out.chunk.finishReason !== undefined) watchdog.finish();
          }
          yield out;
        }
      }
    }
  } catch (thrown) {
    yield* flush(state);
    throw thrown;
  }
  yield* flush(state);
  if (state.chunks === 0) throw toNoCompletionError(response, excerpt);
}

/** Yields the text that was held back because it could have been the start of a tag. */
function* flush(state: ReadState): Generator<BodyStreamEvent> {
  for (const part of flushTags(state.tags)) yield toEvent(part, state.tags.open, EMPTY_CHUNK);
}

function* readEvent(
  response: TransportResponse,
  event: BodyEvent,
  state: ReadState,
  now: number,
): Generator<BodyStreamEvent> {
  if (event.type === 'comment') {
    yield { type: 'keep-alive' };
    return;
  }
  const text = event.type === 'data' ? event.data : event.text;
  const json = parseJson(text);
  const error =
    decodeErrorBody(json) ??
    (event.type === 'data' && event.event === 'error' ? bareError(json, text) : undefined);
  const chunk = decodeChunk(json);
  if (error !== undefined) {
    // A finish reason beside an error, most often “error”, doesn't finish anything.
    if (chunk !== undefined && carriesAnything(chunk))
      yield* splitChunk({ ...chunk, finishReason: undefined }, state);
    throw fromErrorBody(error, { status: 200, headers: response.headers, now });
  }
  if (chunk === undefined) {
    const part = event.type === 'whole' ? decodeCutReply(text) : undefined;
    if (part !== undefined) {
      state.chunks++;
      yield* splitChunk(part, state);
      return;
    }
    // The break is the error, not what it left.
    if (event.type === 'whole' && event.cut) return;
    if (event.type === 'whole') throw toNoCompletionError(response, text.slice(0, 400));
    // Other JSON, for example a ping, isn't damage: unknown events are ignored.
    yield { type: json === undefined && !isIdle(event) ? 'damaged' : 'keep-alive' };
    return;
  }
  state.chunks++;
  yield* splitChunk(chunk, state);
  // A response that wasn't streamed has no [DONE]. It is complete because its JSON is.
  if (event.type === 'whole') yield { type: 'done' };
}

function carriesAnything({ answer, reasoning, reasoningDetails, toolCalls, usage }: Chunk): boolean {
  const hasText = answer !== '' || reasoning !== undefined || reasoningDetails.length > 0;
  return hasText || toolCalls.length > 0 || usage !== undefined;
}

/** An event without data, or with its own name, for example a heartbeat. It isn't a chunk. */
function isIdle(event: BodyEvent): boolean {
  if (event.type !== 'data') return false;
  return event.data.trim() === '' || (event.event !== undefined && event.event !== 'message');
}

/** The error for `event: error` with a message of unknown shape. */
function bareError(json: unknown, text: string): ErrorBody {
  return {
    message: asString(asObject(json)?.['message']) ?? text,
    type: undefined,
    code: undefined,
    didYouMean: undefined,
  };
}

const EMPTY_CHUNK: Chunk = {
  id: undefined,
  model: undefined,
  reasoning: undefined,
  reasoningDetails: [],
  answer: '',
  toolCalls: [],
  finishReason: undefined,
  usage: undefined,
};

/**
 * Separates reasoning in tags from the answer of a chunk. The other fields of the chunk go with the last
 * part.
 */
function* splitChunk(chunk: Chunk, state: ReadState): Generator<BodyStreamEvent> {
  if (chunk.reasoning !== undefined) state.namedReasoning = true;
  // The fast path, which almost every chunk takes: no answer text, or the reasoning has its own field.
  if (chunk.answer === '' || (state.namedReasoning && state.tags.held === '')) {
    yield { type: 'chunk', chunk };
    return;
  }
  const split = splitTags(state.tags, chunk.answer, !state.namedReasoning);
  state.tags = split.state;
  yield { type: 'chunk', chunk: { ...chunk, answer: '', finishReason: undefined, usage: undefined } };
  for (const part of split.parts) yield toEvent(part, state.tags.open, EMPTY_CHUNK);
  if (chunk.finishReason !== undefined || chunk.usage !== undefined) {
    yield { type: 'chunk', chunk: { ...EMPTY_CHUNK, finishReason: chunk.finishReason, usage: chunk.usage } };
  }
}

function toEvent(part: TagPart, open: string, base: Chunk): BodyStreamEvent {
  switch (part.kind) {
    case 'reasoning':
      return { type: 'chunk', chunk: { ...base, reasoning: { name: 'tags', text: part.text } } };
    case 'answer':
      return { type: 'chunk', chunk: { ...base, answer: part.text } };
    case 'close':
      return {
        type: 'tag-closed',
        open: part.wasReasoning ? '' : open,
        close: part.close,
        wasReasoning: part.wasReasoning,
      };
  }
}

export function toNoCompletionError(response: TransportResponse, excerpt: string): ServiceError {
  const contentType = response.headers['content-type'];
  return new ServiceError('not-a-completion', {
    status: response.status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(excerpt === '' ? {} : { excerpt }),
  });
}
