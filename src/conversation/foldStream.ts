/** Applies the events of a stream to a turn: tries, pauses, text, and silences. */
import type { StreamEvent } from '../service/client.ts';
import { toFailure } from '../service/errors.ts';
import { MAX_TRIES } from '../service/limits.ts';
import type { Chunk } from '../service/types.ts';
import { foldOutline, type Outline } from './reasoning/outline.ts';
import { foldResponse } from './response.ts';
import { ROUND_SEPARATOR } from './rounds.ts';
import type { Timings, Turn } from './turn.ts';

const living = ({ timings }: Turn, at: number): Timings => ({ ...timings, lastLife: at });

/** The times after progress: text, a tool call, or another request. `at` is in milliseconds since the start of the turn. */
export const progressing = ({ timings }: Turn, at: number): Timings => ({
  ...timings,
  lastLife: at,
  lastProgress: at,
});

/** The turn after an event of its stream. */
export function foldStream(turn: Turn, event: StreamEvent, at: number): Turn {
  const received = withOtherModel(turn, foldResponse(turn, event));
  switch (event.type) {
    case 'try':
      return {
        ...turn,
        phase: 'connecting',
        waiting: undefined,
        // When the request is sent in another form, the event counts from 1 again.
        tries: Math.max(event.tries, turn.tries + 1),
        timings: { ...progressing(turn, at), connected: undefined },
      };
    case 'connected':
      return {
        ...turn,
        phase: 'first-byte',
        timings: { ...progressing(turn, at), connected: at },
      };
    case 'pause':
      return {
        ...turn,
        phase: 'waiting',
        timings: { ...turn.timings, connected: undefined },
        waiting: {
          tries: event.tries,
          maxTries: MAX_TRIES,
          waitMs: event.waitMs,
          until: turn.startedAt + at + event.waitMs,
          failure: toFailure(event.error),
        },
      };
    case 'headers':
      return { ...received, phase: 'first-byte', timings: living(turn, at) };
    case 'chunk':
      return foldChunk(turn, received, event.chunk, at);
    case 'tag-closed':
      return event.wasReasoning ? foldTagged(turn, received, at) : received;
    case 'keep-alive':
      return { ...turn, timings: living(turn, at) };
    case 'damaged':
      return { ...turn, damagedEvents: turn.damagedEvents + 1, timings: living(turn, at) };
    case 'begun-again':
      return { ...received, begunAgain: true, timings: living(turn, at) };
    case 'other-choice':
      return { ...turn, otherChoices: true, timings: living(turn, at) };
    case 'done':
      return received;
    default:
      return unreachable(event);
  }
}

/** A model that wasn't asked for is kept, although the rest of the stream may name the right one (R2). */
function withOtherModel({ responseModel, request }: Turn, received: Turn): Turn {
  const isOther = responseModel !== undefined && responseModel !== request.model;
  return isOther && received.responseModel !== responseModel ? { ...received, responseModel } : received;
}

/** The text that was treated as the answer so far was reasoning without an opening tag. */
function foldTagged(turn: Turn, received: Turn, at: number): Turn {
  const { timings, roundTimes } = turn;
  const first = turn.rounds.length === 0;
  return {
    ...received,
    outline: foldReasoning(turn, turn.answer, at),
    roundTimes: {
      ...roundTimes,
      firstReasoning: roundTimes.firstReasoning ?? roundTimes.firstAnswer,
      firstAnswer: undefined,
    },
    timings: {
      ...timings,
      lastLife: at,
      ...(first && { firstReasoning: timings.firstReasoning ?? timings.firstAnswer, firstAnswer: undefined }),
    },
  };
}

function foldChunk(turn: Turn, received: Turn, chunk: Chunk, at: number): Turn {
  const reasoned = chunk.reasoning?.text ?? '';
  const answered = chunk.answer !== '' || chunk.toolCalls.length > 0;
  const { timings, roundTimes } = turn;
  const progressed = reasoned !== '' || answered;
  const silences = progressed ? toSilences(turn, at) : turn.silences;
  const next: Turn = {
    ...received,
    phase: answered ? 'answering' : reasoned !== '' && turn.phase !== 'answering' ? 'reasoning' : turn.phase,
    outline: reasoned === '' ? turn.outline : foldReasoning(turn, reasoned, at),
    roundTimes: {
      ...roundTimes,
      firstReasoning: roundTimes.firstReasoning ?? (reasoned === '' ? undefined : at),
      firstAnswer: roundTimes.firstAnswer ?? (answered ? at : undefined),
    },
    timings: {
      ...timings,
      firstReasoning: timings.firstReasoning ?? (reasoned === '' ? undefined : at),
      firstAnswer: timings.firstAnswer ?? (answered ? at : undefined),
      lastLife: at,
      lastProgress: progressed ? at : timings.lastProgress,
    },
  };
  return silences === undefined || silences === turn.silences ? next : { ...next, silences };
}

/** Shorter silences aren't kept. In milliseconds. */
export const MIN_SILENCE_MS = 2000;
const MOST_SILENCES = 100;

/** The silences of a turn, with the one that ends now if it was long enough. Waiting for the first text doesn't count. */
function toSilences({ silences, timings, roundTimes }: Turn, at: number): Turn['silences'] {
  const hasBegun = roundTimes.firstReasoning !== undefined || roundTimes.firstAnswer !== undefined;
  const from = timings.lastProgress;
  if (!hasBegun || at - from < MIN_SILENCE_MS) return silences;
  const known = silences ?? [];
  return known.length < MOST_SILENCES ? [...known, { from, to: at }] : silences;
}

/** One outline for the reasoning of all rounds. The first text of a later round starts a paragraph. */
function foldReasoning(turn: Turn, text: string, at: number): Outline {
  const begins = turn.reasoning === '' && turn.rounds.some(({ reasoning }) => reasoning !== '');
  return foldOutline(turn.outline, begins ? `${ROUND_SEPARATOR}${text}` : text, at);
}

function unreachable(event: never): never {
  // Not translated, because only a bug can cause it.
  throw new Error(`unknown event ${JSON.stringify(event)}`);
}
