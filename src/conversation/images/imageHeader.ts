/** Reads the header of an image without decoding the image. */
import type { ImageType } from '../../service/imageTypes.ts';
import { sniffImage } from './images.ts';
import { chunksOfPng } from './pngChunks.ts';
import { chunksOfWebp, readWebpSize, type WebpChunk } from './webpChunks.ts';

/**
 * Larger images are not decoded, because a header of a few bytes can claim any size. This also limits the
 * memory of the worker.
 */
export const MAX_PIXELS = 100_000_000;

/** The EXIF orientation: 1 is upright, 6 is rotated by 90°. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export interface ImageHeader {
  readonly type: ImageType;
  /** Pixels as stored, before the image is rotated. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Whether there is more than one frame. Scaling keeps only the first. */
  readonly animated: boolean;
  /**
   * A JPEG that isn't meant for screens: with four colors, such as CMYK, with more than 8 bits per color, lossless, or
   * hierarchical.
   */
  readonly special?: true;
  /** A GIF that ends after a frame, without the trailer byte. Editors and browsers show it. */
  readonly noTrailer?: true;
}

/**
 * The header, or undefined if it is damaged or cut off, or if the bytes aren't an image of the four types.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const type = sniffImage(bytes);
  if (type === undefined) return undefined;
  try {
    const read = READERS[type](bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (read === undefined || read.width === 0 || read.height === 0) return undefined;
    return { type, orientation: 1, animated: false, ...read };
  } catch (error) {
    // DataView throws if it reads past the end: the header is cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Read = Pick<ImageHeader, 'width' | 'height'> & Partial<ImageHeader>;

const READERS: Readonly<Record<ImageType, (bytes: Uint8Array, view: DataView) => Read | undefined>> = {
  png: readPng,
  jpeg: readJpeg,
  gif: readGif,
  webp: readWebp,
};

/** A file has far fewer chunks. The limit keeps a file with many empty chunks from blocking the thread. */
const MAX_CHUNKS = 100_000;

/** Doesn't detect a PNG that is cut off. The decoder does, because it reads all of it. */
function readPng(bytes: Uint8Array, view: DataView): Read | undefined {
  if (ascii(bytes, 12, 16) !== 'IHDR') return undefined;
  let orientation: Orientation = 1;
  let animated = false;
  let count = 0;
  // EXIF data can also come after the image.
  for (const { name, data } of chunksOfPng(bytes)) {
    if (name === 'eXIf') orientation = readOrientation(data) ?? orientation;
    if (name === 'acTL')
      animated = new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(0) > 1;
    count++;
    if (count === MAX_CHUNKS) break;
  }
  return { width: view.getUint32(16), height: view.getUint32(20), orientation, animated };
}

/** The markers of lossless and hierarchical frames. */
const RARE_FRAMES: ReadonlySet<number> = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xcb, 0xcd, 0xce, 0xcf]);

/** Walks the segments up to the start of the frame, which has the size. The EXIF data comes before it. */
function readJpeg(bytes: Uint8Array, view: DataView): Read | undefined {
  let orientation: Orientation = 1;
  let at = 2;
  for (;;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      // There can be fill bytes before a marker.
      at += 1;
      continue;
    }
    // 0xc4, 0xc8, and 0xcc are tables and extensions, not frames.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const isSpecial = view.getUint8(at + 4) !== 8 || view.getUint8(at + 9) > 3 || RARE_FRAMES.has(marker);
      const size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5), orientation };
      return isSpecial ? { ...size, special: true } : size;
    }
    const length = view.getUint16(at + 2);
    if (length < 2) return undefined;
    if (marker === 0xe1 && ascii(bytes, at + 4, at + 10) === 'Exif\0\0')
      orientation = readOrientation(bytes.subarray(at + 10, at + 2 + length)) ?? orientation;
    at += 2 + length;
  }
}

const ORIENTATION_TAG = 0x0112;

/** Damaged EXIF data doesn't make the image invalid. */
function readOrientation(exif: Uint8Array): Orientation | undefined {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  try {
    const little = ascii(exif, 0, 2) === 'II';
    const directory = view.getUint32(4, little);
    const entries = view.getUint16(directory, little);
    for (let i = 0; i < entries; i++) {
      const entry = directory + 2 + i * 12;
      if (view.getUint16(entry, little) === ORIENTATION_TAG)
        return toOrientation(view.getUint16(entry + 8, little));
    }
  } catch {
    return undefined;
  }
  return undefined;
}

function toOrientation(value: number): Orientation | undefined {
  return ([1, 2, 3, 4, 5, 6, 7, 8] as const).find((known) => known === value);
}

export const GIF_TRAILER = 0x3b;

/**
 * Walks all blocks. The decoder reads only the first frame, and would not notice that the rest is cut off.
 */
function readGif(_bytes: Uint8Array, view: DataView): Read | undefined {
  const flags = view.getUint8(10);
  let at = 13 + colorTable(flags);
  let pictures = 0;
  const noTrailer = () => at === view.byteLength && pictures > 0;
  while (!noTrailer()) {
    const block = view.getUint8(at);
    // Anything after the trailer is ignored.
    if (block === GIF_TRAILER) break;
    if (block === 0x2c) {
      // Some programs write frames that are a little larger than the whole.
      if (view.getUint16(at + 5, true) * view.getUint16(at + 7, true) > MAX_PIXELS) return undefined;
      pictures += 1;
      at = afterSubBlocks(view, at + 11 + colorTable(view.getUint8(at + 9)));
    } else if (block === 0x21) at = afterSubBlocks(view, at + 2);
    else return undefined;
  }
  return {
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    animated: pictures > 1,
    ...(noTrailer() && { noTrailer: true }),
  };
}

/** The size of a color table in bytes, from the flags before it. */
function colorTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function afterSubBlocks(view: DataView, from: number): number {
  let at = from;
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += length + 1;
  return at + 1;
}

function readWebp(bytes: Uint8Array, view: DataView): Read | undefined {
  // The container has its length. Some encoders omit the last padding byte.
  if (view.getUint32(4, true) + 8 > bytes.byteLength + 1) return undefined;
  const chunks = chunksOfWebp(bytes);
  const size = readWebpSize(chunks);
  if (size === undefined || chunks[0]?.name !== 'VP8X') return size;
  return {
    ...size,
    orientation: findWebpOrientation(chunks),
    animated: (view.getUint8(20) & 2) !== 0,
  };
}

/** The chunk with EXIF data comes after those of the image. */
function findWebpOrientation(chunks: readonly WebpChunk[]): Orientation {
  const data = chunks.find(({ name }) => name === 'EXIF')?.data;
  if (data === undefined) return 1;
  // Some encoders copy the name that begins the data in a JPEG.
  return readOrientation(ascii(data, 0, 6) === 'Exif\0\0' ? data.subarray(6) : data) ?? 1;
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
