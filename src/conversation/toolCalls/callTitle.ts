/** The title of a tool call on one line, for calls whose tool has no definition that provides a title. */
import type { JsonObject } from '../../service/json.ts';
import { cutText } from '../cutText.ts';
import { parseArguments } from './toolCalls.ts';

/** The maximum length of a title, in UTF-16 code units. */
const MAX_TITLE = 120;

/** The arguments of a call. Empty if they are cut off or aren't a JSON object, because a title doesn't need them. */
export const argumentsOf = (json: string): JsonObject => parseArguments(json) ?? {};

/** `get_current-weather` as `Get current weather`. */
export function toPlainName(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a tool as words, without the server: `mcp_everything_echo` as `Echo`. */
export const toToolName = (name: string): string => toPlainName(name.replace(/^mcp_[^_]+_/, ''));

/** A name and the first argument that is a number or a text that isn't blank: `Echo: hello`. */
export function withArgument(name: string, args: Readonly<Record<string, unknown>>): string {
  const told = Object.values(args).find(
    (value) => (typeof value === 'string' && value.trim() !== '') || typeof value === 'number',
  );
  return told === undefined ? name : `${name}: ${told}`;
}

/** A title without line breaks, cut if it is long. */
export function toTitleLine(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_TITLE ? line : `${cutText(line, MAX_TITLE - 1)}…`;
}
