/** Functions for JSON from clients. Deliberately not shared with the extension: see `docs/emulator.md`. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object; undefined for an array, null, or another type. */
export function toObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}

/** The value as an array; undefined for another type. */
export function toList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Whether a string in the value has half of a surrogate pair, which strict JSON parsers refuse. */
export function hasLoneSurrogate(json: unknown): boolean {
  let found = false;
  JSON.stringify(json, (key, value: unknown) => {
    found ||= !key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed());
    return value;
  });
  return found;
}

/** Parses JSON; undefined if it is invalid. The text `null` returns null. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
