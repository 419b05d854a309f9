/** Tool calls for scenarios, even if the prompt doesn't ask for any. */

import { toArguments } from '../demo/demoSchema.ts';
import { readTask } from '../demo/demoTask.ts';
import { type JsonObject, toList, toObject } from '../json.ts';
import type { Draft } from '../reply.ts';
import type { Exchange } from './scenario.ts';

/** The called tool if the request offers none: clients must handle unknown names. */
const STAND_IN = {
  name: 'read_file',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as JsonObject,
};

/**
 * Adds two tool calls to a draft; both of the same tool if only one is offered. If the request has tool results, the
 * draft is unchanged, so that the loop ends.
 */
export function twoCalls(draft: Draft, { request }: Exchange): Draft {
  if (request.messages.at(-1)?.role === 'tool') return draft;
  const offered = request.tools.length === 0 ? [STAND_IN] : request.tools;
  const [first = STAND_IN, second = first] = offered;
  const calls = [first, second].map((tool, index) => ({
    id: `call_demo_${request.messages.length}_${index}`,
    name: tool.name,
    arguments: JSON.stringify(toArguments(tool.parameters, [`src/file${index}.ts`])),
  }));
  return { ...draft, content: '', calls };
}

const ROUNDS = 8;

/**
 * Two calls of the tool that the question names, in eight rounds. Only required fields are filled in. The draft of a question
 * that names no tool is unchanged.
 */
export function callsInRounds(draft: Draft, { request }: Exchange): Draft {
  const { question, files } = readTask(request);
  const asked = request.messages.findLastIndex(({ role }) => role === 'user');
  const rounds = request.messages.slice(asked).filter(({ role }) => role === 'assistant').length;
  const tool = request.tools.find(({ name }) => question.includes(name));
  if (tool === undefined || rounds >= ROUNDS) return draft;
  const required = toList(tool.parameters['required']) ?? [];
  const fields = Object.entries(toObject(toArguments(tool.parameters, files)) ?? {});
  const values = JSON.stringify(Object.fromEntries(fields.filter(([name]) => required.includes(name))));
  const calls = ['a', 'b'].map((part) => ({
    id: `call_demo_${request.messages.length}_${part}`,
    name: tool.name,
    arguments: values,
  }));
  return { ...draft, content: '', calls };
}
