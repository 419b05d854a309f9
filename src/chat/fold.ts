import type { StreamEvent } from '../service/client.ts';
import { toFailure } from '../service/errors.ts';
import { MAX_TRIES } from '../service/limits.ts';
import type { Chunk, Usage } from '../service/types.ts';
import type { TurnEvent } from './events.ts';
import { toOutcome } from './outcome.ts';
import { closeOutline, EMPTY_OUTLINE, foldOutline } from './outline.ts';
import { foldToolCall } from './toolCalls.ts';
import type { RequestFacts, Turn } from './turn.ts';

/** A turn of which nothing has happened yet. `startedAt` is in epoch milliseconds. */
export function createTurn(id: string, startedAt: number, request: RequestFacts): Turn {
  return {
    id,
    startedAt,
    request,
    phase: 'connecting',
    waiting: undefined,
    tries: 0,
    reasoning: '',
    reasoningName: undefined,
    reasoningTags: undefined,
    reasoningDetails: [],
    outline: EMPTY_OUTLINE,
    answer: '',
    toolCalls: [],
    finishReason: undefined,
    sawDone: false,
    responseId: undefined,
    responseModel: undefined,
    requestId: undefined,
    usage: undefined,
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

/** What the turn is after an event. A turn that has ended stays as it is. */
export function foldTurn(turn: Turn, { at, event }: TurnEvent): Turn {
  if (turn.outcome !== undefined) return turn;
  if (event.type === 'ended') {
    return {
      ...turn,
      phase: 'ended',
      waiting: undefined,
      outline: closeOutline(turn.outline),
      outcome: toOutcome(turn, event),
      failure: event.failure,
      timings: { ...turn.timings, ended: at },
    };
  }
  return foldStream(turn, event, at);
}

function foldStream(turn: Turn, event: StreamEvent, at: number): Turn {
  const alive = { ...turn.timings, lastLife: at };
  switch (event.type) {
    case 'try':
      return {
        ...turn,
        phase: 'connecting',
        waiting: undefined,
        tries: event.tries,
        timings: { ...alive, lastProgress: at },
      };
    case 'connected':
      return {
        ...turn,
        phase: 'first-byte',
        timings: { ...alive, connected: turn.timings.connected ?? at, lastProgress: at },
      };
    case 'pause':
      return {
        ...turn,
        phase: 'waiting',
        waiting: {
          tries: event.tries,
          maxTries: MAX_TRIES,
          waitMs: event.waitMs,
          until: turn.startedAt + at + event.waitMs,
          failure: toFailure(event.error),
        },
      };
    case 'headers':
      return { ...turn, phase: 'first-byte', requestId: event.requestId, timings: alive };
    case 'chunk':
      return foldChunk(turn, event.chunk, at);
    case 'tag-closed':
      return event.wasReasoning
        ? {
            ...turn,
            reasoning: turn.answer,
            answer: '',
            reasoningName: 'tags',
            reasoningTags: { open: '', close: event.close },
            outline: foldOutline(EMPTY_OUTLINE, turn.answer, at),
            timings: { ...alive, firstReasoning: turn.timings.firstAnswer, firstAnswer: undefined },
          }
        : { ...turn, reasoningTags: { open: event.open, close: event.close } };
    case 'keep-alive':
      return { ...turn, timings: alive };
    case 'damaged':
      return { ...turn, damagedEvents: turn.damagedEvents + 1, timings: alive };
    case 'done':
      return { ...turn, sawDone: true };
    default:
      return unreachable(event);
  }
}

function foldChunk(turn: Turn, chunk: Chunk, at: number): Turn {
  const reasoned = chunk.reasoning?.text ?? '';
  const answered = chunk.answer !== '' || chunk.toolCalls.length > 0;
  return {
    ...turn,
    phase: answered ? 'answering' : reasoned !== '' && turn.phase !== 'answering' ? 'reasoning' : turn.phase,
    reasoning: reasoned === '' ? turn.reasoning : turn.reasoning + reasoned,
    reasoningName: turn.reasoningName ?? chunk.reasoning?.name,
    reasoningDetails:
      chunk.reasoningDetails.length === 0
        ? turn.reasoningDetails
        : mergeDetails(turn.reasoningDetails, chunk.reasoningDetails),
    outline: reasoned === '' ? turn.outline : foldOutline(turn.outline, reasoned, at),
    answer: chunk.answer === '' ? turn.answer : turn.answer + chunk.answer,
    toolCalls: chunk.toolCalls.reduce(foldToolCall, turn.toolCalls),
    finishReason: chunk.finishReason ?? turn.finishReason,
    responseId: turn.responseId ?? chunk.id,
    responseModel: chunk.model ?? turn.responseModel,
    usage: chunk.usage === undefined ? turn.usage : mergeUsage(turn.usage, chunk.usage),
    timings: {
      ...turn.timings,
      firstReasoning: turn.timings.firstReasoning ?? (reasoned === '' ? undefined : at),
      firstAnswer: turn.timings.firstAnswer ?? (answered ? at : undefined),
      lastLife: at,
      lastProgress: reasoned !== '' || answered ? at : turn.timings.lastProgress,
    },
  };
}

/** Usage can come twice, in the choice and at top level: the last figure wins, and none is added. */
function mergeUsage(earlier: Usage | undefined, later: Usage): Usage {
  return {
    promptTokens: later.promptTokens ?? earlier?.promptTokens,
    completionTokens: later.completionTokens ?? earlier?.completionTokens,
    totalTokens: later.totalTokens ?? earlier?.totalTokens,
    reasoningTokens: later.reasoningTokens ?? earlier?.reasoningTokens,
    cachedTokens: later.cachedTokens ?? earlier?.cachedTokens,
  };
}

type Detail = Readonly<Record<string, unknown>>;

/** `reasoning_details` entries of one index are pieces of one entry: their texts are joined, the rest is kept. */
function mergeDetails(known: readonly Detail[], fresh: readonly Detail[]): readonly Detail[] {
  let merged = known;
  for (const detail of fresh) {
    const at =
      detail['index'] === undefined
        ? -1
        : merged.findLastIndex(
            (other) =>
              other['index'] === detail['index'] &&
              other['type'] === detail['type'] &&
              (other['id'] ?? detail['id']) === (detail['id'] ?? other['id']),
          );
    const earlier = merged[at];
    merged = earlier === undefined ? [...merged, detail] : merged.with(at, joinDetail(earlier, detail));
  }
  return merged;
}

function joinDetail(earlier: Detail, later: Detail): Detail {
  const joined: Record<string, unknown> = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    const before = earlier[key];
    // Encrypted data comes whole.
    const isText = key === 'text' || key === 'summary';
    if (isText && typeof before === 'string' && typeof value === 'string') joined[key] = before + value;
    else if (value !== null && value !== undefined) joined[key] = value;
  }
  return joined;
}

function unreachable(event: never): never {
  throw new Error(`unknown event ${JSON.stringify(event)}`);
}
