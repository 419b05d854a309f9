/** Converts a conversation to the messages of a request. Equal conversations give equal bytes (R11). */
import type { AssistantMessage, ContentPart, Message, UserMessage } from '../../service/types.ts';
import { type ContextItem, toAskedText } from '../context/context.ts';
import { askedQuestion, type Conversation, type Exchange, shownTurn } from '../conversation.ts';
import { toCallsText } from '../otherChats/otherCallsText.ts';
import type { ImageAttachment, Preset } from '../question.ts';
import type { EarlierResult } from '../requestFacts.ts';
import type { ModelResponse } from '../response.ts';
import { sentImagesIn } from '../toolCalls/tools.ts';
import type { Round, Turn } from '../turn.ts';
import { toOmissions } from './omissions.ts';
import { AS_IT_CAME, hasReasoning, type Replay, type SentResponse } from './replay.ts';
import { toResultImages, toSentCall, toSentResult } from './sentCalls.ts';

/** A question that is about to be sent. */
export interface NextQuestion {
  readonly text: string;
  readonly images: readonly ImageAttachment[];
  readonly context?: readonly ContextItem[];
  readonly preset?: Preset;
}

/**
 * The messages of the next request: the earlier exchanges, then the question. The newest question is always included (Q4).
 * Reasoning is sent back unchanged under its original name (R4).
 *
 * A question that has no answer text, for example because it was stopped, keeps its message, so that the next request starts with
 * the same bytes (R11). A note follows it, because two consecutive user messages are not documented. A question that failed
 * before the model received it is omitted.
 *
 * @param earlier the exchanges before the question
 * @param replay how their answers are sent back to the route
 * @param more further tool results to leave out, in addition to those that were left out before
 */
export function toMessages(
  systemPrompt: string,
  earlier: readonly Exchange[],
  asked: NextQuestion,
  replay?: Replay,
  more?: readonly EarlierResult[],
): readonly Message[] {
  const system: readonly Message[] =
    systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }];
  const before = toPieces(earlier, replay, more).flatMap(({ messages }) => messages);
  return [...system, ...before, toUserMessage(asked)];
}

/** Messages that belong together: a question, a round, or an answer. */
export interface Piece {
  readonly messages: readonly Message[];
  /** The round that the piece is, if any. */
  readonly of?: {
    readonly turn: Turn;
    readonly round: number;
    /** The calls whose results stay as they are, because the user wants them to be sent, or they are left out already. */
    readonly settled: 'all' | ReadonlySet<number>;
  };
}

/** The messages of the exchanges before a question. */
export function toPieces(
  earlier: readonly Exchange[],
  replay: Replay = AS_IT_CAME,
  more: readonly EarlierResult[] = [],
): readonly Piece[] {
  const omissions = toOmissions(earlier, more);
  return earlier.flatMap((exchange): readonly Piece[] => {
    const turn = shownTurn(exchange);
    if (turn === undefined || !isSent(exchange)) return [];
    const question = askedQuestion(exchange, turn);
    const rounds = turn.rounds.flatMap((given, at): readonly Piece[] => {
      // A round whose calls could not be read has none. It can't be sent without them.
      if (given.toolCalls.length === 0) return [];
      const round = turn.request.withoutImages === true ? withImageNotes(given) : given;
      const omitted = omissions.omitted(turn.id, at);
      const asCalls = toRoundMessages({ ...round, ...replay.named(round, turn) }, omitted);
      const isText = replay.isText(round, turn, asCalls);
      const messages = isText ? toRoundText(withOmitted(round, omitted)) : asCalls;
      const settled = exchange.question.keepsResults
        ? 'all'
        : new Set([...omitted, ...omissions.kept(turn.id, at)]);
      return [{ messages, of: { turn, round: at, settled } }];
    });
    const asked = toUserMessage({ ...question, text: turn.request.prompt ?? question.text });
    const last = rounds.at(-1)?.messages.at(-1) ?? asked;
    return [{ messages: [asked] }, ...rounds, { messages: toEnd(turn, last, replay) }];
  });
}

/** @param last the previous message */
function toEnd(turn: Turn, last: Message, replay: Replay): readonly Message[] {
  if (hasAnswer(turn)) return [toAssistantMessage(replay.named(turn, turn))];
  return last.role === 'user' ? [toNoAnswer(turn)] : [];
}

/** Whether later requests contain the question of an exchange. They don't if it failed before the model received it. */
export function isSent(exchange: Exchange): boolean {
  const turn = shownTurn(exchange);
  if (turn === undefined) return false;
  const refused = turn.outcome === 'failed' || turn.outcome === 'filtered';
  return (
    !refused || hasReasoning(turn) || turn.answer !== '' || turn.rounds.length + turn.toolCalls.length > 0
  );
}

/** The exchanges before an exchange, or all exchanges of the conversation if it isn't found. */
export function exchangesBefore(
  conversation: Conversation,
  exchangeId: string | undefined,
): readonly Exchange[] {
  const at = conversation.exchanges.findIndex((exchange) => exchange.id === exchangeId);
  return at === -1 ? conversation.exchanges : conversation.exchanges.slice(0, at);
}

function toNoAnswer({ outcome }: Turn): AssistantMessage {
  return {
    role: 'assistant',
    content: outcome === 'stopped' ? '[no answer: stopped by the user]' : '[no answer]',
  };
}

/**
 * Calls that were cut off have no results and would be refused, so only the text of the last response is sent
 * back.
 */
function hasAnswer(turn: Turn): boolean {
  return turn.answer.trim() !== '';
}

/**
 * Replaces a question that consisted only of an image which is no longer sent, because an empty message is
 * refused.
 */
const OMITTED_IMAGE = '[image left out]';

function toUserMessage(asked: NextQuestion): UserMessage {
  const text = toAskedText(asked);
  const images = asked.images.filter(({ omitted }) => omitted !== true);
  if (images.length === 0) return { role: 'user', content: text === '' ? OMITTED_IMAGE : text };
  const parts: ContentPart[] = images.map(({ url }) => ({ type: 'image_url', image_url: { url } }));
  // With an image, `content` is an array of objects (Q5).
  return { role: 'user', content: text === '' ? parts : [...parts, { type: 'text', text }] };
}

/**
 * The messages of a finished round: the response, its calls (`sentCalls.ts`), and a result for each call, in the same order. A
 * result that is omitted, given by the index of its call, is replaced by a note. Images are sent in a user message, because only
 * user messages can contain them (Q5).
 */
export function toRoundMessages(
  sent: Pick<Round, keyof ModelResponse>,
  omitted: ReadonlySet<number> = NONE,
): readonly Message[] {
  const round = withOmitted(sent, omitted);
  const { content = '', ...response } = toAssistantMessage(round);
  const isBlank = typeof content === 'string' && content.trim() === '';
  const images = toResultImages(round.toolCalls);
  return [
    // Next to calls, a blank `content` is omitted, because some routes refuse it (docs/service.md).
    { ...response, ...(!isBlank && { content }), tool_calls: round.toolCalls.map(toSentCall) },
    ...round.toolCalls.map(toSentResult),
    ...(images.length === 0 ? [] : [{ role: 'user', content: images } as const]),
  ];
}

const NONE: ReadonlySet<number> = new Set();

/** The same bytes each time, so that the messages after it stay cached (R11). */
const OMITTED_RESULT = { text: '[result left out to make room: call the tool again if you need it]' };

function withOmitted<Sent extends Pick<Round, 'toolCalls'>>(round: Sent, omitted: ReadonlySet<number>): Sent {
  if (omitted.size === 0) return round;
  const toolCalls = round.toolCalls.map((call, at) =>
    omitted.has(at) ? { ...call, result: OMITTED_RESULT } : call,
  );
  return { ...round, toolCalls };
}

/** Replaces images that are no longer sent by a note for the model. */
const withImageNotes = (round: Round): Round => ({
  ...round,
  toolCalls: round.toolCalls.map((call) => {
    const { text = '' } = call.result ?? {};
    return sentImagesIn(call.result).length === 0
      ? call
      : { ...call, result: { text: `${text}\n${OMITTED_IMAGE}`.trimStart() } };
  }),
});

/** @param asText whether the calls are sent as text, because the service has refused them */
export const toRunningRound = (
  round: Round,
  asText: boolean,
  omitted: ReadonlySet<number> = NONE,
): readonly Message[] =>
  asText ? toRoundText(withOmitted(round, omitted)) : toRoundMessages(round, omitted);

/** The same messages as text: the response with its calls, then the results of all calls in one message. */
function toRoundText({ answer, toolCalls }: Round): readonly Message[] {
  const text = toolCalls
    .map(({ name, result }, at) => `[Result of tool call ${at + 1}: ${name}]\n${result?.text ?? ''}`)
    .join('\n\n');
  const images = toResultImages(toolCalls);
  return [
    { role: 'assistant', content: toCallsText(answer, toolCalls) },
    { role: 'user', content: images.length === 0 ? text : [{ type: 'text', text }, ...images] },
  ];
}

/** An answer as it is sent back, without its calls. */
export function toAssistantMessage(response: SentResponse): AssistantMessage {
  // Encrypted entries have no text, but the model needs them to continue.
  const details =
    response.reasoningDetails.length === 0 ? {} : { reasoning_details: response.reasoningDetails };
  switch (response.reasoningName) {
    case undefined:
      return { role: 'assistant', content: response.answer, ...details };
    case 'reasoning_content':
      return {
        role: 'assistant',
        content: response.answer,
        reasoning_content: response.reasoning,
        ...details,
      };
    case 'reasoning':
      return { role: 'assistant', content: response.answer, reasoning: response.reasoning, ...details };
    case 'reasoning_details':
      return { role: 'assistant', content: response.answer, reasoning_details: response.reasoningDetails };
    case 'tags': {
      const { open, close } = response.reasoningTags ?? { open: '<think>', close: '</think>' };
      return { role: 'assistant', content: `${open}${response.reasoning}${close}${response.answer}` };
    }
  }
}
