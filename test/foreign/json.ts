/**
 * JSON as it arrives, and the raw text of its parts. Byte identity is checked on text, never on parsed
 * values.
 */

export type Json = null | boolean | number | string | Json[] | Fields;
export type Fields = { [name: string]: Json };

export function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the value, or undefined if the text isn't JSON */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}

function endOfPart(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const sign = text[at] ?? '';
    if (sign === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (depth === 0 && ',]}'.includes(sign)) {
      return at;
    }
    if ('{['.includes(sign)) {
      depth += 1;
    } else if ('}]'.includes(sign)) {
      depth -= 1;
    }
    at += 1;
  }
  return at;
}

/**
 * The raw members of an object, or the raw elements of an array. `text` must be valid JSON of either kind.
 */
function rawParts(text: string): string[] {
  const found: string[] = [];
  let at = 1;
  while (at < text.length) {
    const end = endOfPart(text, at);
    found.push(text.slice(at, end).trim());
    at = end + 1;
  }
  return found.filter((part) => part !== '');
}

/** The raw text of each element of the array in the field `name` of the top-level object `text`. */
export function rawElements(text: string, name: string): string[] {
  const member = rawParts(text.trim()).find((part) => part.startsWith(JSON.stringify(name)));
  const value = member?.slice(member.indexOf(':', name.length + 2) + 1).trim() ?? '';
  return value.startsWith('[') ? rawParts(value) : [];
}

/** The first characters of a text, without splitting one. */
export function clipped(text: string, characters: number): string {
  return Array.from(text).slice(0, characters).join('');
}
