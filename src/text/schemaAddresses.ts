/** Addresses of schemas. Extensions for JSON, YAML, TOML, and XML download them as soon as a text that names them is opened. */

/** The ways in which a text names a schema. */
const SCHEMA = /\$schema|#:\s*schema\b|schemalocation|<\?xml-model|<!entity|<!doctype\s(?!html>)/i;
/** Also matches addresses of files on other machines, which are read over the network, and characters that XML writes as numbers. */
const ADDRESS = /(?:https?|ftp):|file:\/\/[^/]|\\\\\w|(?<![:/])\/\/\w|&#/i;

/** Whether a text that replaces another one may add such an address. The address could contain text that the model has read. */
export function bringsSchema(before: string, after: string): boolean {
  const text = withoutEscapes(after);
  if (!SCHEMA.test(text)) return false;
  const known = new Set(withoutEscapes(before).split('\n'));
  return text.split('\n').some((line) => !known.has(line) && ADDRESS.test(line));
}

/** JSON, YAML, and TOML can write letters as character codes. YAML and TOML can also continue a string in the next line. */
const withoutEscapes = (text: string): string =>
  text
    .replace(/\\[ \t]*\r?\n[ \t\n\r]*/g, '')
    .replace(
      /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/g,
      (all, ...codes: (string | undefined)[]) => {
        const code = Number.parseInt(codes[0] ?? codes[1] ?? codes[2] ?? '', 16);
        return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
      },
    );
