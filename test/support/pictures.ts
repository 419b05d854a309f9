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

/** Creates a PNG of gray pixels, one byte each, which takes a quarter of the time of a PNG with colors. */
export function makeGrayPng(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + width), 96);
  // Each row begins with its filter: none.
  for (let y = 0; y < height; y++) rows[y * (1 + width)] = 0;
  return pngOf(width, height, { colorType: 0, rows });
}

/** Creates a PNG with four bytes per pixel and a color for each position. `noise` makes it hard to compress. */
export function makePng(
  width: number,
  height: number,
  { opacity = 255, noise = false }: { readonly opacity?: number; readonly noise?: boolean } = {},
): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 4));
  let seed = 1;
  const perRow = 1 + width * 4;
  for (let y = 0; y < height; y++) {
    let at = y * perRow + 1;
    // Rows with the same green are equal.
    if (!noise && y > 0 && Math.trunc((y * 255) / height) === Math.trunc(((y - 1) * 255) / height)) {
      rows.copyWithin(at, at - perRow, at - 1);
      continue;
    }
    for (let x = 0; x < width; x++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      rows[at++] = noise ? seed >>> 24 : (x * 255) / width;
      rows[at++] = noise ? seed >>> 16 : (y * 255) / height;
      rows[at++] = noise ? seed >>> 8 : 96;
      rows[at++] = opacity;
    }
  }
  // Red, green, blue, and alpha.
  return pngOf(width, height, { colorType: 6, rows });
}

function pngOf(
  width: number,
  height: number,
  {
    colorType,
    rows,
    depth = 8,
    interlaced = false,
  }: {
    readonly colorType: number;
    readonly rows: Buffer;
    /** Bits per channel. */
    readonly depth?: number;
    readonly interlaced?: boolean;
  },
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType, 0, 0, interlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    // Colors are indexes into a palette.
    ...(colorType === 3 ? [chunk('PLTE', Buffer.alloc(3))] : []),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', new Uint8Array()),
  ]);
}

/** Creates an interlaced PNG whose data, before it is compressed, is given. By default with four bytes per pixel. */
export function interlacedPng(
  width: number,
  height: number,
  rows: Buffer,
  { depth = 8, colorType = 6 }: { readonly depth?: number; readonly colorType?: number } = {},
): Buffer {
  return pngOf(width, height, { colorType, rows, depth, interlaced: true });
}

/** The pass of an interlaced PNG that has a pixel, from 1 to 7. The pattern is repeated every 8 pixels in both directions. */
export const passOf = (x: number, y: number): number =>
  Number(
    ['16462646', '77777777', '56565656', '77777777', '36463646', '77777777', '56565656', '77777777'][y % 8]?.[
      x % 8
    ],
  );

/** Adds another header to a PNG, with another size. */
export function withSecondHeader(png: Uint8Array, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(16, 29));
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([png.subarray(0, PNG_HEADER), chunk('IHDR', header), png.subarray(PNG_HEADER)]);
}

/** Creates a GIF of one pixel with this number of frames. */
export function makeGif(pictures: number): Buffer {
  const head = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const picture = Buffer.from('\x21\xf9\x04\0\0\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0', 'latin1');
  return Buffer.concat([head, ...Array<Buffer>(pictures).fill(picture), Buffer.from(';')]);
}

/** EXIF data that has only an orientation. */
function makeExif(orientation: number): Buffer {
  return Buffer.from(
    `MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`,
    'latin1',
  );
}

/** Adds an EXIF orientation to a JPEG, after its first two bytes. */
export function withOrientation(jpeg: Uint8Array, orientation: number): Buffer {
  const head = Buffer.from('\xff\xe1\0\x22Exif\0\0', 'latin1');
  return Buffer.concat([jpeg.subarray(0, 2), head, makeExif(orientation), jpeg.subarray(2)]);
}

/** Where the first chunk after the header of a PNG begins, and where its last chunk begins. */
const PNG_HEADER = 33;
const PNG_END = 12;

/** Adds an EXIF orientation to a PNG, before or after the image. */
export function pngWithOrientation(png: Uint8Array, orientation: number, after = false): Buffer {
  const at = after ? png.byteLength - PNG_END : PNG_HEADER;
  return Buffer.concat([png.subarray(0, at), chunk('eXIf', makeExif(orientation)), png.subarray(at)]);
}

/** Makes a PNG an animation of this number of frames, according to its header. */
export function animatedPng(png: Uint8Array, frames: number): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames);
  return Buffer.concat([png.subarray(0, PNG_HEADER), chunk('acTL', control), png.subarray(PNG_HEADER)]);
}

/** A WebP in an extended container, with flags, its size, and an EXIF orientation. */
export function extendedWebp(
  webp: Uint8Array,
  { width, height, flags = 0, orientation }: ExtendedWebp,
): Buffer {
  const extension = Buffer.from('VP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1');
  extension[8] = flags | (orientation === undefined ? 0 : 8);
  extension.writeUIntLE(width - 1, 12, 3);
  extension.writeUIntLE(height - 1, 15, 3);
  const exif = makeExif(orientation ?? 1);
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
  head.writeUInt32LE(exif.byteLength, 4);
  const end = orientation === undefined ? [] : [head, exif];
  const made = Buffer.concat([webp.subarray(0, 12), extension, webp.subarray(12), ...end]);
  made.writeUInt32LE(made.byteLength - 8, 4);
  return made;
}

export interface ExtendedWebp {
  readonly width: number;
  readonly height: number;
  readonly flags?: number;
  readonly orientation?: number;
}

/** Creates an animated WebP whose frames are all the same picture, which is given as a WebP. */
export function animatedWebp(
  picture: Uint8Array,
  { width, height, frames }: { readonly width: number; readonly height: number; readonly frames: number },
): Buffer {
  const webpChunk = (name: string, data: Uint8Array) => {
    const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
    head.writeUInt32LE(data.byteLength, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.byteLength % 2)]);
  };
  const size = Buffer.alloc(6);
  size.writeUIntLE(width - 1, 0, 3);
  size.writeUIntLE(height - 1, 3, 3);
  const place = Buffer.alloc(6);
  const time = Buffer.from('\x64\0\0\0', 'latin1');
  const frame = webpChunk('ANMF', Buffer.concat([place, size, time, picture.subarray(12)]));
  // The flags say that it is animated and transparent.
  const extension = webpChunk('VP8X', Buffer.concat([Buffer.from('\x12\0\0\0', 'latin1'), size]));
  const loop = webpChunk('ANIM', Buffer.alloc(6));
  const body = Buffer.concat([extension, loop, ...Array<Buffer>(frames).fill(frame)]);
  const made = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), body]);
  made.writeUInt32LE(made.byteLength - 8, 4);
  return made;
}
