/** Reads the names of files in the output of Git. */

/**
 * The path in a line that begins with `diff --git`. The line has the name twice, so it is split in the middle, also if the name has
 * spaces. Undefined if the names differ, as for a renamed file.
 *
 * @param names both names, with or without prefixes
 */
export function nameInHeader(names: string): string | undefined {
  const half = (names.length - 1) / 2;
  if (names[half] !== ' ') return undefined;
  const [one = '', other = ''] = [names.slice(0, half), names.slice(half + 1)].map(unquoted);
  if (one === other) return one;
  const isPrefixed = [one, other].every((name) => /^[a-z]\//.test(name));
  return isPrefixed && one.slice(2) === other.slice(2) ? one.slice(2) : undefined;
}

/** The name without the quotes of C, in which Git puts names with special characters. Bytes that aren't ASCII are octal numbers. */
export function unquoted(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  const bytes = name.slice(1, -1).match(/\\[0-7]{3}|\\.|[^\\]+/g) ?? [];
  return Buffer.from(bytes.flatMap((one) => [...toBytes(one)])).toString('utf8');
}

const CONTROL: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function toBytes(one: string): Uint8Array {
  if (!one.startsWith('\\')) return Buffer.from(one);
  const code = one.slice(1);
  return code.length === 3 ? Buffer.from([Number.parseInt(code, 8)]) : Buffer.from(CONTROL[code] ?? code);
}
