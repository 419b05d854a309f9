import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import { describe, it } from 'mocha';
import { readImageHeader } from '../../../../src/conversation/images/imageHeader.ts';
import { decodeImage } from '../../../../src/editor/images/imageCodecs.ts';
import { interlacedPng, makeGif, makePng, passOf, withSecondHeader } from '../../../support/pictures.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';

/** PNG and GIF need no files. */
const NO_FILES = { jpeg: '', webp: '', resize: '' };
const decode = (type: 'png' | 'gif', bytes: Uint8Array) => decodeImage(type, bytes, NO_FILES);

/** The data of an interlaced image whose samples are all 0, counted pixel by pixel. */
function emptyRows(width: number, height: number, bits: number): Buffer {
  const rows = new Map<string, number>();
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const row = `${passOf(x, y)} ${y}`;
      rows.set(row, (rows.get(row) ?? 0) + bits);
    }
  return Buffer.alloc([...rows.values()].reduce((sum, inRow) => sum + 1 + Math.ceil(inRow / 8), 0));
}

const SAMPLES = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };

describe('An interlaced PNG', () => {
  restoreAfterEach(zlib);

  it('is decoded, in each color type and depth', async () => {
    for (const colorType of [0, 2, 3, 4, 6] as const)
      for (const depth of DEPTHS[colorType])
        for (const [width, height] of [
          [1, 1],
          [5, 1],
          [1, 8],
          [3, 7],
          [9, 10],
          [16, 17],
        ] as const) {
          const rows = emptyRows(width, height, SAMPLES[colorType] * depth);
          const pixels = await decode('png', interlacedPng(width, height, rows, { depth, colorType }));
          assert.deepEqual([pixels?.width, pixels?.height], [width, height], `${colorType} ${depth}`);
        }
  });

  it('isn’t decoded if its data is longer than its size allows, because the decoder would inflate all of it', async () => {
    let inflated = 0;
    const { inflateSync } = zlib;
    zlib.inflateSync = (...args) => {
      const data = inflateSync(...args);
      inflated += data.byteLength;
      return data;
    };
    assert.ok(await decode('png', interlacedPng(1, 1, Buffer.alloc(5))));
    assert.equal(inflated, 5, 'the decoder uses this function');
    for (const length of [6, 10_000_000])
      assert.equal(await decode('png', interlacedPng(1, 1, Buffer.alloc(length))), undefined);
    assert.equal(inflated, 5);
  });
});

describe('A PNG with a second header', () => {
  it('isn’t decoded, because the decoder would use its size', async () => {
    const bytes = withSecondHeader(makePng(20, 30), 30, 20);
    assert.equal(readImageHeader(bytes)?.width, 20);
    const same = withSecondHeader(makePng(20, 20), 20, 20);
    for (const two of [bytes, same]) assert.equal(await decode('png', two), undefined);
  });
});

describe('A GIF', () => {
  it('isn’t decoded if its first frame has more than 100 megapixels for the decoder only', async () => {
    const gif = makeGif(1);
    const head = gif.indexOf(0x21);
    // For the decoder, an application extension with a first part of 16 bytes ends after it. The rest of this one is a frame, and the end.
    const hidden = Buffer.from('\x2c\0\0\0\0\x11\x27\x10\x27\0\x02\x02\x44\x01\0\x3b', 'latin1');
    const extension = Buffer.concat([Buffer.from([0x21, 0xff, 16]), Buffer.alloc(16), hidden]);
    const rest = Buffer.alloc(0x2c + 1 - hidden.byteLength);
    const bytes = Buffer.concat([gif.subarray(0, head), extension, rest, Buffer.of(0), gif.subarray(head)]);
    assert.equal(readImageHeader(bytes)?.width, 1);
    assert.equal(await decode('gif', bytes), undefined);
    assert.ok(await decode('gif', gif));
  });
});
