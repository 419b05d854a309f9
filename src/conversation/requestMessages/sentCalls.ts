/**
 * A tool call and its result as they are sent back. The model's text is unchanged, except for anything that services refuse: they
 * would refuse every later question of the conversation as well.
 */
import { isImageMime } from '../../service/imageTypes.ts';
import { asObject, parseJson } from '../../service/json.ts';
import type { ContentPart, Message, ToolCall } from '../../service/types.ts';
import { sentImagesIn } from '../toolCalls/tools.ts';
import type { Call } from '../turn.ts';

/** A blank message would be refused on some routes, and would not help the model. */
export const NO_OUTPUT = '[no output]';

export const toSentCall = ({ id, name, arguments: args, state }: Call): ToolCall => ({
  id,
  type: 'function',
  function: { name: toSentName(name), arguments: isBroken(args, state) ? toSentArguments(args) : args },
});

export function toSentResult({ id, result }: Call): Message {
  const text = result?.text ?? '';
  return { role: 'tool', tool_call_id: id, content: text.trim() === '' ? NO_OUTPUT : text };
}

/** The images that tools returned, each after the name of its tool. */
export function toResultImages(calls: readonly Call[]): readonly ContentPart[] {
  return calls.flatMap(({ name, result }): readonly ContentPart[] => {
    // An image of another type would be refused, and every later question with it.
    const images = sentImagesIn(result).filter(({ type }) => isImageMime(type));
    if (images.length === 0) return [];
    return [
      { type: 'text', text: `[images that the tool ${name} gave]` },
      ...images.map(
        ({ type, base64 }): ContentPart => ({
          type: 'image_url',
          image_url: { url: `data:${type};base64,${base64}` },
        }),
      ),
    ];
  });
}

/** The name of a call whose tool may not exist, with only the characters and the length that names of tools can have. */
const toSentName = (name: string): string =>
  /^[\w-]{1,64}$/.test(name) ? name : name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed';

/**
 * Whether arguments have to be replaced. Those of other calls were parsed before their tool ran, and parsing long ones again
 * takes time.
 */
const isBroken = (args: string, state: Call['state']): boolean =>
  args.trim() === '' ||
  ((state === 'failed' || state === 'not-run') && asObject(parseJson(args)) === undefined);

/** An object, because servers expect one when they read the arguments of earlier calls. The model still sees its own text. */
const toSentArguments = (args: string): string =>
  args.trim() === '' ? '{}' : JSON.stringify({ unreadable: args });
