/** The messages of another chat in the editor, as plain data, and functions that read their parts. */
import type { ContentPart } from '../../service/types.ts';
import { sniffImage } from '../images/images.ts';
import { estimateTokens, IMAGE_TOKENS } from '../usage/tokens.ts';

export type OtherPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /**
   * Bytes with the type that the other chat declares. If the type has no slash, the data is for that chat
   * only.
   */
  | { readonly type: 'data'; readonly mime: string; readonly bytes: Uint8Array }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'result'; readonly callId: string; readonly parts: readonly OtherPart[] };

export interface OtherMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly OtherPart[];
}

export type Result = Extract<OtherPart, { type: 'result' }>;

/** A call in the wire format, with its arguments as JSON. */
export interface OtherCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export function callsOf(parts: readonly OtherPart[]): readonly OtherCall[] {
  return parts.flatMap((part) =>
    part.type === 'call'
      ? [{ id: part.id, name: part.name, arguments: JSON.stringify(part.input ?? {}) }]
      : [],
  );
}

export const callIdsOf = (messages: readonly OtherMessage[]): readonly string[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])));

/** The estimated tokens of a message. */
export function estimateParts(parts: readonly OtherPart[]): number {
  return parts.reduce((sum, part) => sum + estimatePart(part), 0);
}

function estimatePart(part: OtherPart): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return estimateTokens(part.text);
    case 'data':
      if (isImage(part)) return IMAGE_TOKENS;
      return isText(part.mime) ? estimateTokens(new TextDecoder().decode(part.bytes)) : 0;
    case 'call':
      return estimateTokens(part.name + JSON.stringify(part.input ?? {}));
    case 'result':
      return estimateParts(part.parts);
  }
}

/** Merges consecutive messages with the same role, and removes blank messages. Blank parts of other messages belong to their text. */
export function mergedMessages(others: readonly OtherMessage[]): readonly OtherMessage[] {
  const runs: OtherMessage[] = [];
  for (const message of others) {
    const { parts, role } = message;
    if (role === 'system' ? textOfParts(parts) === '' : !parts.some(saysSomething)) continue;
    const last = runs.at(-1);
    if (last?.role !== role) runs.push(message);
    else
      runs[runs.length - 1] = {
        role,
        parts: [...last.parts, { type: 'text', text: '\n\n' }, ...parts],
      };
  }
  return runs;
}

function saysSomething(part: OtherPart): boolean {
  if (part.type === 'text' || part.type === 'thinking') return part.text.trim() !== '';
  return part.type !== 'data' || isImage(part) || textOfParts([part]) !== '';
}

/** Whether a part is an image, by its first bytes. */
export function isImage(part: OtherPart): boolean {
  return part.type === 'data' && sniffImage(part.bytes) !== undefined;
}

const isText = (mime: string) => /^text\/|[/+]json\b|[/+]xml\b/.test(mime);

/**
 * Whether the data makes the request fail. In a tool result it is replaced by a note, because the model can
 * continue without it.
 */
export function isUnsupported(part: OtherPart): boolean {
  return part.type === 'data' && part.mime.includes('/') && !isText(part.mime) && !isImage(part);
}

/** The text of parts, without blank lines before it and white space after it. Its first line keeps its indentation. */
export function textOfParts(parts: readonly OtherPart[]): string {
  const text = parts
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type !== 'data' || !isText(part.mime) || isImage(part)) return '';
      return new TextDecoder().decode(part.bytes);
    })
    .join('');
  return text.trimEnd().replace(/^\s*\n/, '');
}

export function imagesOf(parts: readonly OtherPart[]): readonly ContentPart[] {
  return parts.flatMap((part) => {
    const type = part.type === 'data' ? sniffImage(part.bytes) : undefined;
    if (part.type !== 'data' || type === undefined) return [];
    const url = `data:image/${type};base64,${Buffer.from(part.bytes).toString('base64')}`;
    return [{ type: 'image_url', image_url: { url } }];
  });
}

/**
 * The text of a tool result. A tool message can contain only text, so images follow in another message, and
 * unsupported data is named.
 *
 * @param place where the images are
 */
export function resultText(parts: readonly OtherPart[], place = 'in the next message'): string {
  const notes = parts.flatMap((part) => {
    if (part.type !== 'data' || !part.mime.includes('/') || isText(part.mime)) return [];
    return [isImage(part) ? `[an image, ${place}]` : `[left out: ${part.mime}]`];
  });
  const text = textOfParts(parts);
  return [...(text === '' ? [] : [text]), ...notes].join('\n') || '[no output]';
}
