/** The rules for tools and structured output (Q11–Q13; docs/service.md, Structured output). */
import { MAX_TOOLS } from '../../service/limits.ts';
import type { RouteKind } from '../../service/types.ts';
import type { RequestFormat, RequestTool } from '../completionRequest.ts';
import { toList, toObject } from '../json.ts';
import { type ErrorReply, refuseForcedTool, refuseInvalid } from '../refusal.ts';
import { type Checked, failed, isAbsent, passed } from './checkResult.ts';

/** The name of a tool, of a call in an earlier message, and of a schema. */
export const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export function checkTools(value: unknown, route: RouteKind): Checked<readonly RequestTool[]> {
  if (isAbsent(value)) return passed([]);
  const invalid = (message: string): Checked<never> => failed(refuseInvalid(route, message));
  const list = toList(value);
  if (list === undefined) return invalid('tools must be an array');
  if (list.length === 0) return invalid('tools must not be empty; leave it out');
  if (list.length > MAX_TOOLS) return invalid(`tools: at most ${MAX_TOOLS} are allowed, got ${list.length}`);
  const tools: RequestTool[] = [];
  for (const [index, entry] of list.entries()) {
    const raw = toObject(entry);
    const fn = toObject(raw?.['function']);
    if (raw === undefined || raw['type'] !== 'function' || fn === undefined) {
      return invalid(`tools[${index}] must be {"type": "function", "function": {…}}`);
    }
    const name = fn['name'];
    if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
      return invalid(`tools[${index}].function.name must match ${TOOL_NAME.source}`);
    }
    if (tools.some((tool) => tool.name === name))
      return invalid(`tools: function name ${name} is duplicated`);
    const { description } = fn;
    if (!isAbsent(description) && typeof description !== 'string') {
      return invalid(`tools[${index}].function.description must be a string`);
    }
    // A function without parameters may omit them.
    const parameters = isAbsent(fn['parameters']) ? {} : toObject(fn['parameters']);
    if (parameters === undefined || !(parameters['type'] === undefined || parameters['type'] === 'object')) {
      return invalid(`tools[${index}].function.parameters must be a JSON Schema of type object`);
    }
    tools.push({ name, parameters, raw });
  }
  return passed(tools);
}

/** Q12: only `auto` is documented. Forcing a function, or any function, is incompatible with thinking (E5). */
export function checkToolChoice(value: unknown, route: RouteKind): ErrorReply | undefined {
  if (isAbsent(value) || value === 'auto') return undefined;
  if (value === 'required' || toObject(value) !== undefined) return refuseForcedTool();
  return refuseInvalid(route, 'tool_choice must be auto');
}

export function checkFormat(value: unknown, route: RouteKind): Checked<RequestFormat> {
  if (isAbsent(value)) return passed({ type: 'text' });
  const invalid = (message: string): Checked<never> => failed(refuseInvalid(route, message));
  const format = toObject(value);
  if (format === undefined) return invalid('response_format must be an object');
  switch (format['type']) {
    case 'text':
      return passed({ type: 'text' });
    case 'json_object':
      return passed({ type: 'json_object' });
    case 'json_schema': {
      const spec = toObject(format['json_schema']);
      if (spec === undefined) return invalid('response_format.json_schema must be an object');
      const { name, strict } = spec;
      if (typeof name !== 'string' || !TOOL_NAME.test(name))
        return invalid(`response_format.json_schema.name must match ${TOOL_NAME.source}`);
      const schema = toObject(spec['schema']);
      if (schema === undefined || schema['type'] !== 'object')
        return invalid('response_format.json_schema.schema must be a schema of type object');
      if (!isAbsent(strict) && typeof strict !== 'boolean')
        return invalid('response_format.json_schema.strict must be a boolean');
      return passed({ type: 'json_schema', schema });
    }
    default:
      return invalid('response_format.type must be text, json_object or json_schema');
  }
}
