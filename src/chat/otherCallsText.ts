/**
 * Calls of another chat whose reasoning nobody has any more, in words: as calls they would be refused without it
 * (docs/service.md, Reasoning must survive tool loops), and as text nothing of them is lost.
 */
import { isImage, type OtherCall, type OtherPart, type Result, resultText } from './otherParts.ts';

/** What was said, and after it the calls, each a line. */
export function toCallsText(answer: string, calls: readonly OtherCall[]): string {
  const lines = calls.map(({ name, arguments: args }, at) => `[Tool call ${at + 1}: ${name} ${args}]`);
  return [...(answer === '' ? [] : [answer]), lines.join('\n')].join('\n\n');
}

/**
 * The parts of a message with the results of such calls as text, in the order of the calls and before all else.
 *
 * @param calls those of the message before, or none when they went as calls
 */
export function withResultsAsText(
  parts: readonly OtherPart[],
  calls: readonly OtherCall[],
): readonly OtherPart[] {
  const place = ({ callId }: Result) => calls.findIndex(({ id }) => id === callId);
  const results = parts.filter((part): part is Result => part.type === 'result' && place(part) !== -1);
  if (results.length === 0) return parts;
  const told = results
    .toSorted((a, b) => place(a) - place(b))
    .flatMap((result): readonly OtherPart[] => [
      {
        type: 'text',
        text: `[Result of tool call ${place(result) + 1}: ${calls[place(result)]?.name}]\n${resultText(result.parts, 'in this message')}\n\n`,
      },
      // Their text is told already.
      ...result.parts.filter(isImage),
    ]);
  return [...told, ...parts.filter((part) => part.type !== 'result' || place(part) === -1)];
}
