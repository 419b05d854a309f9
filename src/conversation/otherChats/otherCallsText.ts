/**
 * Converts tool calls of another chat to text if their reasoning isn't known anymore, or if they have no results. As calls, they
 * would be refused (docs/service.md, Reasoning must survive tool loops); as text, all of their content is kept.
 */
import {
  isImage,
  type OtherCall,
  type OtherMessage,
  type OtherPart,
  type Result,
  resultText,
} from './otherParts.ts';

/** Whether each call has an object as arguments, an id of its own, and exactly one result in the next message. */
export function haveResults(calls: readonly OtherCall[], next: OtherMessage | undefined): boolean {
  const ids = new Set(calls.map(({ id }) => id));
  const answered = (next?.role === 'user' ? next.parts : []).flatMap((part) =>
    part.type === 'result' && ids.has(part.callId) ? [part.callId] : [],
  );
  const sizes = [ids.size, answered.length, new Set(answered).size];
  if (!calls.every(({ arguments: args }) => args.startsWith('{'))) return false;
  return !ids.has('') && sizes.every((size) => size === calls.length);
}

/** The answer, followed by the calls, one per line. */
export function toCallsText(answer: string, calls: readonly OtherCall[]): string {
  const lines = calls.map(({ name, arguments: args }, at) => `[Tool call ${at + 1}: ${name} ${args}]`);
  return [...(answer === '' ? [] : [answer]), lines.join('\n')].join('\n\n');
}

/**
 * The parts of a message. Results that can't be sent as results become text, in the order of the calls, before all other parts.
 *
 * @param calls the calls of the previous answer, or none if they were sent as calls
 * @param ids the ids of the calls that were sent as calls
 */
export function withResultsAsText(
  parts: readonly OtherPart[],
  calls: readonly OtherCall[],
  ids: readonly string[],
): readonly OtherPart[] {
  const isText = (part: OtherPart): part is Result => part.type === 'result' && !ids.includes(part.callId);
  const results = parts.filter(isText);
  if (results.length === 0) return parts;
  const place = ({ callId }: Result) => {
    const at = calls.findIndex(({ id }) => id === callId);
    return at === -1 ? calls.length : at;
  };
  const converted = results
    .toSorted((a, b) => place(a) - place(b))
    .flatMap((result): readonly OtherPart[] => {
      const call = calls[place(result)];
      const of = call === undefined ? 'a tool call' : `tool call ${place(result) + 1}: ${call.name}`;
      return [
        { type: 'text', text: `[Result of ${of}]\n${resultText(result.parts, 'in this message')}\n\n` },
        // The text of the result already contains its other parts.
        ...result.parts.filter(isImage),
      ];
    });
  return [...converted, ...parts.filter((part) => !isText(part))];
}
