/** How earlier answers are sent back to a route, which may not be the one that they came from (R4). */
import { toArray } from '../../service/contentParts.ts';
import { asObject, asString } from '../../service/json.ts';
import type { Message, ReasoningName } from '../../service/types.ts';
import { type Exchange, shownTurn } from '../conversation.ts';
import { hasPart } from '../requestPrefix.ts';
import type { ModelResponse } from '../response.ts';
import { responsesOf } from '../rounds.ts';
import { type Destination, isFromRoute } from '../routePlace.ts';
import type { Round, Turn } from '../turn.ts';
import { toMessageParts } from './prefix.ts';

/** The fields of a response that are sent back. */
export type SentResponse = Pick<
  ModelResponse,
  'answer' | 'reasoning' | 'reasoningName' | 'reasoningTags' | 'reasoningDetails'
>;

export interface Replay {
  /** Returns the response of a turn with its reasoning under the name that the route knows. */
  named(response: SentResponse, turn: Turn): SentResponse;
  /**
   * Whether the calls of a round are sent as text, because they would be refused without their reasoning.
   *
   * @param asCalls the messages of the round if its calls are sent as calls
   */
  isText(round: Round, turn: Turn, asCalls: readonly Message[]): boolean;
  /**
   * Whether a route that has refused calls for their reasoning may refuse these: they have none, or the name that the route reads
   * isn't known.
   */
  isRefused(round: Round, turn: Turn): boolean;
}

/** Sends everything back as it came. */
export const AS_IT_CAME: Replay = {
  named: (response) => response,
  isText: () => false,
  isRefused: (round) => !hasReasoningField(round),
};

/** The same for a route that has refused calls for their reasoning: all calls that it may refuse are sent as text. */
export const withCallsAsText = (replay: Replay, sent: SentReasoning | undefined): Replay => ({
  ...replay,
  // If reasoning isn't sent, no calls have any.
  isText: sent === 'none' ? () => true : replay.isRefused,
});

/** Whether a route has refused calls without reasoning in one of these turns. */
export const refusesCalls = (turns: readonly Turn[], route: Destination): boolean =>
  turns.some(({ request }) => request.callsAsText === true && isFromRoute(request, route));

/**
 * Answers of the same route are sent back as they came. In answers of another route, the reasoning gets the name that this route
 * had used before them, or else the first name that it has used since, or the documented one. So they keep a name that this route
 * has used even if it uses another one later, and stay cached (R11). Calls without reasoning are sent as text, unless this route
 * gave them like that, hasn't refused them, and either gives no reasoning at all or has accepted them like that (R11). After a
 * refusal, calls of another route are sent as text, too, as long as this route has given no name.
 *
 * @param earlier the exchanges of the request, which show what the route gives
 * @param turns the turns of the conversation, including those that aren't shown anymore, which show what the route refuses
 */
export function toReplay(
  earlier: readonly Exchange[],
  route: Destination,
  turns: readonly Turn[] = earlier.flatMap(({ attempts }) => attempts),
): Replay {
  const isFromHere = ({ request }: Turn) => isFromRoute(request, route);
  const nameOf = (turn: Turn) =>
    isFromHere(turn)
      ? responsesOf(turn).findLast(({ reasoningName }) => reasoningName !== undefined)?.reasoningName
      : undefined;
  const used = earlier.flatMap((exchange) => {
    const turn = shownTurn(exchange);
    return turn === undefined ? [] : [{ turn, name: nameOf(turn) }];
  });
  const known = used.find(({ name }) => name !== undefined)?.name;
  const wanted = new Map<Turn, ReasoningName>();
  let last = known ?? 'reasoning_content';
  for (const { turn, name } of used) {
    last = name ?? last;
    wanted.set(turn, last);
  }
  const named = (response: SentResponse, turn: Turn) =>
    isFromHere(turn) ? response : withName(response, wanted.get(turn) ?? last);
  const isBare = (round: Round, turn: Turn) => !hasReasoning(named(round, turn));
  const isRefused = (round: Round, turn: Turn) =>
    !hasReasoningField(named(round, turn)) || (known === undefined && !isFromHere(turn));
  if (refusesCalls(turns, route)) return { named, isRefused, isText: isRefused };
  const here = used.map(({ turn }) => turn).filter(isFromHere);
  return {
    named,
    isRefused,
    isText: (round, turn, asCalls) =>
      isBare(round, turn) &&
      !(isFromHere(turn) && (known === undefined || haveTaken([turn, ...here], asCalls))),
  };
}

/**
 * Whether the last request of one of these turns had the calls of a round, and wasn't refused. If the reasoning of the calls was
 * lost since then, the messages of that request were different. Usually, the request of the first turn had the calls; searching
 * through all of a long conversation takes long.
 */
function haveTaken(turns: readonly Turn[], [calls]: readonly Message[]): boolean {
  if (calls === undefined) return false;
  const parts = [calls, toArray(calls)].map((message) => toMessageParts([message]));
  return turns.some(
    ({ failure, request: { prefix } }) =>
      failure?.kind !== 'invalid-request' && parts.some((part) => hasPart(prefix, part)),
  );
}

/**
 * How reasoning goes to a route that refuses it as it came: not at all, or under the documented name, because a gateway renames it
 * in answers only.
 */
export type SentReasoning = 'none' | 'documented';

/** The form in which reasoning is sent to a route, because of its refusals in these turns. */
export function toSentReasoning(turns: readonly Turn[], route: Destination): SentReasoning | undefined {
  const known = turns.filter(({ request }) => isFromRoute(request, route)).map(({ request }) => request);
  if (known.some(({ withoutReasoning }) => withoutReasoning === true)) return 'none';
  return known.some(({ documentedReasoning }) => documentedReasoning === true) ? 'documented' : undefined;
}

/** The messages with their reasoning in another form. The same array if nothing changes. */
export function withReasoningAs(
  sent: SentReasoning | undefined,
  messages: readonly Message[],
): readonly Message[] {
  if (sent === undefined) return messages;
  const changed = messages.map((message) => {
    if (message.role !== 'assistant') return message;
    const { reasoning, reasoning_content, reasoning_details, ...rest } = message;
    if (sent === 'none')
      return (reasoning ?? reasoning_content ?? reasoning_details) === undefined ? message : rest;
    const text = reasoning ?? toDetailsText(reasoning_details);
    return text === '' || reasoning_content !== undefined ? message : { ...rest, reasoning_content: text };
  });
  return changed.every((message, at) => message === messages[at]) ? messages : changed;
}

const toDetailsText = (details: readonly unknown[] = []): string =>
  details
    .map(asObject)
    .map((detail) => asString(detail?.['text']) ?? asString(detail?.['summary']) ?? '')
    .join('');

export const hasReasoning = ({
  reasoning,
  reasoningDetails,
}: Pick<SentResponse, 'reasoning' | 'reasoningDetails'>): boolean =>
  reasoning !== '' || reasoningDetails.length > 0;

/** Whether a response has reasoning that isn't in tags in its content. Services that require reasoning don't look for tags. */
export const hasReasoningField = (
  response: Pick<SentResponse, 'reasoning' | 'reasoningDetails' | 'reasoningName'>,
): boolean => hasReasoning(response) && response.reasoningName !== 'tags';

/**
 * The response with its reasoning under another name. Entries that aren't text are left out: only the route that they came from
 * can read them.
 */
function withName(response: SentResponse, name: ReasoningName): SentResponse {
  if (response.reasoningName === name && response.reasoningDetails.length === 0) return response;
  const { answer, reasoning } = response;
  const bare = { answer, reasoning, reasoningTags: undefined, reasoningDetails: [] };
  if (reasoning === '') return { ...bare, reasoningName: undefined };
  if (name !== 'reasoning_details') return { ...bare, reasoningName: name };
  const entry = { type: 'reasoning.text', index: 0, text: reasoning };
  return { ...bare, reasoningName: name, reasoningDetails: [entry] };
}
