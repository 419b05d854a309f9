/**
 * Decodes one image in a thread of its own, scales it when asked to, and ends. What is damaged makes the WebAssembly
 * trap, after which it cannot be used any more: hence a thread for each image.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PhotonImage, resize, SamplingFilter } from '@silvia-odwyer/photon-node';
import type { Orientation } from '../../chat/imageHeader.ts';
import { fitInto } from '../../chat/imagePlan.ts';
import type { ImageType } from '../../chat/images.ts';
import { flattenOntoWhite, isTransparent, type Pixels, toUpright } from '../../chat/pixels.ts';

export interface ImageJob {
  readonly bytes: Uint8Array;
  readonly orientation: Orientation;
  /** Undefined: only looked at. Width and height are those before the picture is turned upright. */
  readonly scale:
    | {
        readonly width: number;
        readonly height: number;
        readonly maxBytes: number;
        /** Screenshots and drawings stay sharp in a PNG, when one is small enough. */
        readonly preferPng: boolean;
      }
    | undefined;
}

export interface EncodedImage {
  readonly bytes: Uint8Array;
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
}

export type ImageNews =
  | { readonly type: 'damaged' }
  | {
      readonly type: 'done';
      /** Undefined: it goes as it is. */
      readonly image: EncodedImage | undefined;
      readonly thumbnail: EncodedImage;
    };
type Done = Extract<ImageNews, { type: 'done' }>;

/** Twice what the composer shows, for dense screens. */
const THUMBNAIL_EDGE = 96;
const THUMBNAIL_QUALITY = 80;
const QUALITIES = [90, 80, 70, 60, 50, 40];
/** What is left of each edge when even the lowest quality is too large. */
const SHRINK = 0.75;

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker.');
const post = (news: ImageNews) => port.postMessage(news);

const job = workerData as ImageJob;
const decoded = decode(job.bytes);
post(decoded === undefined ? { type: 'damaged' } : { type: 'done', ...work(decoded, job) });

/** Undefined when the bytes are damaged: the decoder traps on them. */
function decode(bytes: Uint8Array): PhotonImage | undefined {
  try {
    return PhotonImage.new_from_byteslice(bytes);
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') return undefined;
    throw error;
  }
}

function work(picture: PhotonImage, { scale, orientation }: ImageJob): Omit<Done, 'type'> {
  if (scale === undefined) {
    const { width, height } = fitInto(picture.get_width(), picture.get_height(), THUMBNAIL_EDGE);
    const small = toUpright(resized(picture, width, height), orientation);
    return { image: undefined, thumbnail: encodeThumbnail(small) };
  }
  const scaled = toUpright(resized(picture, scale.width, scale.height), orientation);
  return {
    image: encode(scaled, scale.maxBytes, scale.preferPng),
    thumbnail: encodeThumbnail(fitted(scaled, THUMBNAIL_EDGE)),
  };
}

function pixelsOf(picture: PhotonImage): Pixels {
  return { data: picture.get_raw_pixels(), width: picture.get_width(), height: picture.get_height() };
}

function resized(picture: PhotonImage, width: number, height: number): Pixels {
  if (picture.get_width() === width && picture.get_height() === height) return pixelsOf(picture);
  const made = resize(picture, width, height, SamplingFilter.CatmullRom);
  const pixels = pixelsOf(made);
  made.free();
  return pixels;
}

function fitted(pixels: Pixels, edge: number): Pixels {
  const { width, height } = fitInto(pixels.width, pixels.height, edge);
  return withPicture(pixels, (picture) => resized(picture, width, height));
}

function withPicture<T>({ data, width, height }: Pixels, use: (picture: PhotonImage) => T): T {
  const picture = new PhotonImage(data, width, height);
  const result = use(picture);
  picture.free();
  return result;
}

/** As PNG where that is better and fits, else as the best JPEG that does; at last smaller still. */
function encode(pixels: Pixels, maxBytes: number, preferPng: boolean): EncodedImage {
  const { width, height } = pixels;
  const transparent = isTransparent(pixels);
  if (preferPng || transparent) {
    const png = withPicture(pixels, (picture) => picture.get_bytes());
    if (png.byteLength <= maxBytes) return { bytes: png, type: 'png', width, height };
  }
  const opaque = transparent ? flattenOntoWhite(pixels) : pixels;
  const jpeg = withPicture(opaque, (picture) => {
    for (const quality of QUALITIES) {
      const made = picture.get_bytes_jpeg(quality);
      if (made.byteLength <= maxBytes) return made;
    }
    return undefined;
  });
  if (jpeg !== undefined) return { bytes: jpeg, type: 'jpeg', width, height };
  return encode(fitted(opaque, Math.max(width, height) * SHRINK), maxBytes, false);
}

function encodeThumbnail(pixels: Pixels): EncodedImage {
  const { width, height } = pixels;
  return withPicture(pixels, (picture) =>
    isTransparent(pixels)
      ? { bytes: picture.get_bytes(), type: 'png', width, height }
      : { bytes: picture.get_bytes_jpeg(THUMBNAIL_QUALITY), type: 'jpeg', width, height },
  );
}
