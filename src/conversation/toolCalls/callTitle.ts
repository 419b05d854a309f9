/** The title of a tool call: what it does, on one line, without a definition of the tool that could say it. */
import { parseJson } from '../../service/json.ts';
import { cutText } from '../cutText.ts';

/** A longer title is cut. In characters. */
const MAX_TITLE = 120;

/** The arguments of a call, as far as they are a JSON object. */
export function argumentsOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = json.trim() === '' ? {} : parseJson(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    // Cut off, or no JSON: the title does without them.
    return {};
  }
}

/** `get_current-weather` as `Get current weather`. */
export function toPlainName(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a tool as words, without the server: `mcp_everything_echo` as `Echo`. */
export const toToolName = (name: string): string => toPlainName(name.replace(/^mcp_[^_]+_/, ''));

/** A name and the first argument that is short enough to say something: `Echo: hello`. */
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
