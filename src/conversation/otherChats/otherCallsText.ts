/**
 * Converts tool calls of another chat to text if their reasoning isn't known any more. As calls they would be
 * refused without it (docs/service.md, Reasoning must survive tool loops); as text, all of their content is
 * kept.
 */
import { isImage, type OtherCall, type OtherPart, type Result, resultText } from './otherParts.ts';

/** The answer, followed by the calls, one per line. */
export function toCallsText(answer: string, calls: readonly OtherCall[]): string {
  const lines = calls.map(({ name, arguments: args }, at) => `[Tool call ${at + 1}: ${name} ${args}]`);
  return [...(answer === '' ? [] : [answer]), lines.join('\n')].join('\n\n');
}

/**
 * The parts of a message, with the results of these calls as text: in the order of the calls, and before all
 * other parts.
 *
 * @param calls the calls of the previous message, or none if they were sent as calls
 */
export function withResultsAsText(
  parts: readonly OtherPart[],
  calls: readonly OtherCall[],
): readonly OtherPart[] {
  const place = ({ callId }: Result) => calls.findIndex(({ id }) => id === callId);
  const results = parts.filter((part): part is Result => part.type === 'result' && place(part) !== -1);
  if (results.length === 0) return parts;
  const converted = results
    .toSorted((a, b) => place(a) - place(b))
    .flatMap((result): readonly OtherPart[] => [
      {
        type: 'text',
        text: `[Result of tool call ${place(result) + 1}: ${calls[place(result)]?.name}]\n${resultText(result.parts, 'in this message')}\n\n`,
      },
      // The text of the result already contains its other parts.
      ...result.parts.filter(isImage),
    ]);
  return [...converted, ...parts.filter((part) => part.type !== 'result' || place(part) === -1)];
}
