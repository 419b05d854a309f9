/**
 * Checks the arguments of tool calls against the tools' schemas. A file of its own, because the library that does it is
 * loaded with the first call only.
 */
import type { ValidateFunction } from 'ajv';
import { compileSchema, toSchemaErrors } from './schemaCheck.ts';
import { runWithTimeLimit } from './timeLimit.ts';
import type { CallCheck } from './toolLoop.ts';

/** Makes the check. It says which argument is wrong and what it should be; a schema that cannot be used lets nothing pass. */
export function createCallCheck(): CallCheck {
  const known = new WeakMap<object, ValidateFunction | 'unusable'>();
  return (parameters, value) => {
    const validate = known.get(parameters) ?? compileParameters(parameters);
    known.set(parameters, validate);
    if (validate === 'unusable') return 'the schema itself cannot be used';
    try {
      if (runWithTimeLimit(() => validate(value)) === true) return undefined;
    } catch {
      // Whatever stopped it, the call does not run.
      return 'they could not be checked in time';
    }
    const [error] = toSchemaErrors(validate.errors ?? []);
    if (error === undefined) return 'they are not as it says';
    const wrong = EXTRA.has(error.keyword) ? 'is not a property of the schema' : error.message;
    return `${error.pointer.slice(1)} ${wrong}`.trim();
  };
}

/** Placed at the property that should not be there, of which the validator speaks as of one that it holds. */
const EXTRA: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties']);

/** A schema in a dialect that is not known here may be one of those that are, under another name. */
function compileParameters(parameters: Readonly<Record<string, unknown>>): ValidateFunction | 'unusable' {
  const { $schema, ...plain } = parameters;
  for (const schema of $schema === undefined ? [plain] : [parameters, plain]) {
    const compiled = compileSchema(schema);
    if (typeof compiled === 'function') return compiled;
  }
  return 'unusable';
}
