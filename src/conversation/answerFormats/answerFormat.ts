/** The requested format of an answer: JSON, or JSON with a schema. For text, no format is set. */
import { isObject, parseJson } from '../../service/json.ts';
import type { ResponseFormat } from '../../service/types.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export type AnswerFormat =
  | { readonly kind: 'json' }
  | { readonly kind: 'schema'; readonly name: string; readonly schema: JsonSchema };

/** The maximum size of a schema, in bytes. A schema is sent with every question and is stored. */
export const MAX_SCHEMA_BYTES = 512 * 1024;

/** Why a schema can't be used: the field of the schema, as a path, and what is wrong with it. */
export type SchemaProblem =
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'not-an-object' }
  | { readonly kind: 'no-object-schema' }
  | {
      readonly kind: 'invalid';
      readonly field: string;
      readonly detail: string;
      /** The error that the check of the schema itself has found. */
      readonly error?: SchemaError;
    };

/** An error in an answer, with the position of the invalid value. */
export interface SchemaError {
  /** JSON pointer (RFC 6901) of the value. Empty for the complete answer. */
  readonly pointer: string;
  /** The schema keyword that the value violates. `params` has its details. */
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The validator's own message. */
  readonly message: string;
}

/** The result of checking an answer against its format. */
export type FormatVerdict =
  | { readonly kind: 'fits' }
  | { readonly kind: 'not-json' }
  /** `errors` contains only the first errors; `count` is the number of all errors. */
  | { readonly kind: 'differs'; readonly errors: readonly SchemaError[]; readonly count: number }
  /** The answer couldn't be checked, for example because the schema took too long. */
  | { readonly kind: 'unchecked'; readonly why: string };

/**
 * The requested format of an answer and the result of the check. The verdict is set shortly after the turn
 * ends, and only if the answer is complete.
 */
export interface FormatCheck {
  readonly format: AnswerFormat;
  readonly verdict: FormatVerdict | undefined;
}

/** Whether the answer doesn't have the requested format. */
export const isMismatch = (judged: FormatCheck | undefined) =>
  judged?.verdict?.kind === 'differs' || judged?.verdict?.kind === 'not-json';

/** Compiles and applies schemas. The library is loaded when it is first needed. */
export interface SchemaCheck {
  /** The problem with a schema, or undefined if it can be used. */
  readonly findProblem: (schema: JsonSchema) => SchemaProblem | undefined;
  readonly validate: (schema: JsonSchema, value: unknown) => FormatVerdict;
}

export function toResponseFormat(format: AnswerFormat | undefined): ResponseFormat | undefined {
  if (format === undefined) return undefined;
  if (format.kind === 'json') return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name: format.name, schema: format.schema } };
}

const MAX_NAME_LENGTH = 64;
/** The maximum length of the text that a name is made of. */
const MAX_TITLE_LENGTH = 1000;

/** A schema name that services accept: the schema's title, or the file's name up to its first dot. */
export function toSchemaName(schema: JsonSchema, label: string): string {
  const { title } = schema;
  const dot = label.indexOf('.', 1);
  const file = dot === -1 ? label : label.slice(0, dot);
  const words = typeof title === 'string' && title.trim() !== '' ? title : file;
  const name = words
    .trim()
    .slice(0, MAX_TITLE_LENGTH)
    .replace(/[^\w-]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return name.slice(0, MAX_NAME_LENGTH) || 'answer';
}

export type ParsedSchema =
  | { readonly ok: true; readonly format: Extract<AnswerFormat, { kind: 'schema' }> }
  | { readonly ok: false; readonly problem: SchemaProblem };

/**
 * Parses a schema, or returns why it can't be used as an answer format.
 *
 * @param label the name of a schema without a title, for example the file's name
 */
export function parseSchema(text: string, label: string, check: SchemaCheck): ParsedSchema {
  if (new TextEncoder().encode(text).length > MAX_SCHEMA_BYTES)
    return { ok: false, problem: { kind: 'too-large' } };
  const value = parseJson(text);
  if (value === undefined) return { ok: false, problem: { kind: 'not-json' } };
  if (!isObject(value)) return { ok: false, problem: { kind: 'not-an-object' } };
  if (value['type'] !== 'object') return { ok: false, problem: { kind: 'no-object-schema' } };
  const problem = check.findProblem(value);
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, format: { kind: 'schema', name: toSchemaName(value, label), schema: value } };
}

/** Checks a complete answer against its format. */
export function checkAnswerFormat(answer: string, format: AnswerFormat, check: SchemaCheck): FormatVerdict {
  const value = parseJson(answer);
  if (value === undefined) return { kind: 'not-json' };
  return check.validate(format.kind === 'json' ? { type: 'object' } : format.schema, value);
}
