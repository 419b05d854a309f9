import type { StreamEvent } from '../service/client.ts';
import { toFailure } from '../service/errors.ts';
import { MAX_TRIES } from '../service/limits.ts';
import type { Chunk } from '../service/types.ts';
import type { AppendedText, ContentPartsEvent, TurnEnd, TurnEvent, TurnStep } from './events.ts';
import { toOutcome } from './outcomes/outcome.ts';
import { closeOutline, EMPTY_OUTLINE, foldOutline, type Outline } from './reasoning/outline.ts';
import type { Omission, RequestFacts } from './requestFacts.ts';
import { EMPTY_RESPONSE, foldResponse } from './response.ts';
import { foldCall, ROUND_SEPARATOR, settleCalls, toRound } from './rounds.ts';
import type { RoundTimes, Timings, Turn } from './turn.ts';

/** A turn without any events. `startedAt` is in epoch milliseconds. */
export function createTurn(id: string, startedAt: number, request: RequestFacts): Turn {
  return {
    id,
    startedAt,
    request,
    phase: 'connecting',
    waiting: undefined,
    tries: 0,
    rounds: [],
    roundTimes: roundFrom(0),
    ...EMPTY_RESPONSE,
    outline: EMPTY_OUTLINE,
    damagedEvents: 0,
    timings: {
      connected: undefined,
      firstReasoning: undefined,
      firstAnswer: undefined,
      lastLife: 0,
      lastProgress: 0,
      ended: undefined,
    },
    outcome: undefined,
    failure: undefined,
  };
}

const roundFrom = (startedAt: number): RoundTimes => ({
  startedAt,
  firstReasoning: undefined,
  firstAnswer: undefined,
});

/** The turn after an event, with the text that the event appended. */
export function foldStep(before: Turn, event: TurnEvent): TurnStep {
  return {
    before,
    turn: foldTurn(before, event),
    appended: before.outcome === undefined ? appendedBy(event) : NOTHING_APPENDED,
    ...(event.event.type === 'keep-alive' && { keptAlive: true }),
  };
}

const NOTHING_APPENDED: AppendedText = { reasoning: '', answer: '' };

function appendedBy({ event }: TurnEvent): AppendedText | undefined {
  switch (event.type) {
    case 'chunk':
      return { reasoning: event.chunk.reasoning?.text ?? '', answer: event.chunk.answer };
    case 'tag-closed':
      return event.wasReasoning ? undefined : NOTHING_APPENDED;
    case 'round-ended':
      return undefined;
    default:
      return NOTHING_APPENDED;
  }
}

/** The turn after an event. A turn that has ended doesn't change. */
export function foldTurn(turn: Turn, { at, event }: TurnEvent): Turn {
  if (turn.outcome !== undefined) return turn;
  switch (event.type) {
    case 'ended':
      return foldEnd(turn, event, at);
    case 'round-ended':
      return {
        ...turn,
        ...EMPTY_RESPONSE,
        phase: 'calling',
        tries: 0,
        rounds: [...turn.rounds, toRound(turn, event.calls, at)],
        roundTimes: roundFrom(at),
        timings: progressing(turn, at),
      };
    case 'call-changed':
      return {
        ...turn,
        rounds: foldCall(turn.rounds, event.index, event.call),
        timings: progressing(turn, at),
      };
    case 'round-begun':
      return {
        ...turn,
        request: { ...turn.request, prefix: turn.request.prefix + event.added },
        roundTimes: roundFrom(at),
        timings: progressing(turn, at),
      };
    case 'results-omitted': {
      const request = withoutResults(turn, event.omission, event.prefix);
      return { ...turn, request, timings: progressing(turn, at) };
    }
    case 'calls-as-text':
      return {
        ...turn,
        request: { ...turn.request, callsAsText: true, prefix: event.prefix },
        timings: progressing(turn, at),
      };
    case 'refused':
      return { ...turn, timings: { ...turn.timings, connected: undefined } };
    case 'content-parts':
      return { ...turn, request: withContentParts(turn, event), timings: progressing(turn, at) };
    default:
      return foldStream(turn, event, at);
  }
}

const living = ({ timings }: Turn, at: number): Timings => ({ ...timings, lastLife: at });
const progressing = ({ timings }: Turn, at: number): Timings => ({
  ...timings,
  lastLife: at,
  lastProgress: at,
});

/** The facts of a turn whose next request is sent without some results. */
export function withoutResults(
  { request, rounds }: Pick<Turn, 'request' | 'rounds'>,
  omission: Omission,
  prefix = request.prefix,
): RequestFacts {
  const omitted = [...(request.omitted ?? []), { fromRound: rounds.length, ...omission }];
  return { ...request, omitted, prefix };
}

function withContentParts({ request, rounds }: Turn, { prefix, refused }: ContentPartsEvent): RequestFacts {
  return { ...request, contentParts: { fromRound: rounds.length, refused }, prefix };
}

function foldEnd(turn: Turn, event: TurnEnd, at: number): Turn {
  const outcome = toOutcome(turn, event);
  return {
    ...turn,
    phase: 'ended',
    waiting: undefined,
    rounds: settleCalls(turn.rounds, at, event.by === 'user'),
    outline: closeOutline(turn.outline),
    outcome,
    failure: event.failure,
    ...(event.by === 'window' && outcome === 'interrupted' && { windowClosed: true }),
    timings: { ...turn.timings, ended: at },
  };
}

function foldStream(turn: Turn, event: StreamEvent, at: number): Turn {
  const received = withOtherModel(turn, foldResponse(turn, event));
  switch (event.type) {
    case 'try':
      return {
        ...turn,
        phase: 'connecting',
        waiting: undefined,
        tries: event.tries,
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
      return { ...turn, begunAgain: true, timings: living(turn, at) };
    case 'other-choice':
      return { ...turn, otherChoices: true, timings: living(turn, at) };
    case 'done':
      return received;
    default:
      return unreachable(event);
  }
}

/** A model that wasn't asked for stays named, although the rest of the stream may name the right one (R2). */
function withOtherModel({ responseModel, request }: Turn, received: Turn): Turn {
  const isOther = responseModel !== undefined && responseModel !== request.model;
  return isOther && received.responseModel !== responseModel ? { ...received, responseModel } : received;
}

/** The text that was treated as the answer was reasoning without an opening tag. */
function foldTagged(turn: Turn, received: Turn, at: number): Turn {
  const { timings, roundTimes } = turn;
  const first = turn.rounds.length === 0;
  return {
    ...received,
    outline: first
      ? foldOutline(EMPTY_OUTLINE, turn.answer, at)
      : foldReasoning({ ...turn, reasoning: '' }, turn.answer, at),
    roundTimes: { ...roundTimes, firstReasoning: roundTimes.firstAnswer, firstAnswer: undefined },
    timings: {
      ...timings,
      lastLife: at,
      ...(first && { firstReasoning: timings.firstAnswer, firstAnswer: undefined }),
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

/** A shorter silence is not kept. In milliseconds. */
export const MIN_SILENCE_MS = 2000;
const MOST_SILENCES = 100;

/** The silences of a turn with the one that ends now, if it was long. Waiting for the first text is none. */
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
  // Not translated: a mistake of ours.
  throw new Error(`unknown event ${JSON.stringify(event)}`);
}
