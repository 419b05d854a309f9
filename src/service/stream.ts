/** Converts the body of a completion from server-sent events to decoded chunks. */
import { type BodyEvent, readBody } from './body.ts';
import { decodeCutReply } from './cutReply.ts';
import { decodeChunk } from './decode.ts';
import { decodeErrorBody, type ErrorBody, fromErrorBody } from './errorResponse.ts';
import { ServiceError } from './errors.ts';
import { joinText } from './joinText.ts';
import { asObject, asString, parseJson } from './json.ts';
import { flushTags, NO_TAGS, splitTags, type TagPart, type TagState } from './thinkTags.ts';
import type { TransportResponse } from './transport.ts';
import type { BodyStreamEvent, Chunk } from './types.ts';
import type { Watchdog } from './watchdog.ts';

interface ReadState {
  tags: TagState;
  namedReasoning: boolean;
  chunks: number;
}

/**
 * Reads the body of a 200 response. The iteration ends when the body ends. Text that arrives with one read is one chunk,
 * so that the cost of what follows doesn't depend on how the service divides it. Throws a ServiceError for an error
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
      if (excerpt === '') excerpt = toExcerpt(batch);
      const { events, isDone, error } = readBatch(response, batch, state, now);
      for (const event of joinText(events)) {
        if (event.type === 'chunk') watch(watchdog, event.chunk);
        yield event;
      }
      if (error !== undefined) throw error;
      // Ignore everything after [DONE]. Some servers send more, and some never close the connection.
      if (isDone) return;
    }
  } catch (thrown) {
    yield* flush(state);
    throw thrown;
  }
  yield* flush(state);
  if (state.chunks === 0) throw toNoCompletionError(response, excerpt);
}

interface ReadBatch {
  readonly events: readonly BodyStreamEvent[];
  /** The `[DONE]` line was among them. */
  readonly isDone?: true;
  /** The error that followed them. */
  readonly error?: unknown;
}

function readBatch(
  response: TransportResponse,
  batch: readonly BodyEvent[],
  state: ReadState,
  now: number,
): ReadBatch {
  const events: BodyStreamEvent[] = [];
  try {
    for (const event of batch) {
      if (event.type === 'data' && event.data.trim() === '[DONE]') {
        events.push(...flush(state), { type: 'done' });
        return { events, isDone: true };
      }
      readEvent(response, event, state, now, events);
    }
    return { events };
  } catch (error) {
    return { events, error };
  }
}

/** The beginning of the first event, for an error about a body that is no completion. */
function toExcerpt(batch: readonly BodyEvent[]): string {
  for (const event of batch) {
    const text = event.type === 'comment' ? '' : event.type === 'data' ? event.data : event.text;
    if (text !== '') return text.slice(0, 400);
  }
  return '';
}

/** Tells the watchdog what arrived. */
function watch(watchdog: Watchdog, chunk: Chunk): void {
  if (carriesAnything(chunk)) watchdog.progress();
  if (chunk.answer !== '' || chunk.toolCalls.length > 0) watchdog.enter('answering');
  else if (chunk.reasoning !== undefined) watchdog.enter('reasoning');
  if (chunk.finishReason !== undefined) watchdog.finish();
}

/** Returns the text that was held back because it could have been the start of a tag. */
function flush(state: ReadState): readonly BodyStreamEvent[] {
  return flushTags(state.tags).map((part) => toEvent(part, state.tags.open, EMPTY_CHUNK));
}

/** Appends to `events` what an event of the body contains. Throws the error that it reports. */
function readEvent(
  response: TransportResponse,
  event: BodyEvent,
  state: ReadState,
  now: number,
  events: BodyStreamEvent[],
): void {
  if (event.type === 'comment') {
    events.push({ type: 'keep-alive' });
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
      splitChunk({ ...chunk, finishReason: undefined }, state, events);
    throw fromErrorBody(error, { status: 200, headers: response.headers, now });
  }
  if (chunk === undefined) {
    const part = event.type === 'whole' ? decodeCutReply(text) : undefined;
    if (part !== undefined) {
      state.chunks++;
      splitChunk(part, state, events);
      return;
    }
    // The break is the error, not what it left.
    if (event.type === 'whole' && event.cut) return;
    if (event.type === 'whole') throw toNoCompletionError(response, text.slice(0, 400));
    // Other JSON, for example a ping, isn't damage: unknown events are ignored.
    events.push({ type: json === undefined && !isIdle(event) ? 'damaged' : 'keep-alive' });
    return;
  }
  state.chunks++;
  splitChunk(chunk, state, events);
  // A response that wasn't streamed has no [DONE]. It is complete because its JSON is.
  if (event.type === 'whole') events.push({ type: 'done' });
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
function splitChunk(chunk: Chunk, state: ReadState, events: BodyStreamEvent[]): void {
  if (chunk.reasoning !== undefined) state.namedReasoning = true;
  // The fast path, which almost every chunk takes: no answer text, or the reasoning has its own field.
  if (chunk.answer === '' || (state.namedReasoning && state.tags.held === '')) {
    events.push({ type: 'chunk', chunk });
    return;
  }
  const split = splitTags(state.tags, chunk.answer, !state.namedReasoning);
  state.tags = split.state;
  const first = { ...chunk, answer: '', finishReason: undefined, usage: undefined };
  if (carriesAnything(first) || split.parts.length === 0) events.push({ type: 'chunk', chunk: first });
  const base = { ...EMPTY_CHUNK, id: chunk.id, model: chunk.model };
  for (const part of split.parts) events.push(toEvent(part, state.tags.open, base));
  if (chunk.finishReason !== undefined || chunk.usage !== undefined) {
    events.push({
      type: 'chunk',
      chunk: { ...EMPTY_CHUNK, finishReason: chunk.finishReason, usage: chunk.usage },
    });
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
