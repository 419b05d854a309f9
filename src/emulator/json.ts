/** Careful hands for JSON that a client sent. Written here a second time on purpose: see `docs/emulator.md`. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object; undefined when it is an array, null or no object at all. */
export function toObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}

/** The value as a list; undefined when it is none. */
export function toList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** A JSON text or undefined; `null` parses to null. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
