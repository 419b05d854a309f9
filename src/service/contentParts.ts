/**
 * Two readings of Q5. "For image input each message's content must be an array of objects" is true of the messages
 * with images, or of every message of such a request. Requests are sent by the first reading, which keeps the cached
 * start of a conversation when its first image comes, and by the second one where a service asks for it.
 */
import { ServiceError } from './errors.ts';
import type { Message, TextContent } from './types.ts';

/** The messages with every content as an array of objects, if one of them has an image; otherwise the same messages. */
export function toContentParts(messages: readonly Message[]): readonly Message[] {
  return messages.some(hasImage) && messages.some(isText) ? messages.map(toArray) : messages;
}

/**
 * Whether the service may have refused these messages because of a content that isn't an array. The words of that
 * refusal aren't documented, so any invalid request with an image and with text as a string counts.
 */
export function mayNeedContentParts(thrown: unknown, messages: readonly Message[]): thrown is ServiceError {
  return isRefusal(thrown) && toContentParts(messages) !== messages;
}

/** Whether the service refused the request itself with an error status, so that nothing was billed. */
export function isRefusal(thrown: unknown): thrown is ServiceError {
  if (!(thrown instanceof ServiceError) || thrown.kind !== 'invalid-request') return false;
  return thrown.details.status === 400 || thrown.details.status === 422;
}

const hasImage = ({ role, content }: Message) =>
  role === 'user' && typeof content !== 'string' && content.some(({ type }) => type === 'image_url');

const isText = ({ content }: Message) => typeof content === 'string';

/** The message with its content as an array. */
export function toArray(message: Message): Message {
  // An answer with calls can have no content.
  return typeof message.content === 'string'
    ? { ...message, content: toTextParts(message.content) }
    : message;
}

const toTextParts = (text: string): TextContent => [{ type: 'text', text }];
