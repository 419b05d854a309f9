/** Converts the tool names of another chat for the wire: chats of the editor can use names that the service refuses. */
import { toWireNames } from '../toolCalls/toolNames.ts';
import type { OtherTool } from './otherMessages.ts';
import type { OtherMessage } from './otherParts.ts';

interface WithTools {
  readonly messages: readonly OtherMessage[];
  readonly tools: readonly OtherTool[];
}

/**
 * The request with the wire names of its tools, also in earlier calls.
 *
 * @returns `given` maps the wire name of each offered tool to its name in the other chat
 */
export function withWireNames<Request extends WithTools>(
  request: Request,
): { readonly request: Request; readonly given: ReadonlyMap<string, string> } {
  const { messages, tools } = request;
  const offered = tools.map(({ name }) => name);
  const called = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'call' ? [part.name] : [])),
  );
  const wire = toWireNames([...new Set([...offered, ...called])], new Set());
  const toWire = <Named extends { readonly name: string }>(one: Named): Named => ({
    ...one,
    name: wire.get(one.name) ?? one.name,
  });
  return {
    request: {
      ...request,
      messages: messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) => (part.type === 'call' ? toWire(part) : part)),
      })),
      tools: tools.map(toWire),
    },
    given: new Map(offered.map((name) => [wire.get(name) ?? name, name])),
  };
}
