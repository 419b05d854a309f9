import type {
  AppendedText,
  CallsAsTextEvent,
  ContentPartsEvent,
  OtherReasoningEvent,
  TurnEnd,
  TurnEvent,
  TurnStep,
} from './events.ts';
import { foldStream, progressing } from './foldStream.ts';
import { toOutcome } from './outcomes/outcome.ts';
import { closeOutline, EMPTY_OUTLINE } from './reasoning/outline.ts';
import type { Omission, RequestFacts } from './requestFacts.ts';
import { findChangedPart } from './requestMessages/prefix.ts';
import { laterPrefix, longerPrefix, type Prefix } from './requestPrefix.ts';
import { EMPTY_RESPONSE } from './response.ts';
import { foldCall, settleCalls, toRound } from './rounds.ts';
import type { RoundTimes, Turn } from './turn.ts';

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
        request: { ...turn.request, prefix: longerPrefix(turn.request.prefix, event.added) },
        roundTimes: roundFrom(at),
        timings: progressing(turn, at),
      };
    case 'results-omitted': {
      const request = withoutResults(turn, event.omission, otherPrefix(turn, event));
      return { ...turn, request, timings: progressing(turn, at) };
    }
    case 'calls-as-text':
    case 'other-reasoning':
      return { ...turn, request: inOtherForm(turn, event), timings: progressing(turn, at) };
    case 'refused':
      return { ...turn, timings: { ...turn.timings, connected: undefined } };
    case 'content-parts':
      return { ...turn, request: withContentParts(turn, event), timings: progressing(turn, at) };
    default:
      return foldStream(turn, event, at);
  }
}

/** The facts of a turn whose next request is sent without some results. */
export function withoutResults(
  { request, rounds }: Pick<Turn, 'request' | 'rounds'>,
  omission: Omission,
  prefix = request.prefix,
): RequestFacts {
  const omitted = [...(request.omitted ?? []), { fromRound: rounds.length, ...omission }];
  return { ...request, omitted, prefix };
}

function withContentParts(turn: Turn, event: ContentPartsEvent): RequestFacts {
  const contentParts = { fromRound: turn.rounds.length, refused: event.refused };
  return { ...turn.request, contentParts, prefix: otherPrefix(turn, event) };
}

function inOtherForm(turn: Turn, event: CallsAsTextEvent | OtherReasoningEvent): RequestFacts {
  const { request, rounds } = turn;
  const form =
    event.type === 'calls-as-text'
      ? ({ callsAsText: true } as const)
      : event.sent === 'none'
        ? ({ withoutReasoning: true } as const)
        : ({ documentedReasoning: true } as const);
  const part = findChangedPart(request.prefix, event.prefix);
  const otherForms = [...(request.otherForms ?? []), { fromRound: rounds.length, part }];
  return { ...request, ...form, ...(part !== -1 && { otherForms }), prefix: otherPrefix(turn, event) };
}

/** The prefix of a request that replaces the previous request. Earlier turns have most of its parts. */
const otherPrefix = ({ request }: Turn, { prefix }: { readonly prefix: string }): Prefix =>
  laterPrefix(request.prefix, prefix);

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
