/** From a conversation to the messages of a request. Equal conversations give equal bytes (R11). */
import type { AssistantMessage, ContentPart, Message, UserMessage } from '../service/types.ts';
import { type ContextItem, toAskedText } from './context.ts';
import { type Conversation, type Exchange, type ImageAttachment, shownTurn, type Turn } from './turn.ts';

/** A question that is about to be asked. */
export interface Asked {
  readonly text: string;
  readonly images: readonly ImageAttachment[];
  readonly context?: readonly ContextItem[];
}

/**
 * The messages of the next request: what was said before, then the question. The newest question is always there
 * (Q4). Reasoning goes back verbatim under the name it came by (R4).
 *
 * A question that got no answer text is not sent as a message of its own, because two user messages in a row are not
 * documented: it is put before the next question. One that failed before the model saw it is left out.
 *
 * @param earlier the exchanges before the question
 */
export function toMessages(
  systemPrompt: string,
  earlier: readonly Exchange[],
  asked: Asked,
): readonly Message[] {
  const messages: Message[] = systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }];
  let unanswered: Asked[] = [];
  for (const exchange of earlier) {
    const turn = shownTurn(exchange);
    if (turn === undefined) continue;
    const refused = turn.outcome === 'failed' || turn.outcome === 'filtered';
    if (refused && turn.reasoning === '' && turn.answer === '') continue;
    unanswered.push({
      text: turn.request.prompt ?? exchange.question.text,
      images: exchange.question.images,
      context: exchange.question.context ?? [],
    });
    if (!isAnswered(turn)) continue;
    messages.push(toUserMessage(unanswered), toAssistantMessage(turn));
    unanswered = [];
  }
  messages.push(toUserMessage([...unanswered, asked]));
  return messages;
}

/** The exchanges before one of them, or all of the conversation's. */
export function exchangesBefore(
  conversation: Conversation,
  exchangeId: string | undefined,
): readonly Exchange[] {
  const at = conversation.exchanges.findIndex((exchange) => exchange.id === exchangeId);
  return at === -1 ? conversation.exchanges : conversation.exchanges.slice(0, at);
}

/** Calls are not answered yet by tools of ours, and a call without its result is refused: only text goes back. */
function isAnswered(turn: Turn): boolean {
  return turn.answer.trim() !== '';
}

/** In place of a question that was an image only, when the image is not sent any more: an empty message is refused. */
const LEFT_OUT = '[image left out]';

function toUserMessage(asked: readonly Asked[]): UserMessage {
  const text = asked
    .map(toAskedText)
    .filter((one) => one !== '')
    .join('\n\n');
  const images = asked.flatMap((one) => one.images).filter(({ omitted }) => omitted !== true);
  if (images.length === 0) return { role: 'user', content: text === '' ? LEFT_OUT : text };
  const parts: ContentPart[] = images.map(({ url }) => ({ type: 'image_url', image_url: { url } }));
  // With an image, content is an array of objects (Q5).
  return { role: 'user', content: text === '' ? parts : [...parts, { type: 'text', text }] };
}

/** An answer as it goes back, without its calls. */
export function toAssistantMessage(
  turn: Pick<Turn, 'answer' | 'reasoning' | 'reasoningName' | 'reasoningTags' | 'reasoningDetails'>,
): AssistantMessage {
  // Encrypted entries have no text and are needed to go on.
  const details = turn.reasoningDetails.length === 0 ? {} : { reasoning_details: turn.reasoningDetails };
  switch (turn.reasoningName) {
    case undefined:
      return { role: 'assistant', content: turn.answer, ...details };
    case 'reasoning_content':
      return { role: 'assistant', content: turn.answer, reasoning_content: turn.reasoning, ...details };
    case 'reasoning':
      return { role: 'assistant', content: turn.answer, reasoning: turn.reasoning, ...details };
    case 'reasoning_details':
      return { role: 'assistant', content: turn.answer, reasoning_details: turn.reasoningDetails };
    case 'tags': {
      const { open, close } = turn.reasoningTags ?? { open: '<think>', close: '</think>' };
      return { role: 'assistant', content: `${open}${turn.reasoning}${close}${turn.answer}` };
    }
  }
}

/**
 * The question again with the reasoning that ate the budget, to go on from it (F1). It stands in the question's own
 * message, in words, so that it works on routes that accept no reasoning from a client.
 */
export function toContinuation(question: string, reasoning: string): string {
  return `${question}\n\nYou have already reasoned about this; the output budget ended before the answer. Your reasoning so far:\n\n<reasoning>\n${reasoning}\n</reasoning>\n\nGo on from there: reason only as far as still needed, then answer.`;
}
