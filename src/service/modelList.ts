import { asArray, asObject, asString } from './json.ts';

/** The fields in which services put the list of models, or an object with the list. */
const WRAPPERS = ['data', 'models', 'list', 'items', 'result', 'results'] as const;

/** The maximum depth of nested objects that are searched. */
const MAX_DEPTH = 4;

/**
 * The ids of a model list, whatever its shape (M1): a list of texts or of records, at top level or in a field such as
 * `data` or `models`, an object with a field for each id, or a single record. Empty if there are none.
 */
export function decodeModels(json: unknown): readonly string[] {
  const found = idsIn(json, 0);
  if (found !== undefined) return found;
  const id = asObject(json) && idOf(json);
  if (id !== undefined) return [id];
  // A list in a field with another name.
  const lists = Object.values(asObject(json) ?? {}).map((value) => recordIdsIn(asArray(value) ?? []));
  return lists.find((ids) => ids.length > 0) ?? [];
}

/** The ids in a list, or in an object in place of one. Undefined if there is neither. */
function idsIn(json: unknown, depth: number): readonly string[] | undefined {
  const list = asArray(json);
  if (list !== undefined) return list.map(idOf).filter((id) => id !== undefined);
  const object = asObject(json);
  if (object === undefined || depth > MAX_DEPTH) return undefined;
  for (const name of WRAPPERS) {
    const ids = idsIn(object[name], depth + 1);
    if (ids !== undefined) return ids;
  }
  const fields = Object.entries(object);
  const isMap = depth > 0 && fields.length > 0 && fields.every(([, value]) => asObject(value) !== undefined);
  return isMap ? fields.map(([id]) => id) : undefined;
}

const recordIdsIn = (list: readonly unknown[]): readonly string[] =>
  list
    .map((entry) => (asObject(entry) === undefined ? undefined : idOf(entry)))
    .filter((id) => id !== undefined);

function idOf(entry: unknown): string | undefined {
  const record = asObject(entry);
  if (record === undefined) return asString(entry);
  const [id] = ['id', 'model_id', 'model', 'name'].map((name) => asString(record[name])).filter(Boolean);
  return id;
}
