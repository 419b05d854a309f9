import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sniffImage } from '../../../src/chat/images.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('the type of an image', () => {
  it('Q6 goes by the first bytes', () => {
    assert.equal(sniffImage(bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')), 'png');
    assert.equal(sniffImage(bytes('\xff\xd8\xff\xe0\0\x10JFIF')), 'jpeg');
    assert.equal(sniffImage(bytes('GIF87a..')), 'gif');
    assert.equal(sniffImage(bytes('GIF89a..')), 'gif');
    assert.equal(sniffImage(bytes('RIFF\x10\0\0\0WEBPVP8 ')), 'webp');
  });

  it('Q6 is none for what the service refuses', () => {
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
});
