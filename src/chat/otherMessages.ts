/**
 * The messages of another chat of the editor, as plain data, and as what svc-k3 takes: roles that alternate, results
 * beside their calls, images as bytes, and the reasoning that the other chat does not keep (`field-notes.md`).
 */
import type { AssistantMessage, ContentPart, FunctionTool, Message, ToolMessage } from '../service/types.ts';
import { type OtherType, sniffImage, sniffOther } from './images.ts';
import type { Answered, ReasoningMemory } from './reasoningMemory.ts';
import { estimateTokens, IMAGE_TOKENS } from './tokens.ts';
import { toAssistantMessage } from './transcript.ts';

export type OtherPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** Bytes with the type that the other chat declares. One without a slash is a note of that chat to itself. */
  | { readonly type: 'data'; readonly mime: string; readonly bytes: Uint8Array }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'result'; readonly callId: string; readonly parts: readonly OtherPart[] };

export interface OtherMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly OtherPart[];
}

export interface OtherTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>> | undefined;
}

/** Something that svc-k3 does not take, by the name that people know it by, else by its declared type. */
export interface UnsupportedData {
  readonly mime: string;
  readonly found: OtherType | undefined;
}

export type OtherTranscript =
  | {
      readonly ok: true;
      readonly messages: readonly Message[];
      /** Assistant messages with calls whose reasoning is not known any more. */
      readonly forgotten: number;
    }
  | { readonly ok: false; readonly unsupported: UnsupportedData };

/** The messages for a request. Calls without results, and results without calls, are left for `buildRequest` to refuse. */
export function toServiceMessages(
  others: readonly OtherMessage[],
  memory: Pick<ReasoningMemory, 'recall'>,
): OtherTranscript {
  const unsupported = others.flatMap(({ parts }) => parts).find(isUnsupported);
  if (unsupported?.type === 'data') {
    const found = sniffOther(unsupported.bytes);
    return { ok: false, unsupported: { mime: unsupported.mime, found } };
  }
  const beginning = beginningOf(others);
  const messages: Message[] = [];
  let forgotten = 0;
  for (const { role, parts } of merged(others)) {
    if (role === 'system') messages.push({ role, content: textOf(parts) });
    else if (role === 'user') messages.push(...toUserMessages(parts, messages.at(-1)));
    else {
      const { message, known } = toAnswer(parts, beginning, memory);
      messages.push(message);
      if (!known && message.tool_calls !== undefined) forgotten++;
    }
  }
  return { ok: true, messages, forgotten };
}

/** What tells one conversation of another chat from the next: its first question. */
export function beginningOf(others: readonly OtherMessage[]): string {
  return textOf(others.find(({ role }) => role === 'user')?.parts ?? []);
}

/** What was said since the last answer, in one text. */
export function newestOf(others: readonly OtherMessage[]): string {
  const last = others.findLastIndex(({ role }) => role === 'assistant');
  return others
    .slice(last + 1)
    .flatMap(({ role, parts }) => (role === 'user' ? parts : []))
    .map((part) => (part.type === 'result' ? resultText(part.parts) : textOf([part])))
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Tools in an order that does not depend on the other chat's, so that the prefix stays cached. */
export function toFunctionTools(tools: readonly OtherTool[]): readonly FunctionTool[] {
  return tools
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ name, description, schema }) => ({
      type: 'function',
      function: {
        name,
        ...(description === '' ? {} : { description }),
        parameters: { type: 'object', ...(schema ?? { properties: {} }) },
      },
    }));
}

/** Tokens of a message, estimated. */
export function estimateParts(parts: readonly OtherPart[]): number {
  return parts.reduce((sum, part) => sum + estimatePart(part), 0);
}

function estimatePart(part: OtherPart): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return estimateTokens(part.text);
    case 'data':
      if (sniffImage(part.bytes) !== undefined) return IMAGE_TOKENS;
      return isText(part.mime) ? estimateTokens(new TextDecoder().decode(part.bytes)) : 0;
    case 'call':
      return estimateTokens(part.name + JSON.stringify(part.input ?? {}));
    case 'result':
      return estimateParts(part.parts);
  }
}

/** Messages without those that say nothing; two of one role in a row are one. */
function merged(others: readonly OtherMessage[]): readonly OtherMessage[] {
  const runs: OtherMessage[] = [];
  for (const message of others) {
    const parts = message.parts.filter(saysSomething);
    if (parts.length === 0) continue;
    const last = runs.at(-1);
    if (last?.role !== message.role) runs.push({ role: message.role, parts });
    else
      runs[runs.length - 1] = {
        role: last.role,
        parts: [...last.parts, { type: 'text', text: '\n\n' }, ...parts],
      };
  }
  return runs.filter(({ role, parts }) => role !== 'system' || textOf(parts) !== '');
}

function saysSomething(part: OtherPart): boolean {
  if (part.type === 'text' || part.type === 'thinking') return part.text.trim() !== '';
  return part.type !== 'data' || sniffImage(part.bytes) !== undefined || isText(part.mime);
}

const isText = (mime: string) => /^text\/|[/+]json\b|[/+]xml\b/.test(mime);

/** In a result a note stands in its place: the model can go on without it. */
function isUnsupported(part: OtherPart): boolean {
  return (
    part.type === 'data' &&
    part.mime.includes('/') &&
    !isText(part.mime) &&
    sniffImage(part.bytes) === undefined
  );
}

function textOf(parts: readonly OtherPart[]): string {
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type !== 'data' || !isText(part.mime) || sniffImage(part.bytes) !== undefined) return '';
      return new TextDecoder().decode(part.bytes);
    })
    .join('')
    .trim();
}

function imagesOf(parts: readonly OtherPart[]): readonly ContentPart[] {
  return parts.flatMap((part) => {
    const type = part.type === 'data' ? sniffImage(part.bytes) : undefined;
    if (part.type !== 'data' || type === undefined) return [];
    const url = `data:image/${type};base64,${Buffer.from(part.bytes).toString('base64')}`;
    return [{ type: 'image_url', image_url: { url } }];
  });
}

type Result = Extract<OtherPart, { type: 'result' }>;

/** Results first, in the order of their calls, then what was said beside them, with the images of the results. */
function toUserMessages(parts: readonly OtherPart[], before: Message | undefined): readonly Message[] {
  const ids = before?.role === 'assistant' ? (before.tool_calls ?? []).map(({ id }) => id) : [];
  const place = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  const results = parts
    .filter((part): part is Result => part.type === 'result')
    .toSorted((a, b) => place(a.callId) - place(b.callId));
  const tools = results.map(
    ({ callId, parts: content }): ToolMessage => ({
      role: 'tool',
      tool_call_id: callId,
      content: resultText(content),
    }),
  );
  const images = [...results.flatMap((result) => imagesOf(result.parts)), ...imagesOf(parts)];
  const text = textOf(parts);
  if (images.length === 0) return text === '' ? tools : [...tools, { role: 'user', content: text }];
  const content: ContentPart[] = text === '' ? [...images] : [...images, { type: 'text', text }];
  return [...tools, { role: 'user', content }];
}

/** A tool message holds text only: its images follow in the next message, and what is not taken is named. */
function resultText(parts: readonly OtherPart[]): string {
  const notes = parts.flatMap((part) => {
    if (part.type !== 'data' || !part.mime.includes('/') || isText(part.mime)) return [];
    return [
      sniffImage(part.bytes) === undefined ? `[left out: ${part.mime}]` : '[an image, in the next message]',
    ];
  });
  const text = textOf(parts);
  return [...(text === '' ? [] : [text]), ...notes].join('\n') || '[no output]';
}

/** An answer as it goes back: verbatim as it came when it is remembered, otherwise as the other chat tells it. */
function toAnswer(
  parts: readonly OtherPart[],
  beginning: string,
  memory: Pick<ReasoningMemory, 'recall'>,
): { readonly message: AssistantMessage; readonly known: boolean } {
  const calls = parts.flatMap((part) =>
    part.type === 'call'
      ? [{ id: part.id, name: part.name, arguments: JSON.stringify(part.input ?? {}) }]
      : [],
  );
  const answer = textOf(parts);
  const found = memory.recall(beginning, { answer, calls });
  const told = parts.flatMap((part) => (part.type === 'thinking' ? [part.text] : [])).join('');
  const answered: Answered = found
    ? { ...found, answer: found.answer.trim() === answer ? found.answer : answer }
    : {
        answer,
        toolCalls: [],
        reasoning: told,
        reasoningName: told === '' ? undefined : 'reasoning_content',
        reasoningTags: undefined,
        reasoningDetails: [],
      };
  const { content, ...rest } = toAssistantMessage(answered);
  const message: AssistantMessage = {
    ...rest,
    // Beside calls an empty `content` is refused; without any it is what there is.
    ...(content === '' && calls.length > 0 ? {} : { content: content ?? '' }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, arguments: args }) => {
            const same = found?.toolCalls.find((call) => call.id === id);
            return { id, type: 'function', function: { name, arguments: same?.arguments || args } };
          }),
        }),
  };
  return { message, known: found !== undefined || told !== '' };
}
