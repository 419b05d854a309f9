/** Converts the body of a completion from server-sent events to decoded chunks. */
import { bringsText, carriesAnything, isOfAnswer } from './answerChoice.ts';
import { type Beginnings, createBeginnings } from './beginnings.ts';
import { createBodyReader } from './body.ts';
import type { BodyEvent, DataEvent, WholeEvent } from './bodyTypes.ts';
import { type ChoicePicker, createChoicePicker } from './choicePicker.ts';
import { type ChunkPattern, createChunkPattern } from './chunkPattern.ts';
import { decodeCutReply } from './cutReply.ts';
import { decodeChunk } from './decodeChunk.ts';
import { decodeErrorBody, type ErrorBody } from './errorBody.ts';
import { fromErrorBody } from './errorResponse.ts';
import { ServiceError } from './errors.ts';
import { frameworkErrorOf } from './frameworkError.ts';
import { joinTextEvents, lengthOf } from './joinChunks.ts';
import { parseJson } from './json.ts';
import { lastWordsOf } from './lastWords.ts';
import { EXCERPT_LENGTH, MAX_EVENT_LENGTH } from './limits.ts';
import { createSentOnce, type SentOnce } from './sentOnce.ts';
import { severalIn } from './severalData.ts';
import { isDamaged, isSignOfLife } from './signsOfLife.ts';
import { bareError, errorOfChoice, toNoCompletionError } from './streamErrors.ts';
import { createTagSplitter, type TagSplitter } from './tagSplitter.ts';
import type { TransportResponse } from './transport.ts';
import type { BodyStreamEvent, Chunk } from './types.ts';
import type { Watchdog } from './watchdog.ts';

interface ReadState {
  readonly response: Pick<TransportResponse, 'status' | 'headers'>;
  readonly now: number;
  readonly watchdog: Watchdog;
  /** The events of the current part of the body. */
  events: BodyStreamEvent[];
  readonly splitter: TagSplitter;
  chunks: number;
  /** The length of all text so far, including text that is held back, in characters. */
  length: number;
  readonly sentOnce: SentOnce;
  readonly beginnings: Beginnings;
  readonly picker: ChoicePicker;
  readonly pattern: ChunkPattern;
  /** The beginning of the first event, for the error that the body isn't a completion. */
  excerpt: string;
  isOver: boolean;
  isFinished: boolean;
  lastWords: ErrorBody | undefined;
}

/** Reads the body of a 200 response. None of its functions throws. */
export interface StreamReader {
  /** Returns the events that the next part of the body completes. */
  read(part: Uint8Array): readonly BodyStreamEvent[];
  /** The body ended. Returns the events that were held back. */
  end(): readonly BodyStreamEvent[];
  /** The body broke with this error. Returns the events that were held back. */
  cut(thrown: unknown): readonly BodyStreamEvent[];
  /** Nothing more is read, because `[DONE]` arrived or there is an error. */
  readonly isOver: boolean;
  /** The error to throw after the events, if any. */
  readonly error: unknown;
}

/**
 * Reads the body of a 200 response part by part. Text that arrives with one part becomes one chunk, so that the cost of
 * processing it doesn't depend on how the service divides it. The reader isn't a generator, so that events pass through only one,
 * which is that of the client. The error is a ServiceError for an error object, or if the body isn't a completion (R9, E11).
 */
export function createStreamReader(
  response: Pick<TransportResponse, 'status' | 'headers'>,
  watchdog: Watchdog,
  now: number,
): StreamReader {
  const sentOnce = createSentOnce();
  const state: ReadState = {
    response,
    now,
    watchdog,
    events: [],
    splitter: createTagSplitter((event) => state.events.push(event), sentOnce.reasoning),
    chunks: 0,
    length: 0,
    sentOnce,
    beginnings: createBeginnings(),
    picker: createChoicePicker(
      (chunk) => state.splitter.add(chunk),
      (hasCalls) => state.events.push({ type: 'other-choice', hasCalls }),
    ),
    pattern: createChunkPattern(),
    excerpt: '',
    isOver: false,
    isFinished: false,
    lastWords: undefined,
  };
  let error: unknown;
  const body = createBodyReader((event) => {
    if (!state.isOver) readEvent(event, state);
  });
  const take = (read: () => void): readonly BodyStreamEvent[] => {
    if (state.isOver) return [];
    state.events = [];
    try {
      read();
      if (!state.isOver && state.length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
    } catch (thrown) {
      // Everything after [DONE] is ignored, even if it is too long.
      if (!state.isOver) {
        flush(state);
        state.isOver = true;
        error = thrown;
      }
    }
    const events = joinTextEvents(state.events);
    for (const event of events) if (event.type === 'chunk') watch(watchdog, event.chunk);
    return events;
  };
  return {
    read(part) {
      watchdog.activity();
      return take(() => body.read(part));
    },
    end: () =>
      take(() => {
        body.end();
        if (state.isOver) return;
        flush(state);
        throwLastWords(state);
        if (state.chunks === 0) throw toNoCompletionError(response, state.excerpt);
      }),
    cut: (thrown) =>
      take(() => {
        body.cut();
        if (state.isOver) return;
        throwLastWords(state);
        throw thrown;
      }),
    get isOver() {
      return state.isOver;
    },
    get error() {
      return error;
    },
  };
}

/** Tells the watchdog what arrived. `goOn` is called when text arrives, which can be earlier than the text is passed on. */
function watch(watchdog: Watchdog, chunk: Chunk): void {
  if (carriesAnything(chunk)) watchdog.progress();
  if (isOfAnswer(chunk)) watchdog.enter('answering');
  else if (chunk.reasoning !== undefined) watchdog.enter('reasoning');
  if (chunk.finishReason !== undefined) watchdog.finish();
}

/** Processes an event of the body. Throws the error that it contains. */
function readEvent(event: BodyEvent, state: ReadState): void {
  const { response, now, events } = state;
  if (event.type === 'comment') events.push({ type: 'keep-alive' });
  if (event.type === 'damaged') events.push(event);
  if (event.type === 'words') state.lastWords = lastWordsOf(undefined, event.text) ?? state.lastWords;
  if ((event.type !== 'data' && event.type !== 'whole') || isLikeTheLast(event, state)) return;
  const text = event.type === 'data' ? event.data : event.text;
  if (state.excerpt === '') state.excerpt = text.slice(0, EXCERPT_LENGTH);
  const json = parseJson(text);
  const several = severalIn(event, json);
  for (const one of several ?? []) if (!state.isOver) readEvent(one, state);
  if (several !== undefined) return;
  // Some servers send more after [DONE], and some never close the connection.
  if (json === undefined && event.type === 'data' && text.trim() === '[DONE]') {
    flush(state);
    throwLastWords(state);
    events.push({ type: 'done' });
    state.isOver = true;
    return;
  }
  const own = state.picker.pick(json);
  const decoded = decodeChunk(own);
  const chunk = decoded && state.sentOnce.take(decoded, own);
  const error =
    decodeErrorBody(json) ??
    errorOfChoice(own) ??
    (decoded === undefined ? frameworkErrorOf(event, json, state.chunks > 0) : undefined) ??
    (event.type === 'data' && event.event === 'error' ? bareError(json, text) : undefined);
  if (error !== undefined) {
    // A finish reason beside an error, usually “error”, doesn't mean that anything is finished.
    if (chunk !== undefined && carriesAnything(chunk))
      state.picker.add({ ...chunk, finishReason: undefined });
    throw fromErrorBody(error, { status: 200, headers: response.headers, now });
  }
  if (chunk === undefined) {
    readOther(event, json, text, state);
    return;
  }
  state.chunks++;
  if (state.beginnings.isAnother(own, chunk)) state.splitter.beginAgain();
  if (state.beginnings.hasFirstCalls(chunk)) events.push({ type: 'begun-again', hasCalls: true });
  addChunk(chunk, state);
  if (chunk.toolCalls.some((call) => call.isDamaged)) events.push({ type: 'damaged' });
  if (state.picker.isSettled) state.pattern.learn(text, own, chunk);
  // A response that wasn't streamed has no [DONE]. It is complete because its JSON is.
  if (event.type === 'whole') events.push({ type: 'done' });
}

// Adds the chunk of an event that differs from the previous one only in its text. All other checks would give the same result as for
// the previous chunk, so they are skipped. Returns false for any other event.
function isLikeTheLast(event: DataEvent | WholeEvent, state: ReadState): boolean {
  const { pattern } = state;
  const isPlain = event.type === 'data' && event.event !== 'error';
  const chunk = isPlain ? pattern.read(event.data) : undefined;
  if (chunk === undefined) {
    pattern.forget();
    return false;
  }
  state.chunks++;
  addChunk(state.sentOnce.take(chunk, pattern.json), state);
  return true;
}

function addChunk(chunk: Chunk, state: ReadState): void {
  state.length += lengthOf(chunk);
  state.lastWords = undefined;
  state.isFinished ||= chunk.finishReason !== undefined;
  // Some gateways send a finish reason with each chunk, so text after one shows that the answer goes on.
  if (bringsText(chunk)) state.watchdog.goOn();
  // If the chunk waits, its text and its finish reason have still arrived.
  if (!state.picker.add(chunk)) watch(state.watchdog, chunk);
}

function throwLastWords({ isFinished, lastWords, response: { headers }, now }: ReadState): void {
  if (!isFinished && lastWords !== undefined) throw fromErrorBody(lastWords, { status: 200, headers, now });
}

function flush({ picker, splitter }: ReadState): void {
  picker.flush();
  splitter.flush();
}

/** Processes an event that is neither a chunk nor an error. */
function readOther(event: DataEvent | WholeEvent, json: unknown, text: string, state: ReadState): void {
  if (event.type === 'data') {
    if (!isSignOfLife(event)) state.lastWords = lastWordsOf(json, text);
    state.events.push({ type: isDamaged(event, json) ? 'damaged' : 'keep-alive' });
    return;
  }
  const part = decodeCutReply(text);
  if (part !== undefined) {
    state.picker.see(part.seen);
    state.chunks++;
    state.splitter.add(part.chunk);
  } else if (!event.cut) throw toNoCompletionError(state.response, text);
  // If the body broke, that is the error, and not the unreadable text.
}
