/**
 * The one way of checking values of which nothing is known: what the disk, a page or the model gives. Built on valibot;
 * a value that is not as it should be is refused with the name of the field.
 */
import * as v from 'valibot';

/** Checks a value and gives it its type. Annotate with the type that is meant: a field that is forgotten fails to compile. */
export type Decoder<Value> = v.GenericSchema<unknown, Value>;

/**
 * What the fields of an object are checked by, each of them: `v.object({ … } satisfies Fields<Boat>)`. Without it an
 * optional field that is forgotten would compile, and be lost.
 */
export type Fields<Value> = { readonly [Name in keyof Value]-?: Decoder<unknown> };

/** The first field that is wrong. */
export interface WrongField {
  /** Where it stands, like `findings[0].edit.replace`; empty for the value as a whole. */
  readonly field: string;
  /** What it should be, like `text` or `one of error, warning, info`. */
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

/** The value, or undefined when it is not as it should be. */
export function tryDecode<Value>(decoder: Decoder<Value>, value: unknown): Value | undefined {
  const decoded = decode(decoder, value);
  return decoded.ok ? decoded.value : undefined;
}

/**
 * What can be read of an object whose fields have defaults: a field that is wrong is told, and counts as missing.
 *
 * @returns undefined when a field that is wrong has no default
 */
export function decodeReadable<Value>(
  decoder: Decoder<Value>,
  value: object,
  onWrong: (wrong: WrongField) => void,
): Value | undefined {
  let fields: Readonly<Record<string, unknown>> = { ...value };
  for (;;) {
    const result = v.safeParse(decoder, fields, { abortEarly: true });
    if (result.success) return result.output;
    onWrong(toWrongField(decoder, result.issues[0]));
    const name = String(result.issues[0].path?.[0]?.key);
    if (!Object.hasOwn(fields, name)) return undefined;
    fields = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
  }
}

/** One sentence without its stop, like `findings[0].startLine should be a whole number`. */
export function describeWrong({ field, expected }: WrongField): string {
  return `${field === '' ? 'it' : field} should be ${expected}`;
}

/**
 * One of some words.
 *
 * @param words a table, so that a word that is added to the type has to be added here as well
 */
export function oneOf<Word extends string>(words: Readonly<Record<Word, true>>): Decoder<Word> {
  return v.custom<Word>(
    (value) => typeof value === 'string' && Object.hasOwn(words, value),
    `one of ${Object.keys(words).join(', ')}`,
  );
}

/** JSON leaves out what is undefined; the field is there again afterwards. */
export function orUndefined<Value>(decoder: Decoder<Value>) {
  return v.optional(decoder, () => undefined);
}

/** An object of which nothing more is known. It stays as it is, to the order of its keys. */
export const someObject: Decoder<Readonly<Record<string, unknown>>> = v.custom<
  Readonly<Record<string, unknown>>
>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'an object');

/** A finite number that is not below zero, as counts and times are. */
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
  // Of a field that is missing valibot names the object; what it should be is in the decoder.
  const isMissing = path.length > 0 && path.at(-1)?.value === undefined;
  const { type, message } = isMissing ? decoderAt(decoder, path) : issue;
  const expected = type === 'custom' ? message : EXPECTED[String(type)];
  if (typeof expected === 'string') return { field, expected };
  // Never valibot's own message: it repeats the value, which is nothing for a log.
  return { field, expected: isMissing ? 'there' : (issue.expected ?? 'another value') };
}

/** The decoder of a field, as far as it can be found. */
function decoderAt(decoder: object, path: readonly { readonly key: unknown }[]) {
  let at = Object(decoder);
  for (const { key } of path) {
    const { entries, item } = Object(at.wrapped ?? at);
    at = Object(Object(entries)[String(key)] ?? item);
  }
  const { type, message }: { readonly type?: unknown; readonly message?: unknown } = Object(at.wrapped ?? at);
  return { type, message };
}
