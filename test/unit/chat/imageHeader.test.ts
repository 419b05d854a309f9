import assert from 'node:assert/strict';
import { PhotonImage } from '@silvia-odwyer/photon-node';
import { describe, it } from 'mocha';
import { readImageHeader } from '../../../src/chat/imageHeader.ts';
import { makeGif, makePng, withOrientation } from '../../support/pictures.ts';

const png = makePng(300, 200);
const picture = PhotonImage.new_from_byteslice(png);
const jpeg = picture.get_bytes_jpeg(80);
const webp = Buffer.from(picture.get_bytes_webp());

/** A WebP container around the image, with flags and its own size. */
function extendedWebp(flags: number): Buffer {
  const extension = Buffer.from('VP8X\x0a\0\0\0\0\0\0\0\x2b\x01\0\xc7\0\0', 'latin1');
  extension[8] = flags;
  const made = Buffer.concat([webp.subarray(0, 12), extension, webp.subarray(12)]);
  made.writeUInt32LE(made.byteLength - 8, 4);
  return made;
}

const lossyWebp = Buffer.from('RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x2c\x01\xc8\0', 'latin1');

describe('Image header', () => {
  it('contains the size of each type', () => {
    for (const bytes of [png, jpeg, webp, extendedWebp(0), lossyWebp]) {
      const header = readImageHeader(bytes);
      assert.deepEqual([header?.width, header?.height], [300, 200], header?.type);
    }
    assert.equal(readImageHeader(makeGif(1))?.width, 1);
  });

  it('contains the orientation', () => {
    assert.equal(readImageHeader(jpeg)?.orientation, 1);
    for (const orientation of [1, 3, 6, 8])
      assert.equal(readImageHeader(withOrientation(jpeg, orientation))?.orientation, orientation);
    assert.equal(readImageHeader(withOrientation(jpeg, 99))?.orientation, 1);
  });

  it('detects an animation', () => {
    assert.equal(readImageHeader(makeGif(1))?.animated, false);
    assert.equal(readImageHeader(makeGif(2))?.animated, true);
    assert.equal(readImageHeader(extendedWebp(2))?.animated, true);
  });

  it('is undefined if it is cut off, invalid, or of another type', () => {
    for (const bytes of [
      png.subarray(0, 20),
      jpeg.subarray(0, 16),
      webp.subarray(0, 22),
      makeGif(2).subarray(0, 60),
    ])
      assert.equal(readImageHeader(bytes), undefined);
    const nothing = Buffer.from(png);
    nothing.writeUInt32BE(0, 16);
    assert.equal(readImageHeader(nothing), undefined);
    assert.equal(readImageHeader(Buffer.from('<svg/>')), undefined);
  });
});
