/**
 * Decodes, scales, and encodes images with third-party libraries: WebAssembly for images with many pixels, JavaScript for images that
 * are small after scaling. Runs in the image worker, of which there is one for each image.
 */
import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js';
import initResize, { resize } from '@jsquash/resize/lib/resize/pkg/squoosh_resize.js';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import encode from 'jpeg-js/lib/encoder.js';
import { GifReader } from 'omggif';
import { PNG } from 'pngjs';
import { MAX_PIXELS } from '../../conversation/images/imageHeader.ts';
import { isTransparent, type Pixels } from '../../conversation/images/pixels.ts';
import type { ImageType } from '../../service/imageTypes.ts';
import { fitsItsHeader } from './pngData.ts';
import { stillPng, stillWebp } from './stillImages.ts';

/** The paths of the WebAssembly files, which are compressed with Brotli. */
export interface CodecFiles {
  readonly jpeg: string;
  readonly webp: string;
  readonly resize: string;
}

/** The index of the Catmull-Rom filter in the library: sharp without halos. */
const CATMULL_ROM = 1;

// The decoders return pixels as `ImageData`, a class of browsers that Node doesn't have.
Object.assign(globalThis, {
  ImageData: function ImageData(data: Uint8ClampedArray, width: number, height: number) {
    return { data, width, height };
  },
});

/** The pixels of the first frame, not rotated. Undefined if the bytes are damaged or cut off. */
export async function decodeImage(
  type: ImageType,
  bytes: Uint8Array,
  files: CodecFiles,
): Promise<Pixels | undefined> {
  const decode = await DECODERS[type](files);
  try {
    return await decode(bytes);
  } catch {
    // Each library throws errors of its own; the WebAssembly code even throws objects that aren't errors. All of them are about the
    // bytes.
    return undefined;
  }
}

const readCodec = async (path: string) => brotliDecompressSync(await readFile(path));

type Decode = (bytes: Uint8Array) => Pixels | undefined | Promise<Pixels | undefined>;

const DECODERS: Readonly<Record<ImageType, (files: CodecFiles) => Promise<Decode>>> = {
  png: async () => (bytes) => {
    const png = Buffer.from(stillPng(bytes));
    return fitsItsHeader(png) ? toPixels(PNG.sync.read(png)) : undefined;
  },
  jpeg: async (files) => {
    /** The decoder fills the missing part of a truncated image with gray, and only prints a message. */
    let complete = true;
    await initJpeg({
      wasmBinary: await readCodec(files.jpeg),
      printErr: (line: string) => {
        if (/^Premature end/.test(line)) complete = false;
      },
    });
    return async (bytes) => {
      const pixels = toPixels(await decodeJpeg(exactBuffer(bytes)));
      return complete ? pixels : undefined;
    };
  },
  webp: async (files) => {
    await initWebp({ wasmBinary: await readCodec(files.webp) });
    return async (bytes) => toPixels(await decodeWebp(exactBuffer(stillWebp(bytes))));
  },
  gif: async () => (bytes) => {
    const reader = new GifReader(Buffer.from(bytes));
    const { width, height } = reader;
    const frame = reader.frameInfo(0);
    // The library skips some extensions in another way than `readImageHeader`, so it can find a frame of another size.
    if (frame.width * frame.height > MAX_PIXELS) return undefined;
    const data = new Uint8Array(width * height * 4);
    reader.decodeAndBlitFrameRGBA(0, data);
    return { data, width, height };
  },
};

function toPixels({
  data,
  width,
  height,
}: Omit<Pixels, 'data'> & {
  readonly data: Pick<Uint8Array, 'buffer' | 'byteOffset' | 'byteLength'>;
}): Pixels {
  return { data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength), width, height };
}

/** A buffer with exactly these bytes, as the decoders need it. */
function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** Scales to this width and height, in pixels. */
export async function scalePixels(
  pixels: Pixels,
  width: number,
  height: number,
  files: CodecFiles,
): Promise<Pixels> {
  if (pixels.width === width && pixels.height === height) return pixels;
  await initResize(await readCodec(files.resize));
  const data = resize(
    pixels.data,
    pixels.width,
    pixels.height,
    width,
    height,
    CATMULL_ROM,
    // Premultiplies alpha, so that the hidden color of transparent pixels doesn't bleed into their neighbors. Needs four times the time
    // and memory.
    isTransparent(pixels),
    false,
  );
  return toPixels({ data, width, height });
}

export function encodePng({ data, width, height }: Pixels): Uint8Array {
  const png = new PNG({ width, height });
  png.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return PNG.sync.write(png);
}

/** Ignores transparency. `quality` is a percentage. */
export function encodeJpeg({ data, width, height }: Pixels, quality: number): Uint8Array {
  return encode({ data, width, height }, quality).data;
}
