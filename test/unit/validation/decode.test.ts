import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as v from 'valibot';
import {
  count,
  type Decoder,
  decode,
  decodeReadable,
  describeWrong,
  oneOf,
  orUndefined,
  whole,
} from '../../../src/validation/decode.ts';

interface Boat {
  readonly name: string;
  readonly kind: 'sail' | 'steam';
  readonly masts: readonly { readonly height: number }[];
  readonly crew: number | undefined;
}

const boat: Decoder<Boat> = v.looseObject({
  name: v.string(),
  kind: oneOf<Boat['kind']>({ sail: true, steam: true }),
  masts: v.array(v.looseObject({ height: count })),
  crew: orUndefined(whole),
});
const GOOD = { name: 'Ada', kind: 'sail', masts: [{ height: 9.5 }] };

const wrongOf = (value: unknown) => {
  const decoded = decode(boat, value);
  return decoded.ok ? undefined : describeWrong(decoded.wrong);
};

describe('A decoder', () => {
  it('returns a typed value, with the fields that JSON omitted and with unknown fields', () => {
    assert.deepEqual(decode(boat, { ...GOOD, flag: 'red' }), {
      ok: true,
      value: { ...GOOD, crew: undefined, flag: 'red' },
    });
  });

  for (const [value, wrong] of [
    [null, 'it should be an object'],
    [[], 'kind'],
    [{ ...GOOD, name: 1 }, 'name should be text'],
    [{ kind: 'sail', masts: [] }, 'name should be text'],
    [{ ...GOOD, kind: 'rowed' }, 'kind should be one of sail, steam'],
    [{ name: '', masts: [] }, 'kind should be one of sail, steam'],
    [{ ...GOOD, kind: 'toString' }, 'kind should be one of sail, steam'],
    [{ ...GOOD, masts: {} }, 'masts should be a list'],
    [{ ...GOOD, masts: [{ height: 1 }, {}] }, 'masts[1].height should be a number'],
    [{ ...GOOD, masts: [{ height: -1 }] }, 'masts[0].height should be a number that is not below zero'],
    [{ ...GOOD, masts: ['tall'] }, 'masts[0] should be an object'],
    [{ ...GOOD, crew: 1.5 }, 'crew should be a whole number'],
    [{ ...GOOD, crew: '3' }, 'crew should be a number'],
  ] as const)
    it(`refuses ${JSON.stringify(value)} and names the field`, () => {
      if (wrong !== 'kind') assert.equal(wrongOf(value), wrong);
      else assert.notEqual(wrongOf(value), undefined);
    });

  it('decodes an object with defaults, and reports each invalid field', () => {
    const lenient: Decoder<{ readonly name: string; readonly crew: number }> = v.looseObject({
      name: v.optional(v.string(), '?'),
      crew: v.optional(whole, 0),
    });
    const told: string[] = [];
    const read = decodeReadable(lenient, { name: 7, crew: 'many', flag: 'red' }, (wrong) =>
      told.push(describeWrong(wrong)),
    );
    assert.deepEqual(read, { name: '?', crew: 0, flag: 'red' });
    assert.deepEqual(told, ['name should be text', 'crew should be a number']);
  });

  it('returns undefined if an invalid field has no default', () => {
    const told: string[] = [];
    assert.equal(
      decodeReadable(boat, { ...GOOD, name: 7 }, ({ field }) => told.push(field)),
      undefined,
    );
    assert.deepEqual(told, ['name']);
  });

  it('leaves out only the invalid part of an object, unless the object needs it or is in a list', () => {
    const part: Decoder<{ readonly height: number; readonly sail?: string }> = v.object({
      height: v.number(),
      sail: v.exactOptional(v.string()),
    });
    const harbor = v.object({
      bow: v.optional(part, { height: 1 }),
      stern: v.optional(part, { height: 1 }),
      masts: v.optional(v.array(part), []),
    });
    const told: string[] = [];
    const read = decodeReadable(
      harbor,
      { bow: { height: 2, sail: 7 }, stern: { height: '3', sail: 'jib' }, masts: [{ height: 4, sail: 7 }] },
      ({ field }) => told.push(field),
    );
    assert.deepEqual(read, { bow: { height: 2 }, stern: { height: 1 }, masts: [] });
    assert.deepEqual(told, ['bow.sail', 'stern.height', 'masts[0].sail']);
  });
});
