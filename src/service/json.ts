/** Functions that narrow unknown JSON. Each returns undefined if the value has another type. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function asArray(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A finite number. Numbers that are written as text don't count. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A count or an index. Some gateways write it as text. */
export const asCount = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : asNumber(value);

/** The value as JSON, or undefined if it can't be converted: it is undefined, or nested too deeply for the stack. */
export function toJson(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
): string | undefined {
  try {
    return JSON.stringify(value, replacer);
  } catch {
    return undefined;
  }
}

/** The parsed text, or undefined if it isn't JSON. `null` is parsed to null. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The maximum number of nested levels in JSON from outside that is kept. Storing it fails at a few thousand levels. */
export const MAX_LEVELS = 500;

/** Whether a value that was parsed from JSON is nested more than `levels` deep. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((field) => isDeeperThan(field, levels - 1));
}

/** The offset after the object or list at the beginning of a text, or the length of the text if it isn't closed. */
export function endOfJson(text: string): number {
  const at = findBracket(text, (open) => open === 0);
  return at === -1 ? text.length : at + 1;
}

/**
 * The offset of the first wanted bracket outside of JSON strings, or -1 if there is none.
 *
 * @param isWanted called for each bracket with the number of brackets that are open after it
 */
export function findBracket(text: string, isWanted: (open: number) => boolean): number {
  let open = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\' && inString) at++;
    else if (sign === '"') inString = !inString;
    else if (!inString && (sign === '{' || sign === '[')) {
      if (isWanted(++open)) return at;
    } else if (!inString && (sign === '}' || sign === ']') && isWanted(--open)) return at;
  }
  return -1;
}
