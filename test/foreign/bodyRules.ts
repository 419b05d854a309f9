/** The rules of the request table for every field except `messages` (rows Q3 to Q15). */

import { type Fields, isFields, type Json } from './json.ts';
import type { Judge } from './judge.ts';
import { checkMessages } from './messageRules.ts';
import { forcedTool, unknownModelDirect, unknownModelGateway } from './refusals.ts';

export const modelId = 'svc-k3';
/** The documented ceiling of the output budget, which is also the context window (Q8). In tokens. */
export const ceiling = 1_048_576;
const mostTools = 128;

type Rule = (value: Json | undefined, judge: Judge, body: Fields) => void;

/** Q3, E2, E3. */
const model: Rule = (value, judge) => {
  if (typeof value !== 'string') {
    judge.refuse('model is missing or not a string (Q3)');
  } else if (value !== modelId) {
    const refusal = judge.route === 'direct' ? unknownModelDirect(value) : unknownModelGateway(value);
    judge.refuse(`model is ${JSON.stringify(value)}, not ${modelId} (Q3)`, refusal);
  }
};

/** Q7, Q8: the service clamps without notice, so only this rule detects it. */
const budget: Rule = (value, judge) => {
  if (value === undefined) {
    return;
  }
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    judge.refuse('max_completion_tokens is not a positive integer (Q7)');
  } else if (value > ceiling) {
    judge.wrong(`max_completion_tokens is ${value}, above the ceiling of ${ceiling}; it was clamped (Q8)`);
  }
};

/** Q9. */
const stream: Rule = (value, judge) => {
  if (value !== undefined && typeof value !== 'boolean') {
    judge.refuse('stream is not a boolean (Q9)');
  } else if (value !== true) {
    judge.wrong('stream is not true (Q9)');
  }
};

/** Q10, E10. */
const streamOptions: Rule = (value, judge, body) => {
  const streams = body['stream'] === true;
  if (value === undefined) {
    if (streams) {
      judge.wrong('stream_options.include_usage is missing, so no usage will arrive (Q10)');
    }
    return;
  }
  if (!isFields(value)) {
    judge.refuse('stream_options is not an object (Q10)');
    return;
  }
  if (!streams) {
    judge.wrong('stream_options was sent without stream (Q10)');
  } else if (value['include_usage'] !== true) {
    judge.wrong('stream_options.include_usage is not true, so no usage will arrive (Q10)');
  }
  for (const name of Object.keys(value).filter((key) => key !== 'include_usage')) {
    judge.wrong(`stream_options.${name} is not a field of stream_options`);
  }
};

/** @returns the name of the function, or undefined if the entry is not a function */
function toolName(tool: Json): string | undefined {
  const made = isFields(tool) && tool['type'] === 'function' ? tool['function'] : undefined;
  const name = isFields(made) ? made['name'] : undefined;
  const schema = isFields(made) ? made['parameters'] : undefined;
  const sound = typeof name === 'string' && name !== '' && (schema === undefined || isFields(schema));
  return sound ? name : undefined;
}

/** Q11. Names must be unique, according to the field notes. */
const tools: Rule = (value, judge) => {
  if (value === undefined) {
    return;
  }
  if (!Array.isArray(value)) {
    judge.refuse('tools is not an array (Q11)');
    return;
  }
  if (value.length > mostTools) {
    judge.refuse(`tools holds ${value.length} entries, at most ${mostTools} are allowed (Q11)`);
  }
  const names = value.map(toolName);
  names.forEach((name, index) => {
    if (name === undefined) {
      judge.refuse(`tools[${index}] is not a function definition with a name and a schema (Q11)`);
    } else if (names.indexOf(name) < index) {
      judge.refuse(`tools[${index}].function.name repeats ${name} (field notes)`);
    }
  });
};

/** Q12, E5: only `auto` is documented as accepted; `none` forces nothing and is only undocumented. */
const toolChoice: Rule = (value, judge, body) => {
  if (value === undefined) {
    return;
  }
  if (isFields(value) || value === 'required') {
    judge.refuse('tool_choice forces a call (Q12, E5)', forcedTool());
  } else if (typeof value !== 'string') {
    judge.refuse('tool_choice is neither a string nor an object (Q12)');
  } else if (value !== 'auto') {
    judge.wrong(`tool_choice is ${value}; only auto is documented (Q12)`);
  }
  if (body['tools'] === undefined) {
    judge.wrong('tool_choice was sent without tools (Q12)');
  }
};

/** Field notes, "Structured output": a name, an object schema, a boolean `strict`. */
function checkSchema(value: Json | undefined, judge: Judge): void {
  if (!isFields(value)) {
    judge.refuse('response_format.json_schema is not an object (Q13)');
    return;
  }
  if (typeof value['name'] !== 'string' || value['name'] === '') {
    judge.refuse('response_format.json_schema.name is missing (field notes)');
  }
  if (!isFields(value['schema'])) {
    judge.refuse('response_format.json_schema.schema is not an object (field notes)');
  }
  if (value['strict'] !== undefined && typeof value['strict'] !== 'boolean') {
    judge.refuse('response_format.json_schema.strict is not a boolean (field notes)');
  }
}

/** Q13. */
const responseFormat: Rule = (value, judge) => {
  if (value === undefined) {
    return;
  }
  const type = isFields(value) ? value['type'] : undefined;
  if (!isFields(value) || !['text', 'json_object', 'json_schema'].includes(String(type))) {
    judge.refuse('response_format.type is none of text, json_object, json_schema (Q13)');
  } else if (type === 'json_schema') {
    checkSchema(value['json_schema'], judge);
  }
};

/** Q14. */
const promptCacheKey: Rule = (value, judge) => {
  if (value !== undefined && value !== null && typeof value !== 'string') {
    judge.refuse('prompt_cache_key is neither a string nor null (Q14)');
  }
};

/** Q15: never refused ("do not rely on it being validated"), and ignored without notice. */
const reasoningEffort: Rule = (value, judge) => {
  if (value === undefined) {
    return;
  }
  const known = judge.route === 'direct' ? ['low', 'high', 'max'] : ['max'];
  if (typeof value !== 'string' || !known.includes(value)) {
    judge.wrong(`reasoning_effort is ${JSON.stringify(value)}, which the ${judge.route} route ignores (Q15)`);
  }
};

const rules: Record<string, Rule> = {
  model,
  messages: (value, judge) => {
    checkMessages(value, judge);
  },
  max_completion_tokens: budget,
  stream,
  stream_options: streamOptions,
  tools,
  tool_choice: toolChoice,
  response_format: responseFormat,
  prompt_cache_key: promptCacheKey,
  reasoning_effort: reasoningEffort,
};

/**
 * Field notes, "Sampling": fixed for this family, other values give a 400. Which values are fixed is not
 * documented.
 */
const sampling = ['temperature', 'top_p', 'n', 'presence_penalty', 'frequency_penalty'];

/**
 * Checks a complete request body against the table. Fields that aren't in the table are ignored by the
 * service and reported here.
 */
export function checkBody(body: Fields, judge: Judge): void {
  for (const [name, rule] of Object.entries(rules)) {
    rule(body[name], judge, body);
  }
  for (const name of Object.keys(body).filter((key) => !Object.hasOwn(rules, key))) {
    if (sampling.includes(name)) {
      judge.refuse(`${name} is fixed for this model and must not be sent (field notes, Sampling)`);
    } else {
      judge.wrong(`${name} is not a parameter of this service; it was ignored`);
    }
  }
}
