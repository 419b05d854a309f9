/**
 * Checks the arguments of tool calls against the tools' schemas. In its own file, because the library is
 * loaded only with the first call.
 */
import type { ValidateFunction } from 'ajv';
import { compileSchema, toSchemaErrors } from '../answerFormats/schemaCheck.ts';
import { runWithTimeLimit } from '../timeLimit.ts';
import type { CallCheck } from './planCalls.ts';

/**
 * Creates the check. It reports which argument is wrong and what it should be. If a schema can't be used, no
 * arguments pass.
 */
export function createCallCheck(): CallCheck {
  const known = new WeakMap<object, ValidateFunction | 'unusable' | 'slow'>();
  return (parameters, value) => {
    const validate = known.get(parameters) ?? compileParameters(parameters);
    known.set(parameters, validate);
    if (validate === 'unusable') return 'the schema itself cannot be used';
    if (validate === 'slow') return TOO_SLOW;
    try {
      if (runWithTimeLimit(() => validate(value)) === true) return undefined;
    } catch {
      // If the check fails for any reason, the call isn't run. Later checks could block all extensions just as long, so there are
      // none.
      known.set(parameters, 'slow');
      return TOO_SLOW;
    }
    const [error] = toSchemaErrors(validate.errors ?? []);
    if (error === undefined) return 'they are not as it says';
    const wrong = EXTRA.has(error.keyword) ? 'is not a property of the schema' : error.message;
    return `${error.pointer.slice(1)} ${wrong}`.trim();
  };
}

const TOO_SLOW = 'they could not be checked in time';

/**
 * For these keywords, the validator reports the containing object. The error belongs to the property that
 * isn't allowed.
 */
const EXTRA: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties']);

/**
 * Compiles a schema. If its dialect is unknown, the schema is compiled again without naming it, because it may
 * be a known dialect with another name.
 */
function compileParameters(parameters: Readonly<Record<string, unknown>>): ValidateFunction | 'unusable' {
  const { $schema, ...plain } = parameters;
  for (const schema of $schema === undefined ? [plain] : [parameters, plain]) {
    const compiled = compileSchema(schema);
    if (typeof compiled === 'function') return compiled;
  }
  return 'unusable';
}
