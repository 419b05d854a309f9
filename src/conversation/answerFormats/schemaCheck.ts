/**
 * JSON Schema validation by Ajv, for schemas from outside: those of answers and of tools. In its own file,
 * because the library is loaded when the first schema is used. Our own data is decoded in `src/validation`.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { messageOf } from '../../service/errorMessage.ts';
import { asObject } from '../../service/json.ts';
import { runWithTimeLimit } from '../timeLimit.ts';
import type { FormatVerdict, JsonSchema, SchemaCheck, SchemaError, SchemaProblem } from './answerFormat.ts';
import { type Dialect, dialectsOf, type Validator } from './schemaDialects.ts';

/** The maximum number of errors that are shown and named in a repair prompt. */
const MAX_ERRORS = 50;

export function createSchemaCheck(): SchemaCheck {
  return {
    findProblem(schema) {
      const compiled = compileSchema(schema);
      return typeof compiled === 'function' ? undefined : compiled;
    },
    validate(schema, value) {
      const compiled = compileSchema(schema);
      if (typeof compiled !== 'function')
        return { kind: 'unchecked', why: compiled.kind === 'invalid' ? compiled.detail : compiled.kind };
      return validate(compiled, value);
    },
  };
}

function validate(validator: ValidateFunction, value: unknown): FormatVerdict {
  try {
    if (runWithTimeLimit(() => validator(value)) === true) return { kind: 'fits' };
  } catch (error) {
    return { kind: 'unchecked', why: messageOf(error) };
  }
  const placed = toSchemaErrors(validator.errors ?? []);
  return { kind: 'differs', errors: placed.slice(0, MAX_ERRORS), count: placed.length };
}

/**
 * The validator of a schema, or why the schema can't be used. References to other addresses are not followed,
 * but reported.
 */
export function compileSchema(schema: JsonSchema): ValidateFunction | SchemaProblem {
  const { $schema } = schema;
  let first: SchemaProblem | undefined;
  for (const dialect of dialectsOf($schema)) {
    try {
      return compileIn(dialect, schema);
    } catch (error) {
      // If no dialect fits, the problem with the newest one is the most helpful.
      first ??= toSchemaProblem(error);
    }
  }
  // Not translated, like the messages of the validator.
  return first ?? { kind: 'invalid', field: '$schema', detail: `no schema with key or ref "${$schema}"` };
}

/**
 * Ajv knows `nullable` of OpenAPI, but refuses it without a type, where it has no meaning. JSON Schema ignores `nullable`
 * everywhere.
 */
function compileIn(dialect: Dialect, schema: JsonSchema): ValidateFunction {
  try {
    return compileBy(dialect, schema);
  } catch (error) {
    if (!/^"nullable" cannot be used without/.test(messageOf(error))) throw error;
    return compileBy(dialect, withoutNullable(schema));
  }
}

/** Keywords whose values have arbitrary names as fields, with schemas as values. */
const OF_NAMES: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose values are data. */
const OF_DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

function withoutNullable(schema: JsonSchema): JsonSchema {
  const { nullable, ...others } = schema;
  const kept = typeof nullable === 'boolean' && schema['type'] === undefined ? others : schema;
  return mapFields(kept, (value, key) => {
    if (OF_DATA.has(key)) return value;
    const named = OF_NAMES.has(key) ? asObject(value) : undefined;
    return named === undefined ? withoutNullableIn(value) : mapFields(named, withoutNullableIn);
  });
}

function withoutNullableIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullableIn);
  const schema = asObject(value);
  return schema === undefined ? value : withoutNullable(schema);
}

const mapFields = (object: JsonSchema, map: (value: unknown, key: string) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

function compileBy(dialect: Dialect, schema: JsonSchema): ValidateFunction {
  const named = { ...schema, $schema: dialect.address };
  const errors = findErrors(dialect, named);
  if (errors !== undefined) {
    const [first] = toSchemaErrors(errors);
    throw new InvalidSchema(errors[0]?.instancePath ?? '', first?.message ?? '', first);
  }
  // A new instance, so that a schema isn't mistaken for an earlier one with the same name.
  const ajv = dialect.create({ validateSchema: false });
  const validator = runWithTimeLimit(() => ajv.compile(named));
  // An asynchronous validator would return a promise, which is always truthy.
  // Not translated, like the messages of the validator.
  if ('$async' in validator) throw new InvalidSchema('/$async', 'asynchronous schemas are not supported');
  return validator;
}

/**
 * A validator of schemas for each draft. The rules of a draft are compiled once, because that takes longer than compiling most
 * schemas.
 */
const validators = new Map<Dialect, Validator>();

/** The errors in a schema according to its draft, if any. */
function findErrors(dialect: Dialect, schema: JsonSchema): readonly ErrorObject[] | undefined {
  const ajv = validators.get(dialect) ?? dialect.create();
  validators.set(dialect, ajv);
  try {
    return runWithTimeLimit(() => ajv.validateSchema(schema)) === true ? undefined : (ajv.errors ?? []);
  } catch (error) {
    // The validator may have been interrupted in the middle of compiling.
    validators.delete(dialect);
    throw error;
  }
}

class InvalidSchema extends Error {
  readonly field: string;
  readonly found: SchemaError | undefined;
  constructor(field: string, detail: string, found?: SchemaError) {
    super(detail);
    this.field = field;
    this.found = found;
  }
}

function toSchemaProblem(error: unknown): SchemaProblem {
  if (error instanceof InvalidSchema) {
    const { field, message, found } = error;
    return { kind: 'invalid', field: field || '/', detail: message, ...(found && { error: found }) };
  }
  if (error instanceof Ajv.MissingRefError)
    return { kind: 'invalid', field: '$ref', detail: error.missingRef };
  return { kind: 'invalid', field: '/', detail: messageOf(error) };
}

/**
 * The errors without duplicates, each with the position of the invalid value. For a property that isn't allowed, this is the
 * property.
 */
export function toSchemaErrors(
  errors: readonly Pick<ErrorObject, 'instancePath' | 'keyword' | 'params' | 'message'>[],
): readonly SchemaError[] {
  const placed = errors.map(({ instancePath, keyword, params, message = '' }) => {
    const extra: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
    const named = typeof extra === 'string' ? `/${toPointerPart(extra)}` : '';
    return { pointer: `${instancePath}${named}`, keyword, params, message };
  });
  const seen = new Set<string>();
  return placed.filter(({ pointer, message }) => {
    const key = `${pointer}\n${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const toPointerPart = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
