/** Creates the smallest sensible value for a JSON Schema. Not a validator: contradictory schemas fail. */
import { type JsonObject, toList, toObject } from '../json.ts';

/** Beyond this depth, only required fields are filled in, so that recursive schemas end. */
const FULL_DEPTH = 4;
const LAST_DEPTH = 12;

/** An object for the schema of a structured answer. */
export function toExample(schema: JsonObject): unknown {
  return exampleOf(schema, schema, 0, '');
}

/** Arguments for a tool: strings whose name contains "file" or "path" get a file of the conversation. */
export function toArguments(parameters: JsonObject, files: readonly string[]): unknown {
  const example = toObject(exampleOf({ type: 'object', ...parameters }, parameters, 0, '')) ?? {};
  const [file] = files;
  if (file === undefined) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      typeof value === 'string' && /file|path|uri/i.test(name) ? file : value,
    ]),
  );
}

function exampleOf(schema: JsonObject, root: JsonObject, depth: number, name: string): unknown {
  if (depth > LAST_DEPTH) return null;
  const target = resolve(schema, root);
  if ('const' in target) return target['const'];
  if ('default' in target) return target['default'];
  const values = toList(target['enum']);
  if (values !== undefined) return values[0];
  for (const key of ['anyOf', 'oneOf']) {
    const first = toObject(toList(target[key])?.[0]);
    if (first !== undefined) return exampleOf({ ...omit(target, key), ...first }, root, depth + 1, name);
  }
  const all = toList(target['allOf']);
  if (all !== undefined) {
    const merged = all.reduce<JsonObject>(
      (sum, part) => merge(sum, resolve(toObject(part) ?? {}, root)),
      omit(target, 'allOf'),
    );
    return exampleOf(merged, root, depth + 1, name);
  }
  return exampleOfType(target, root, depth, name);
}

function exampleOfType(schema: JsonObject, root: JsonObject, depth: number, name: string): unknown {
  const declared = toList(schema['type'])?.[0] ?? schema['type'];
  switch (declared ?? (toObject(schema['properties']) === undefined ? 'string' : 'object')) {
    case 'object':
      return exampleObject(schema, root, depth);
    case 'array': {
      const items = toObject(schema['items']);
      const count = Math.max(
        numberOf(schema['minItems'], 0),
        depth < FULL_DEPTH && numberOf(schema['maxItems'], 1) > 0 ? 1 : 0,
      );
      return Array.from({ length: count }, () =>
        items === undefined ? 'demo' : exampleOf(items, root, depth + 1, name),
      );
    }
    case 'integer':
    case 'number':
      return exampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return exampleString(schema, name);
  }
}

function exampleObject(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const properties = toObject(schema['properties']) ?? {};
  const required = toList(schema['required']) ?? [];
  const names = Object.keys(properties).filter((name) => depth < FULL_DEPTH || required.includes(name));
  const missing = required.filter(
    (name): name is string => typeof name === 'string' && !(name in properties),
  );
  return Object.fromEntries(
    [...names, ...missing].map((name) => [
      name,
      exampleOf(toObject(properties[name]) ?? {}, root, depth + 1, name),
    ]),
  );
}

function exampleNumber(schema: JsonObject): number {
  const least = numberOf(
    schema['minimum'],
    numberOf(schema['exclusiveMinimum'], 0) + ('exclusiveMinimum' in schema ? 1 : 0),
  );
  const step = numberOf(schema['multipleOf'], 0);
  const value = least === 0 ? Math.min(1, numberOf(schema['maximum'], 1)) : least;
  return step > 0 ? Math.ceil(value / step) * step : value;
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  time: '00:00:00Z',
  email: 'demo@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function exampleString(schema: JsonObject, name: string): string {
  const format = schema['format'];
  const known = typeof format === 'string' ? FORMATS[format] : undefined;
  const text = known ?? (name === '' ? 'demo' : `demo ${name}`);
  const cut = text.slice(0, numberOf(schema['maxLength'], text.length));
  return cut.padEnd(numberOf(schema['minLength'], 0), '.');
}

/** Resolves `$ref` within the document; an unresolvable one allows any value. */
function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  let target = schema;
  for (let hops = 0; hops < LAST_DEPTH && typeof target['$ref'] === 'string'; hops++) {
    const path = target['$ref']
      .replace(/^#\/?/, '')
      .split('/')
      .filter((part) => part !== '');
    const found = path.reduce<unknown>(
      (value, part) => toObject(value)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
      root,
    );
    target = toObject(found) ?? {};
  }
  return target;
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  return {
    ...left,
    ...right,
    properties: { ...toObject(left['properties']), ...toObject(right['properties']) },
    required: [...(toList(left['required']) ?? []), ...(toList(right['required']) ?? [])],
  };
}

function omit(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
