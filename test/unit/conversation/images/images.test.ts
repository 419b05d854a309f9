import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sniffImage, sniffOther } from '../../../../src/conversation/images/images.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('Image type', () => {
  it('Q6 is detected by the first bytes', () => {
    assert.equal(sniffImage(bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')), 'png');
    assert.equal(sniffImage(bytes('\xff\xd8\xff\xe0\0\x10JFIF')), 'jpeg');
    assert.equal(sniffImage(bytes('GIF87a..')), 'gif');
    assert.equal(sniffImage(bytes('GIF89a..')), 'gif');
    assert.equal(sniffImage(bytes('RIFF\x10\0\0\0WEBPVP8 ')), 'webp');
  });

  it('Q6 is undefined for types that the service refuses', () => {
    const refused = [
      '',
      '<svg xmlns',
      '\0\0\0\x1cftypavif',
      '\0\0\0\x18ftypheic',
      'BM\x36\0',
      'II*\0',
      'MM\0*',
      'RIFF\x10\0\0\0WAVE',
      '\x89PN',
    ];
    for (const text of refused) assert.equal(sniffImage(bytes(text)), undefined, text);
  });

  it('has a name if the service refuses it, whatever the file name is', () => {
    const named: readonly (readonly [string, ReturnType<typeof sniffOther>])[] = [
      ['<svg xmlns="x">', 'SVG'],
      ['<?xml version="1.0"?>\n<!-- by hand -->\n<svg>', 'SVG'],
      ['\xff\xfe<\0s\0v\0g\0>\0', 'SVG'],
      ['\0\0\0\x1cftypavif\0\0\0\0avifmif1', 'AVIF'],
      ['\0\0\0\x1cftypmif1\0\0\0\0mif1avif', 'AVIF'],
      ['\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'HEIC'],
      ['\0\0\0\x18ftypisom\0\0\0\0isomiso2', undefined],
      ['BM\x36\0\0\0\0\0\0\0', 'BMP'],
      ['BMW and other cars', undefined],
      ['II*\0', 'TIFF'],
      ['MM\0*', 'TIFF'],
      ['\0\0\x01\0\x01\0', 'ICO'],
      ['%PDF-1.7', 'PDF'],
      ['', undefined],
      ['plain words', undefined],
    ];
    for (const [text, type] of named) assert.equal(sniffOther(bytes(text)), type, text);
  });
});
