/** Tool calls for scenarios, even if the prompt doesn't ask for any. */

import { toArguments } from '../demo/demoSchema.ts';
import type { JsonObject } from '../json.ts';
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
