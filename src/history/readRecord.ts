/** Reads records of any kind: a field that can't be decoded is reported and gets its default, and the others are kept. */
import { parseJson } from '../service/json.ts';
import {
  type Decoder,
  decode,
  decodeReadable,
  describeWrong,
  someObject,
  tryDecode,
} from '../validation/decode.ts';

/** Called for a record that could not be decoded completely, with the invalid field and the expected value. */
export type OnWrong = (what: string) => void;

/** Lists of a record, with the decoder of their items. */
export type Lists = Readonly<Record<string, Decoder<unknown>>>;

/** Decodes a record. Each invalid field is reported and gets its default; an invalid item of `lists` is left out. */
export function readRecord<Known>(
  decoder: Decoder<Known>,
  record: string,
  name: string,
  onWrong: OnWrong,
  lists: Lists = {},
): Known {
  const parsed = tryDecode(someObject, parseRecord(record, name, onWrong)) ?? {};
  const fields = withReadableItems(parsed, lists, name, onWrong);
  const read = decodeReadable(decoder, fields, (wrong) => onWrong(`${name}: ${describeWrong(wrong)}`));
  if (read === undefined) throw new Error(`every field of ${name} should have a default`);
  return read;
}

/** The fields without the items of lists that can't be decoded, which are reported. */
export function withReadableItems(
  fields: Readonly<Record<string, unknown>>,
  lists: Lists,
  name: string,
  onWrong: OnWrong,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    const decoder = Object.hasOwn(lists, key) ? lists[key] : undefined;
    if (decoder === undefined || !Array.isArray(value)) return [[key, value]];
    const readable = value.filter((item, index) => {
      const decoded = decode(decoder, item);
      if (decoded.ok) return true;
      const { field, expected } = decoded.wrong;
      const place = `${key}[${index}]${field === '' ? '' : `.${field}`}`;
      onWrong(`${name}: ${describeWrong({ field: place, expected })}`);
      return false;
    });
    return readable.length === 0 ? [] : [[key, readable]];
  });
  return Object.fromEntries(entries);
}

/** The value of a record; undefined, and reported, if it isn't JSON. */
export function parseRecord(record: string, name: string, onWrong: OnWrong): unknown {
  const value = parseJson(record);
  if (value === undefined) onWrong(`${name}: it is no JSON`);
  return value;
}
