/** Tool calls for scenarios, whether or not the prompt asks for one. */

import { toArguments } from '../demo/demoSchema.ts';
import type { JsonObject } from '../json.ts';
import type { Draft } from '../reply.ts';
import type { Exchange } from './scenario.ts';

/** What is called when the request offers no tools: a client has to cope with a name that it does not know. */
const STAND_IN = {
  name: 'read_file',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as JsonObject,
};

/**
 * A draft that calls two tools; the same one twice when only one is offered. Once results are there, the draft stays
 * as it is, so that a loop comes to its end.
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
