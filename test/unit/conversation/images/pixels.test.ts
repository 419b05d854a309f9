import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Orientation } from '../../../../src/conversation/images/imageHeader.ts';
import {
  flattenOntoWhite,
  isTransparent,
  type Pixels,
  toUpright,
} from '../../../../src/conversation/images/pixels.ts';

/** One letter per pixel, in rows. */
const toPixels = (...rows: readonly string[]): Pixels => ({
  data: Uint8Array.from(rows.join(''), (letter) => letter.charCodeAt(0)).reduce<Uint8Array>(
    (data, code, i) => data.fill(code, i * 4, i * 4 + 4),
    new Uint8Array(rows.join('').length * 4),
  ),
  width: rows[0]?.length ?? 0,
  height: rows.length,
});

function toRows({ data, width, height }: Pixels): readonly string[] {
  const letters = [...data].filter((_, i) => i % 4 === 0).map((code) => String.fromCharCode(code));
  return Array.from({ length: height }, (_, y) => letters.slice(y * width, (y + 1) * width).join(''));
}

describe('Pixels of an image', () => {
  it('are rotated according to the EXIF orientation', () => {
    const stored = toPixels('abc', 'def');
    const upright: Readonly<Record<Orientation, readonly string[]>> = {
      1: ['abc', 'def'],
      2: ['cba', 'fed'],
      3: ['fed', 'cba'],
      4: ['def', 'abc'],
      5: ['ad', 'be', 'cf'],
      6: ['da', 'eb', 'fc'],
      7: ['fc', 'eb', 'da'],
      8: ['cf', 'be', 'ad'],
    };
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8] as const)
      assert.deepEqual(toRows(toUpright(stored, orientation)), upright[orientation], `${orientation}`);
  });

  it('are placed on white where they are transparent', () => {
    const clear = { data: Uint8Array.of(0, 0, 0, 0, 10, 20, 30, 255), width: 2, height: 1 };
    assert.ok(isTransparent(clear));
    const flat = flattenOntoWhite(clear);
    assert.deepEqual([...flat.data], [255, 255, 255, 255, 10, 20, 30, 255]);
    assert.equal(isTransparent(flat), false);
  });
});
