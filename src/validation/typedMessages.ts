/** Decoders for messages with a `type` field, as the webview sends them. */
import * as v from 'valibot';
import { type Decoded, type Decoder, decode } from './decode.ts';

/** A decoder for each type of message. If a new type in the union has none, it doesn't compile. */
export type MessageDecoders<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: Decoder<Extract<Message, { readonly type: Type }>>;
};

/** A message of one type, with its other fields. */
export const message = <Type extends string, Entries extends v.ObjectEntries>(type: Type, entries: Entries) =>
  v.object({ type: v.literal(type), ...entries });

/** The message, or the invalid field with the message's type before it, for example `remove-queued.index`. */
export function decodeMessage<Message>(
  decoders: Readonly<Record<string, Decoder<Message>>>,
  value: unknown,
): Decoded<Message> {
  const head = decode(v.object({ type: v.string() }), value);
  if (!head.ok) return head;
  const { type } = head.value;
  const decoder = Object.hasOwn(decoders, type) ? decoders[type] : undefined;
  if (decoder === undefined) return { ok: false, wrong: { field: 'type', expected: 'a known one' } };
  const decoded = decode(decoder, value);
  if (decoded.ok) return decoded;
  return { ok: false, wrong: { ...decoded.wrong, field: `${type}.${decoded.wrong.field}` } };
}
