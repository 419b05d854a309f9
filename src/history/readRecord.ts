/** Reads stored records. A field that can't be decoded is reported and gets its default; the other fields are kept. */
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

/** The decoders for the items of a record's lists, by the names of the lists. */
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

/** The fields without list items that can't be decoded. These are reported. */
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

/** Parses a record. If it isn't JSON, this is reported and the result is undefined. */
export function parseRecord(record: string, name: string, onWrong: OnWrong): unknown {
  const value = parseJson(record);
  if (value === undefined) onWrong(`${name}: it is no JSON`);
  return value;
}
