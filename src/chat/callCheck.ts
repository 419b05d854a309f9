/**
 * Checks the arguments of tool calls against the tools' schemas. A file of its own, because the library that does it is
 * loaded with the first call only.
 */
import { Ajv, type ValidateFunction } from 'ajv';
import { inTime } from './inTime.ts';
import type { CallCheck } from './toolLoop.ts';

type Compiled = ValidateFunction | 'unusable';

/** Makes the check. It says which argument is wrong and what it should be; a schema that cannot be used lets nothing pass. */
export function createCallCheck(): CallCheck {
  // Schemas are those of others: words that the library does not know mean nothing, and equal names do not meet.
  const ajv = new Ajv({ strict: false, validateFormats: false, addUsedSchema: false, logger: false });
  const known = new WeakMap<object, Compiled>();
  const compile = (parameters: Readonly<Record<string, unknown>>): Compiled => {
    const { $schema: _, ...schema } = parameters;
    try {
      const validator = inTime(() => ajv.compile(schema));
      // It would answer with a promise, which looks like a yes.
      return '$async' in validator ? 'unusable' : validator;
    } catch {
      return 'unusable';
    }
  };
  return (parameters, value) => {
    const validate = known.get(parameters) ?? compile(parameters);
    known.set(parameters, validate);
    if (validate === 'unusable') return 'the schema itself cannot be used';
    try {
      if (inTime(() => validate(value)) === true) return undefined;
    } catch {
      return 'they could not be checked in time';
    }
    const [error] = validate.errors ?? [];
    const extra = error?.params['additionalProperty'];
    const named = typeof extra === 'string' ? `: ${JSON.stringify(extra)}` : '';
    return `${error?.instancePath.slice(1) ?? ''} ${error?.message ?? ''}${named}`.trim();
  };
}
