/** The form that a reader asks an answer to have: JSON, or JSON that a schema describes. Text is the absence of one. */
import { parseJson } from '../service/json.ts';
import type { ResponseFormat } from '../service/types.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export type AnswerFormat =
  | { readonly kind: 'json' }
  | { readonly kind: 'schema'; readonly name: string; readonly schema: JsonSchema };

/** In bytes. A schema is sent with every question, and kept; one that is larger is something else. */
export const LARGEST_SCHEMA = 512 * 1024;

/** Why a schema is not taken: the field of the schema, as a path, and what is wrong with it. */
export type SchemaProblem =
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'not-an-object' }
  | { readonly kind: 'no-object-schema' }
  | { readonly kind: 'invalid'; readonly field: string; readonly detail: string };

/** An error of an answer, at the value where it is. */
export interface SchemaError {
  /** JSON pointer (RFC 6901) of the value; empty for the whole answer. */
  readonly pointer: string;
  /** The keyword of the schema that the value does not keep, with what it says. */
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** In the validator's own words. */
  readonly message: string;
}

/** What became of an answer that was asked for in a form. */
export type FormatVerdict =
  | { readonly kind: 'fits' }
  | { readonly kind: 'not-json' }
  /** `errors` are the first ones only; `count` says how many there are. */
  | { readonly kind: 'differs'; readonly errors: readonly SchemaError[]; readonly count: number }
  /** It could not be looked at, as when the schema takes too long. */
  | { readonly kind: 'unchecked'; readonly why: string };

/** An answer that was asked for in a form; the verdict comes a moment after its end, and only when it is whole. */
export interface FormatCheck {
  readonly format: AnswerFormat;
  readonly verdict: FormatVerdict | undefined;
}

/** Whether the service answered with something else than it was asked for. */
export const isMismatch = (judged: FormatCheck | undefined) =>
  judged?.verdict?.kind === 'differs' || judged?.verdict?.kind === 'not-json';

/** Compiles and applies schemas; the library behind it is loaded when it is first needed. */
export interface SchemaCheck {
  /** What is wrong with a schema, or undefined when it can be used. */
  readonly findProblem: (schema: JsonSchema) => SchemaProblem | undefined;
  readonly validate: (schema: JsonSchema, value: unknown) => FormatVerdict;
}

export function toResponseFormat(format: AnswerFormat | undefined): ResponseFormat | undefined {
  if (format === undefined) return undefined;
  if (format.kind === 'json') return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name: format.name, schema: format.schema } };
}

const LONGEST_NAME = 64;

/** A name that services take for a schema: its title, or else the file's name without what follows the first dot. */
export function toSchemaName(schema: JsonSchema, label: string): string {
  const { title } = schema;
  const words = typeof title === 'string' && title.trim() !== '' ? title : label.replace(/(?<=.)\..*$/, '');
  const name = words
    .trim()
    .replace(/[^\w-]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return name.slice(0, LONGEST_NAME) || 'answer';
}

export type ParsedSchema =
  | { readonly ok: true; readonly format: Extract<AnswerFormat, { kind: 'schema' }> }
  | { readonly ok: false; readonly problem: SchemaProblem };

/**
 * A schema from its text, or why it is none that an answer can be asked for by.
 *
 * @param label what the schema is called when it has no title, like a file's name
 */
export function parseSchema(text: string, label: string, check: SchemaCheck): ParsedSchema {
  if (new TextEncoder().encode(text).length > LARGEST_SCHEMA)
    return { ok: false, problem: { kind: 'too-large' } };
  const value = parseJson(text);
  if (value === undefined) return { ok: false, problem: { kind: 'not-json' } };
  if (!isObject(value)) return { ok: false, problem: { kind: 'not-an-object' } };
  if (value['type'] !== 'object') return { ok: false, problem: { kind: 'no-object-schema' } };
  const problem = check.findProblem(value);
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, format: { kind: 'schema', name: toSchemaName(value, label), schema: value } };
}

/** What became of a whole answer. */
export function checkAnswerFormat(answer: string, format: AnswerFormat, check: SchemaCheck): FormatVerdict {
  const value = parseJson(answer);
  if (value === undefined) return { kind: 'not-json' };
  return check.validate(format.kind === 'json' ? { type: 'object' } : format.schema, value);
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
