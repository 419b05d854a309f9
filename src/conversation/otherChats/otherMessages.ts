/**
 * Converts the messages of another chat in the editor to messages that svc-k3 accepts: roles alternate,
 * results follow their calls, images are bytes, and the reasoning that the other chat doesn't keep is
 * restored (docs/service.md).
 */
import type {
  AssistantMessage,
  ContentPart,
  FunctionTool,
  Message,
  ToolMessage,
} from '../../service/types.ts';
import { type OtherType, sniffOther } from '../images/images.ts';
import { toAssistantMessage } from '../requestMessages/transcript.ts';
import { EMPTY_HISTORY_HASH, foldHistoryHash } from './historyHash.ts';
import { haveResults, toCallsText, withResultsAsText } from './otherCallsText.ts';
import {
  callsOf,
  imagesOf,
  isUnsupported,
  mergedMessages,
  type OtherCall,
  type OtherMessage,
  type OtherPart,
  type Result,
  resultText,
  textOfParts,
} from './otherParts.ts';
import type { AnswerPosition, KnownAnswer, ReasoningMemory, ReturnedAnswer } from './reasoningMemory.ts';

export interface OtherTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>> | undefined;
}

/** Data that svc-k3 doesn't accept, with its common name, or else its declared type. */
export interface UnsupportedData {
  readonly mime: string;
  readonly found: OtherType | undefined;
}

export type OtherTranscript =
  | {
      readonly ok: true;
      readonly messages: readonly Message[];
      /** The number of assistant messages whose calls are sent as text because their reasoning isn't known anymore. */
      readonly forgotten: number;
      /** The position of the answer to these messages. */
      readonly next: AnswerPosition;
    }
  | { readonly ok: false; readonly unsupported: UnsupportedData };

/**
 * The messages of a request. Calls that the service would refuse, such as those without results, are sent as text, and so are
 * results without calls. So a chat can go on if it was stopped while its tool ran, or if it shortens its history.
 *
 * @param route identifies the service, for the memory
 * @param isStrict whether the service has refused calls. Calls whose reasoning only the other chat has may need it under another
 * name, so they are sent as text.
 */
export function toServiceMessages(
  others: readonly OtherMessage[],
  memory: Pick<ReasoningMemory, 'recall'>,
  route: string,
  isStrict = false,
): OtherTranscript {
  const unsupported = others.flatMap(({ parts }) => parts).find(isUnsupported);
  if (unsupported?.type === 'data') {
    const found = sniffOther(unsupported.bytes);
    return { ok: false, unsupported: { mime: unsupported.mime, found } };
  }
  const messages: Message[] = [];
  let next: AnswerPosition = { route, before: EMPTY_HISTORY_HASH };
  let callsAsText: readonly OtherCall[] = [];
  let forgotten = 0;
  const list = mergedMessages(others);
  // Results alone aren't a question, which the service needs.
  const isAsked = list.some(
    ({ role, parts }) => role === 'user' && (textOfParts(parts) !== '' || imagesOf(parts).length > 0),
  );
  for (const [at, message] of list.entries()) {
    const { role, parts } = message;
    if (role === 'system') messages.push({ role, content: textOfParts(parts) });
    else if (role === 'user') {
      const ids = idsOf(messages.at(-1));
      messages.push(...toUserMessages(withResultsAsText(parts, callsAsText, ids), ids));
    } else {
      const returned: ReturnedAnswer = { answer: textOfParts(parts), calls: callsOf(parts) };
      const { calls } = returned;
      const isGiven = !isStrict || calls.length === 0;
      const known = memory.recall(next, returned) ?? (isGiven ? toGivenAnswer(returned, parts) : undefined);
      if (known === undefined) forgotten++;
      const mayCall = calls.length === 0 || (isAsked && haveResults(calls, list[at + 1]));
      const answered = mayCall ? known : undefined;
      callsAsText = answered === undefined ? returned.calls : [];
      messages.push(answered === undefined ? toTextAnswer(returned) : toAnswer(returned, answered));
    }
    next = { route, before: foldHistoryHash(next.before, message) };
  }
  return { ok: true, messages, forgotten, next };
}

/**
 * Adds words that ask for a call, because no call can be forced (Q12). They are at the end, so that everything before them is
 * cached.
 */
export function withWantedCall(
  messages: readonly Message[],
  tools: readonly Pick<OtherTool, 'name'>[],
): readonly Message[] {
  const [tool, ...others] = tools;
  if (tool === undefined || !messages.some(({ role }) => role === 'user')) return messages;
  const text = `Answer with a call of ${others.length === 0 ? `the tool ${tool.name}` : 'one of the tools'}.`;
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: text }];
  const content: string | readonly ContentPart[] =
    typeof last.content === 'string'
      ? `${last.content}\n\n${text}`
      : [...last.content, { type: 'text', text }];
  return messages.with(-1, { ...last, content });
}

/** Adds a user message before an answer at the beginning, and after an answer at the end, because services refuse such answers. */
export function betweenQuestions(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(({ role }) => role === 'user')) return messages;
  const isSaid = ({ role }: Message) => role !== 'system';
  const first = messages.findIndex(isSaid);
  const begun =
    messages[first]?.role === 'assistant'
      ? messages.toSpliced(first, 0, { role: 'user', content: '[no question]' })
      : messages;
  return begun.findLast(isSaid)?.role === 'assistant'
    ? [...begun, { role: 'user', content: 'Continue.' }]
    : begun;
}

/** All text and results from the user after the last answer. */
export function newestOf(others: readonly OtherMessage[]): string {
  const last = others.findLastIndex(({ role }) => role === 'assistant');
  return others
    .slice(last + 1)
    .flatMap(({ role, parts }) =>
      role === 'user'
        ? [...parts.map((part) => (part.type === 'result' ? resultText(part.parts) : '')), textOfParts(parts)]
        : [],
    )
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The tools in an order that doesn't depend on the other chat, so that the prefix stays cached. */
export function toFunctionTools(tools: readonly OtherTool[]): readonly FunctionTool[] {
  return tools
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ name, description, schema }) => ({
      type: 'function',
      function: {
        name,
        ...(description === '' ? {} : { description }),
        // Arguments are an object, whatever the schema says, such as `["object", "null"]`. `type` keeps its position, for the
        // cache.
        parameters: Object.assign({ type: 'object' }, schema ?? { properties: {} }, { type: 'object' }),
      },
    }));
}

/** The ids of the calls in a message. */
const idsOf = (message: Message | undefined): readonly string[] =>
  message?.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [];

/**
 * The results first, in the order of their calls, then the text beside them, with the images of the results.
 *
 * @param ids the ids of the calls; each result has one of them
 */
function toUserMessages(parts: readonly OtherPart[], ids: readonly string[]): readonly Message[] {
  const results = parts
    .filter((part): part is Result => part.type === 'result')
    .toSorted((a, b) => ids.indexOf(a.callId) - ids.indexOf(b.callId));
  const tools = results.map(
    ({ callId, parts: content }): ToolMessage => ({
      role: 'tool',
      tool_call_id: callId,
      content: resultText(content),
    }),
  );
  const images = [...results.flatMap((result) => imagesOf(result.parts)), ...imagesOf(parts)];
  const text = textOfParts(parts);
  if (images.length === 0) return text === '' ? tools : [...tools, { role: 'user', content: text }];
  const content: ContentPart[] = text === '' ? [...images] : [...images, { type: 'text', text }];
  return [...tools, { role: 'user', content }];
}

/**
 * The answer with the reasoning that the other chat gives. Undefined if calls would be sent back without
 * their reasoning.
 */
function toGivenAnswer(
  { answer, calls }: ReturnedAnswer,
  parts: readonly OtherPart[],
): KnownAnswer | undefined {
  const reasoning = parts.flatMap((part) => (part.type === 'thinking' ? [part.text] : [])).join('');
  if (reasoning === '' && calls.length > 0) return undefined;
  return {
    answer,
    toolCalls: [],
    reasoning,
    reasoningName: reasoning === '' ? undefined : 'reasoning_content',
    reasoningTags: undefined,
    reasoningDetails: [],
  };
}

const NO_ANSWER: AssistantMessage = { role: 'assistant', content: '[no answer]' };

function toTextAnswer({ answer, calls }: ReturnedAnswer): AssistantMessage {
  return { role: 'assistant', content: toCallsText(answer, calls) };
}

/** An answer as it is sent back: unchanged if the original is known. */
function toAnswer({ answer, calls }: ReturnedAnswer, answered: KnownAnswer): AssistantMessage {
  // An answer without calls needs content, and reasoning alone isn't content.
  if (answer === '' && calls.length === 0) return NO_ANSWER;
  // White space alone is refused beside calls, too.
  const same = answer !== '' && answered.answer.trim() === answer.trim();
  const { content, ...rest } = toAssistantMessage(same ? answered : { ...answered, answer });
  if (calls.length === 0) return { ...rest, content: content ?? '' };
  return {
    ...rest,
    // An empty `content` next to calls is refused.
    ...(content === undefined || content === '' ? {} : { content }),
    tool_calls: calls.map(({ id, name, arguments: args }) => {
      const written = answered.toolCalls.find((call) => call.id === id)?.arguments;
      return { id, type: 'function', function: { name, arguments: written || args } };
    }),
  };
}
