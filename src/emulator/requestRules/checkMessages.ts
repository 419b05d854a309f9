/** The rules for messages: roles, contents, images, and the messages of a tool loop (Q4–Q6, docs/service.md). */
import type { ReasoningName, RouteKind } from '../../service/types.ts';
import type { RequestedCall, RequestImage, RequestMessage } from '../completionRequest.ts';
import { type JsonObject, parseJsonText, toList, toObject } from '../json.ts';
import { type ErrorReply, refuseInvalid } from '../refusal.ts';
import { checkImage } from './checkImage.ts';
import { type CheckContext, type Checked, failed, isAbsent, passed } from './checkResult.ts';
import { TOOL_NAME } from './checkTools.ts';

export function checkMessages(value: unknown, context: CheckContext): Checked<readonly RequestMessage[]> {
  const { route } = context;
  const list = toList(value);
  if (list === undefined) return failed(refuseInvalid(route, 'messages must be an array'));
  if (list.length === 0) return failed(refuseInvalid(route, 'messages must not be empty'));
  const messages: RequestMessage[] = [];
  for (const [index, entry] of list.entries()) {
    const message = checkMessage(entry, `messages[${index}]`, context);
    if (!message.ok) return message;
    messages.push(message.value);
  }
  // Without a user message there is no question (Q4).
  if (!messages.some(({ role }) => role === 'user'))
    return failed(refuseInvalid(route, 'messages must contain a user message'));
  const problem = findMisplaced(messages, route) ?? findOrphan(messages, route);
  return problem === undefined ? passed(messages) : failed(problem);
}

/** A conversation begins with a question, and ends with a question or the results of calls (Q4). */
function findMisplaced(messages: readonly RequestMessage[], route: RouteKind): ErrorReply | undefined {
  const begin = messages.findIndex(({ role }) => role !== 'system');
  if (messages[begin]?.role === 'assistant')
    return refuseInvalid(route, `messages[${begin}]: a conversation must begin with a user message`);
  const last = messages.at(-1);
  return last?.role === 'assistant' && last.calls.length === 0
    ? refuseInvalid(route, 'messages must end with a user message, or with the results of tool calls')
    : undefined;
}

function checkMessage(entry: unknown, at: string, context: CheckContext): Checked<RequestMessage> {
  const invalid = (message: string): Checked<never> => failed(refuseInvalid(context.route, message));
  const raw = toObject(entry);
  if (raw === undefined) return invalid(`${at} must be an object`);
  const { role } = raw;
  if (role !== 'system' && role !== 'user' && role !== 'assistant' && role !== 'tool') {
    return invalid(`${at}.role must be system, user, assistant or tool`);
  }
  const content = checkContent(raw['content'], `${at}.content`, role, context.route);
  if (!content.ok) return content;
  const calls = checkCalls(raw['tool_calls'], `${at}.tool_calls`, context.route);
  if (!calls.ok) return calls;
  const { text, images } = content.value;
  if (role !== 'assistant' && calls.value.length > 0) return invalid(`${at}.tool_calls needs role assistant`);
  if (role === 'tool' && typeof raw['tool_call_id'] !== 'string') {
    return invalid(`${at}.tool_call_id must be a string`);
  }
  if (role !== 'assistant' && text.trim() === '' && images.length === 0) {
    return invalid(`${at}.content must not be empty`);
  }
  if (role === 'assistant') {
    const problem = checkAssistant(raw, text, at, calls.value.length > 0, context);
    if (problem !== undefined) return failed(problem);
  }
  return passed({ role, text, images, calls: calls.value, raw });
}

/** In a tool loop, the message must be sent back complete: with its reasoning and without an empty `content`. */
function checkAssistant(
  raw: JsonObject,
  text: string,
  at: string,
  hasCalls: boolean,
  context: CheckContext,
): ErrorReply | undefined {
  const { route } = context;
  const isBlank = text.trim() === '';
  const reasoned = context.replayNames.some((name) => carriesReasoning(raw, text, name));
  if (!hasCalls) {
    if (isBlank && !reasoned) return refuseInvalid(route, `${at}.content must not be empty`);
    return undefined;
  }
  if (isBlank && !isAbsent(raw['content'])) {
    return refuseInvalid(route, `${at}.content must not be empty; leave it out beside tool_calls`);
  }
  if (reasoned) return undefined;
  return refuseInvalid(
    route,
    `thinking is enabled but ${context.replayNames[0] ?? 'reasoning_content'} is missing in assistant tool call message at ${at}`,
  );
}

function carriesReasoning(raw: JsonObject, text: string, name: ReasoningName): boolean {
  switch (name) {
    case 'reasoning_content':
    case 'reasoning':
      return typeof raw[name] === 'string' && raw[name] !== '';
    case 'reasoning_details':
      return (toList(raw[name]) ?? []).length > 0;
    case 'tags':
      return /<\/think>|◁\/think▷/.test(text);
  }
}

interface Content {
  readonly text: string;
  readonly images: readonly RequestImage[];
}

function checkContent(value: unknown, at: string, role: string, route: RouteKind): Checked<Content> {
  const invalid = (message: string): Checked<never> => failed(refuseInvalid(route, message));
  if (typeof value === 'string') return passed({ text: value, images: [] });
  if (isAbsent(value) && role === 'assistant') return passed({ text: '', images: [] });
  const parts = toList(value);
  if (parts === undefined) return invalid(`${at} must be a string or an array of objects`);
  const texts: string[] = [];
  const images: RequestImage[] = [];
  for (const [index, entry] of parts.entries()) {
    const part = toObject(entry);
    if (part?.['type'] === 'text' && typeof part['text'] === 'string') {
      texts.push(part['text']);
    } else if (part?.['type'] === 'image_url') {
      if (role !== 'user') return invalid(`${at}[${index}]: images need role user`);
      const image = checkImage(part['image_url'], `${at}[${index}].image_url`, route);
      if (!image.ok) return image;
      images.push(image.value);
    } else {
      return invalid(`${at}[${index}] must be a text part with text, or an image_url part`);
    }
  }
  return passed({ text: texts.join('\n'), images });
}

function checkCalls(value: unknown, at: string, route: RouteKind): Checked<readonly RequestedCall[]> {
  if (isAbsent(value)) return passed([]);
  const invalid = (message: string): Checked<never> => failed(refuseInvalid(route, message));
  const list = toList(value);
  if (list === undefined || list.length === 0) return invalid(`${at} must be a non-empty array`);
  const calls: RequestedCall[] = [];
  for (const [index, entry] of list.entries()) {
    const call = toObject(entry);
    const fn = toObject(call?.['function']);
    const id = call?.['id'];
    const name = fn?.['name'];
    const args = fn?.['arguments'];
    if (typeof id !== 'string' || id === '') return invalid(`${at}[${index}].id must be a non-empty string`);
    if (call?.['type'] !== 'function') return invalid(`${at}[${index}].type must be function`);
    if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
      return invalid(`${at}[${index}].function.name must match ${TOOL_NAME.source}`);
    }
    if (typeof args !== 'string' || toObject(parseJsonText(args)) === undefined) {
      return invalid(`${at}[${index}].function.arguments must be a string with a JSON object`);
    }
    if (calls.some((other) => other.id === id)) return invalid(`${at}: id ${id} is duplicated`);
    calls.push({ id, name, arguments: args });
  }
  return passed(calls);
}

/**
 * Tool messages follow the assistant message with their calls: exactly one for each call, in any order, because calls
 * that run in parallel end in any order.
 */
function findOrphan(messages: readonly RequestMessage[], route: RouteKind): ErrorReply | undefined {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const id = String(message.raw['tool_call_id']);
      if (open.delete(id)) continue;
      return refuseInvalid(
        route,
        `messages[${index}].tool_call_id ${id} answers no open call of the assistant message before it`,
      );
    }
    const unanswered = findUnanswered(open, `messages[${index}]`, route);
    if (unanswered !== undefined) return unanswered;
    open = new Set(message.calls.map((call) => call.id));
  }
  return findUnanswered(open, 'the end of messages', route);
}

function findUnanswered(open: ReadonlySet<string>, before: string, route: RouteKind): ErrorReply | undefined {
  const [id] = open;
  if (id === undefined) return undefined;
  return refuseInvalid(
    route,
    `an assistant message with tool_calls must be followed by a tool message for each call; ${id} has none before ${before}`,
  );
}
