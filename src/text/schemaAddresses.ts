/** Addresses of schemas. Extensions for JSON, YAML, TOML, and XML download them as soon as a text that names them is opened. */

/** The ways in which a text names a schema. */
const SCHEMA = /\$schema|#:\s*schema\b|schemalocation|<\?xml-model|<!entity|<!doctype\s(?!html>)/i;
/** Also matches characters that XML writes as numbers. */
const ADDRESS = /(?:https?|ftp):|&#/i;

/** Whether a text that replaces another one may add such an address. The address could contain text that the model has read. */
export function bringsSchema(before: string, after: string): boolean {
  const text = withoutEscapes(after);
  if (!SCHEMA.test(text)) return false;
  const known = new Set(withoutEscapes(before).split('\n'));
  return text.split('\n').some((line) => !known.has(line) && ADDRESS.test(line));
}

/** JSON and YAML can write letters as character codes. */
const withoutEscapes = (text: string): string =>
  text.replace(/\\(?:u00|x)([\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
