/**
 * Checks unknown values from the disk, the webview, or the model. Uses valibot. An invalid value is refused
 * with the name of the field.
 */
import * as v from 'valibot';

/**
 * Checks a value and returns it with its type. Annotate decoders with the intended type, so that a forgotten
 * field doesn't compile.
 */
export type Decoder<Value> = v.GenericSchema<unknown, Value>;

/**
 * Requires a decoder for each field of an object: `v.object({ … } satisfies Fields<Boat>)`. Without it, a
 * forgotten optional field would compile, and its value would be lost.
 */
export type Fields<Value> = { readonly [Name in keyof Value]-?: Decoder<unknown> };

/** The first invalid field. */
export interface WrongField {
  /** Its path, for example `findings[0].edit.replace`. Empty for the value itself. */
  readonly field: string;
  /** What it should be, for example `text` or `one of error, warning, info`. */
  readonly expected: string;
}

export type Decoded<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly wrong: WrongField };

export function decode<Value>(decoder: Decoder<Value>, value: unknown): Decoded<Value> {
  const result = v.safeParse(decoder, value, { abortEarly: true });
  return result.success
    ? { ok: true, value: result.output }
    : { ok: false, wrong: toWrongField(decoder, result.issues[0]) };
}

/** The value, or undefined if it is invalid. */
export function tryDecode<Value>(decoder: Decoder<Value>, value: unknown): Value | undefined {
  const decoded = decode(decoder, value);
  return decoded.ok ? decoded.value : undefined;
}

/**
 * Decodes an object whose fields have defaults. An invalid field is reported and treated as missing. If the
 * object that contains it needs the field, or is in a list, the object or the list is treated as missing.
 *
 * @returns undefined if an invalid field has no default
 */
export function decodeReadable<Value>(
  decoder: Decoder<Value>,
  value: object,
  onWrong: (wrong: WrongField) => void,
): Value | undefined {
  const reported = new Set<string>();
  let fields: object | undefined = value;
  while (fields !== undefined) {
    const result = v.safeParse(decoder, fields, { abortEarly: true });
    if (result.success) return result.output;
    const [issue] = result.issues;
    const wrong = toWrongField(decoder, issue);
    // A required field is found again as missing.
    if (!reported.has(wrong.field)) onWrong(wrong);
    reported.add(wrong.field);
    const keys = (issue.path ?? []).map(({ key }) => key);
    const inList = keys.findIndex((key) => typeof key === 'number');
    fields = withoutField(fields, inList === -1 ? keys : keys.slice(0, inList));
  }
  return undefined;
}

/** An object without the field at a path, or without the closest field above it that exists. */
function withoutField(value: unknown, [key, ...rest]: readonly unknown[]): object | undefined {
  const name = String(key);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const entries = Object.entries(value).flatMap(([each, field]): readonly (readonly [string, unknown])[] => {
    if (each !== name) return [[each, field]];
    const shorter = withoutField(field, rest);
    return shorter === undefined ? [] : [[each, shorter]];
  });
  return Object.fromEntries(entries);
}

/** A sentence without the period, for example `findings[0].startLine should be a whole number`. */
export function describeWrong({ field, expected }: WrongField): string {
  return `${field === '' ? 'it' : field} should be ${expected}`;
}

/**
 * One of several strings.
 *
 * @param words an object with all of them as keys, so that a new member of the type must be added here
 */
export function oneOf<Word extends string>(words: Readonly<Record<Word, true>>): Decoder<Word> {
  return v.custom<Word>(
    (value) => typeof value === 'string' && Object.hasOwn(words, value),
    `one of ${Object.keys(words).join(', ')}`,
  );
}

/** A field that JSON omits when it is undefined. After decoding, the field is present again. */
export function orUndefined<Value>(decoder: Decoder<Value>) {
  return v.optional(decoder, () => undefined);
}

/** An object with unknown fields. It is returned unchanged, including the order of its keys. */
export const someObject: Decoder<Readonly<Record<string, unknown>>> = v.custom<
  Readonly<Record<string, unknown>>
>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'an object');

/** A finite number that is 0 or greater, for example a count or a time. */
export const count: Decoder<number> = v.pipe(v.number(), v.finite(), v.minValue(0));

/** A whole number. */
export const whole: Decoder<number> = v.pipe(v.number(), v.integer());

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  finite: 'a finite number',
  min_value: 'a number that is not below zero',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  loose_object: 'an object',
  record: 'an object',
};

function toWrongField(decoder: Decoder<unknown>, issue: v.BaseIssue<unknown>): WrongField {
  const path = issue.path ?? [];
  const field = path
    .map(({ key }, index) =>
      typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`,
    )
    .join('');
  // For a missing field, valibot's issue describes the object. What the field should be is in the decoder.
  const isMissing = path.length > 0 && path.at(-1)?.value === undefined;
  const { type, message } = isMissing ? decoderAt(decoder, path) : issue;
  const expected = type === 'custom' ? message : EXPECTED[String(type)];
  if (typeof expected === 'string') return { field, expected };
  // Never use valibot's own message: it contains the value, which must not be logged.
  return { field, expected: isMissing ? 'there' : (issue.expected ?? 'another value') };
}

/** The decoder of the field at a path, as far as it can be found. */
function decoderAt(decoder: object, path: readonly { readonly key: unknown }[]) {
  let at = Object(decoder);
  for (const { key } of path) {
    const { entries, item } = Object(at.wrapped ?? at);
    at = Object(Object(entries)[String(key)] ?? item);
  }
  const { type, message }: { readonly type?: unknown; readonly message?: unknown } = Object(at.wrapped ?? at);
  return { type, message };
}
