import assert from 'node:assert/strict';
import { PhotonImage } from '@silvia-odwyer/photon-node';
import { describe, it } from 'mocha';
import { readImageHeader } from '../../../../src/conversation/images/imageHeader.ts';
import {
  animatedPng,
  animatedWebp,
  type ExtendedWebp,
  extendedWebp,
  makeGif,
  makePng,
  pngWithOrientation,
  withOrientation,
} from '../../../support/pictures.ts';

const png = makePng(300, 200);
const picture = PhotonImage.new_from_byteslice(png);
const jpeg = picture.get_bytes_jpeg(80);
const webp = Buffer.from(picture.get_bytes_webp());

const extended = (more: Partial<ExtendedWebp> = {}) =>
  extendedWebp(webp, { width: 300, height: 200, ...more });

const lossyWebp = Buffer.from('RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x2c\x01\xc8\0', 'latin1');

describe('Image header', () => {
  it('contains the size of each type', () => {
    for (const bytes of [png, jpeg, webp, extended(), lossyWebp]) {
      const header = readImageHeader(bytes);
      assert.deepEqual([header?.width, header?.height], [300, 200], header?.type);
    }
    assert.equal(readImageHeader(makeGif(1))?.width, 1);
  });

  it('contains the orientation', () => {
    assert.equal(readImageHeader(jpeg)?.orientation, 1);
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8])
      assert.equal(readImageHeader(withOrientation(jpeg, orientation))?.orientation, orientation);
    assert.equal(readImageHeader(withOrientation(jpeg, 99))?.orientation, 1);
  });

  it('contains the orientation of a PNG, before and after the image, and of a WebP', () => {
    for (const orientation of [1, 3, 6, 8])
      for (const bytes of [
        pngWithOrientation(png, orientation),
        pngWithOrientation(png, orientation, true),
        extended({ orientation }),
      ]) {
        const header = readImageHeader(bytes);
        assert.deepEqual(
          [header?.orientation, header?.width, header?.height],
          [orientation, 300, 200],
          header?.type,
        );
      }
    assert.equal(readImageHeader(pngWithOrientation(png, 99))?.orientation, 1);
    assert.equal(readImageHeader(extended({ orientation: 99 }))?.orientation, 1);
  });

  it('is read even if a chunk claims to be longer than the file', () => {
    const odd = pngWithOrientation(png, 6);
    odd.writeUInt32BE(0xfffffff0, 33);
    assert.equal(readImageHeader(odd)?.width, 300);
    const webp = extended({ orientation: 6 });
    webp.writeUInt32LE(0xfffffff0, 34);
    assert.equal(readImageHeader(webp)?.width, 300);
  });

  it('detects an animated PNG', () => {
    assert.equal(readImageHeader(png)?.animated, false);
    assert.equal(readImageHeader(animatedPng(png, 1))?.animated, false);
    assert.equal(readImageHeader(animatedPng(png, 3))?.animated, true);
  });

  it('detects an animation', () => {
    assert.equal(readImageHeader(makeGif(1))?.animated, false);
    assert.equal(readImageHeader(makeGif(2))?.animated, true);
    assert.equal(readImageHeader(extended({ flags: 2 }))?.animated, true);
    // The first flag says that there is a color table, the last ones its size.
    const gif = makeGif(2);
    const plain = Buffer.concat([gif.subarray(0, 13), gif.subarray(19)]);
    plain[10] = 1;
    assert.equal(readImageHeader(plain)?.animated, true);
  });

  it('is that of a GIF of which only the trailer is missing, as some programs write them', () => {
    for (const pictures of [1, 2]) {
      const header = readImageHeader(makeGif(pictures).subarray(0, -1));
      assert.deepEqual([header?.animated, header?.noTrailer], [pictures > 1, true]);
    }
    assert.equal(readImageHeader(makeGif(1))?.noTrailer, undefined);
    assert.equal(readImageHeader(makeGif(1).subarray(0, -2)), undefined);
    assert.equal(readImageHeader(makeGif(0).subarray(0, -1)), undefined, 'there is no picture');
  });

  it('is undefined if it is cut off, invalid, or of another type', () => {
    for (const bytes of [
      png.subarray(0, 20),
      jpeg.subarray(0, 16),
      webp.subarray(0, 22),
      webp.subarray(0, -2),
      makeGif(2).subarray(0, 60),
    ])
      assert.equal(readImageHeader(bytes), undefined);
    const nothing = Buffer.from(png);
    nothing.writeUInt32BE(0, 16);
    assert.equal(readImageHeader(nothing), undefined);
    assert.equal(readImageHeader(Buffer.from('<svg/>')), undefined);
  });

  it('is undefined for a WebP whose picture has another size than its container, because a decoder would use that size', () => {
    for (const size of [{ width: 299 }, { height: 199 }, { width: 301 }])
      assert.equal(readImageHeader(extended(size)), undefined, JSON.stringify(size));
  });

  it('is undefined for an animated WebP with a frame, or a picture in it, that is larger than the whole', () => {
    const [width, height] = [300, 200];
    const sound = animatedWebp(webp, { width, height, frames: 2 });
    assert.deepEqual(readImageHeader(sound)?.width, width);
    assert.equal(readImageHeader(animatedWebp(webp, { width, height: 199, frames: 1 })), undefined);
    for (const larger of [sound.indexOf('ANMF'), sound.lastIndexOf('ANMF')]) {
      const frame = Buffer.from(sound);
      // After the name, the length, and the position.
      frame.writeUIntLE(11_999, larger + 14, 3);
      assert.equal(readImageHeader(frame), undefined);
    }
    const wide = Buffer.from(sound);
    wide.writeUIntLE(11_999, 24, 3);
    assert.equal(readImageHeader(wide)?.width, 12_000, 'a frame may be smaller');
  });

  it('is undefined for a WebP with a frame after a picture that is smaller', () => {
    const small = Buffer.from(PhotonImage.new_from_byteslice(makePng(30, 20)).get_bytes_webp());
    const animated = animatedWebp(webp, { width: 300, height: 200, frames: 1 });
    const both = Buffer.concat([small, animated.subarray(animated.indexOf('ANMF'))]);
    both.writeUInt32LE(both.byteLength - 8, 4);
    assert.equal(readImageHeader(small)?.width, 30);
    assert.equal(readImageHeader(both), undefined);
  });

  it('is undefined for a GIF with a frame above 100 megapixels, but not with one that is a little larger than the whole', () => {
    const first = makeGif(1).indexOf(0x2c);
    for (const at of [first, makeGif(2).lastIndexOf(0x2c)]) {
      const gif = makeGif(2);
      gif.writeUInt16LE(2, at + 5);
      assert.equal(readImageHeader(gif)?.width, 1);
      gif.writeUInt16LE(10_001, at + 5);
      gif.writeUInt16LE(10_000, at + 7);
      assert.equal(readImageHeader(gif), undefined);
    }
  });
});
