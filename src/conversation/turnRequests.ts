/** The requests of one turn: the first one, the same request in another form, and those with tool results. */
import { toContentParts } from '../service/contentParts.ts';
import { ServiceError } from '../service/errors.ts';
import { findMessageProblem } from '../service/request.ts';
import type { ChatRequest, Message } from '../service/types.ts';
import { withoutResults } from './fold.ts';
import type { FormEvent } from './otherForm.ts';
import { type EarlierResult, type Omission, omittedIn } from './requestFacts.ts';
import { earlierOmitted } from './requestMessages/omissions.ts';
import { toMessageParts } from './requestMessages/prefix.ts';
import { hasReasoningField, type SentReasoning, withReasoningAs } from './requestMessages/replay.ts';
import { toRunningRound } from './requestMessages/transcript.ts';
import type { Round, Turn } from './turn.ts';

export interface TurnRequests {
  /** The request to send. */
  next(): ChatRequest;
  /** That request with all calls without reasoning as text. Undefined if that changes nothing. */
  withCallsAsText(turn: Turn): ChatRequest | undefined;
  /** Sends the request in this form instead, because the service refused it. Later requests have this form, too. */
  replace(form: FormEvent, turn: Turn): void;
  /**
   * Adds the messages of the round that ended. All earlier messages keep their bytes, unless results are left out. Throws a
   * ServiceError if the service would refuse the messages.
   */
  grow(turn: Turn): Grown;
}

export interface Grown {
  /** The messages of the round, as {@link toMessageParts} writes them. */
  readonly added: string;
  /** The results that were left out, because the request would be too long. */
  readonly omission: Omission | undefined;
  /** From now on, every content is an array of objects, because of the first image (Q5). */
  readonly isOtherForm: boolean;
}

export interface TurnRequestsDeps {
  /** Results to leave out of the next request because it would be too long. */
  readonly findOmitted?: (turn: Turn, next: ChatRequest) => Omission | undefined;
  /**
   * The messages of the first request, without some results of earlier turns. `asText`: calls without reasoning are sent as text.
   * `sent`: how reasoning is sent.
   */
  readonly withoutEarlier?: (
    omitted: readonly EarlierResult[],
    asText?: boolean,
    sent?: SentReasoning,
  ) => readonly Message[];
  /** The service is known to refuse calls without reasoning. */
  readonly callsAsText?: boolean;
  /** The service is known to refuse reasoning as it came. */
  readonly sentReasoning?: SentReasoning;
  /** Whether the service is known to refuse a content that isn't an array beside an image (Q5). */
  readonly needsContentParts?: () => boolean;
}

export function createTurnRequests(deps: TurnRequestsDeps, first: ChatRequest): TurnRequests {
  let next = first;
  /** The number of messages before those of the rounds. */
  let headLength = first.messages.length;
  /** The service has refused calls without reasoning. */
  let asText = deps.callsAsText === true;
  /** The service has refused reasoning as it came. */
  let reasoning = deps.sentReasoning;
  /** If reasoning isn't sent, no calls have any. */
  const toRound = (round: Round, isText: boolean, omitted?: ReadonlySet<number>) =>
    toRunningRound(round, isText && (reasoning === 'none' || !hasReasoningField(round)), omitted);

  /** The messages before the rounds, with calls without reasoning as text. Undefined if there are no earlier calls. */
  const toTextHead = (turn: Turn) => deps.withoutEarlier?.(earlierOmitted(turn), true, reasoning);

  /**
   * Builds the request again, with the same rounds.
   *
   * @param head the messages before the rounds, if they are different
   */
  function toSame(
    turn: Pick<Turn, 'rounds' | 'request'>,
    isText: boolean,
    head: readonly Message[] = next.messages.slice(0, headLength),
  ): ChatRequest {
    const rounds = turn.rounds.flatMap((round, at) => toRound(round, isText, omittedIn(turn, at)));
    const messages = withReasoningAs(reasoning, [...head, ...rounds]);
    const isInParts = toContentParts(next.messages) === next.messages;
    return { ...next, messages: isInParts ? toContentParts(messages) : messages };
  }

  /** The next request without some results: everything else has the same bytes. */
  function toShorter(turn: Turn, omission: Omission): ChatRequest {
    const shorter = { rounds: turn.rounds, request: withoutResults(turn, omission) };
    const isHeadShorter = (omission.earlier ?? []).length > 0;
    const head = isHeadShorter
      ? deps.withoutEarlier?.(earlierOmitted(shorter), asText, reasoning)
      : undefined;
    return toSame(shorter, asText, head);
  }

  return {
    next: () => next,
    withCallsAsText(turn) {
      const again = toSame(turn, true, toTextHead(turn));
      return JSON.stringify(again.messages) === JSON.stringify(next.messages) ? undefined : again;
    },
    replace(form, turn) {
      next = form.request;
      if (form.type === 'other-reasoning') reasoning = form.sent;
      if (form.type !== 'calls-as-text') return;
      asText = true;
      headLength = toTextHead(turn)?.length ?? headLength;
    },
    grow(turn) {
      const before = next.messages;
      const ended = turn.rounds.slice(-1).flatMap((round) => toRound(round, asText));
      const messages = withReasoningAs(reasoning, [...before, ...ended]);
      const hadParts = turn.request.contentParts !== undefined;
      const sent = hadParts || deps.needsContentParts?.() === true ? toContentParts(messages) : messages;
      next = { ...next, messages: sent };
      const omission = deps.findOmitted?.(turn, next);
      if (omission !== undefined) next = toShorter(turn, omission);
      assertValidMessages(next);
      return {
        added: toMessageParts(sent.slice(before.length)),
        omission,
        isOtherForm: !hadParts && sent !== messages,
      };
    },
  };
}

/** The last check before the request of a round is sent. Throws if the service would refuse the messages. */
function assertValidMessages({ messages }: ChatRequest): void {
  const problem = findMessageProblem(messages);
  if (problem === undefined) return;
  const value = 'value' in problem ? ` ${problem.value}` : '';
  throw new ServiceError('invalid-request', {
    serviceMessage: `${problem.field}: ${problem.reason}${value}`,
  });
}
