/** Images for tests, built from bytes without the libraries under test. */
import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.byteLength);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Creates a PNG with four bytes per pixel and a color for each position. `noise` makes it hard to compress. */
export function makePng(
  width: number,
  height: number,
  { opacity = 255, noise = false }: { readonly opacity?: number; readonly noise?: boolean } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per channel: red, green, blue, and alpha.
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 4));
  let seed = 1;
  for (let y = 0; y < height; y++) {
    let at = y * (1 + width * 4) + 1;
    for (let x = 0; x < width; x++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      rows[at++] = noise ? seed >>> 24 : (x * 255) / width;
      rows[at++] = noise ? seed >>> 16 : (y * 255) / height;
      rows[at++] = noise ? seed >>> 8 : 96;
      rows[at++] = opacity;
    }
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', new Uint8Array()),
  ]);
}

/** Creates a GIF of one pixel with this number of frames. */
export function makeGif(pictures: number): Buffer {
  const head = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const picture = Buffer.from('\x21\xf9\x04\0\0\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0', 'latin1');
  return Buffer.concat([head, ...Array<Buffer>(pictures).fill(picture), Buffer.from(';')]);
}

/** Adds an EXIF orientation to a JPEG, after its first two bytes. */
export function withOrientation(jpeg: Uint8Array, orientation: number): Buffer {
  const exif = Buffer.from(
    `\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`,
    'latin1',
  );
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}
