/**
 * Decodes one image in a worker thread, scales it if requested, and exits. Each image has its own thread, because a decoder can't be
 * used again after a damaged image, and because the memory is freed with the thread.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Orientation } from '../../conversation/images/imageHeader.ts';
import { fitInto } from '../../conversation/images/imagePlan.ts';
import { flattenOntoWhite, isTransparent, type Pixels, toUpright } from '../../conversation/images/pixels.ts';
import type { ImageType } from '../../service/imageTypes.ts';
import { type CodecFiles, decodeImage, encodeJpeg, encodePng, scalePixels } from './imageCodecs.ts';

export interface ImageJob {
  readonly bytes: Uint8Array;
  readonly type: ImageType;
  readonly codecs: CodecFiles;
  readonly orientation: Orientation;
  /** Undefined if the image is only checked. Width and height are those before the image is rotated upright. */
  readonly scale:
    | {
        readonly width: number;
        readonly height: number;
        readonly maxBytes: number;
        /** Whether PNG is used if it is small enough, because screenshots and drawings stay sharp in it. */
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

export type ImageWorkerResult =
  | { readonly type: 'damaged' }
  | {
      readonly type: 'done';
      /** Undefined if the image is sent unchanged. */
      readonly image: EncodedImage | undefined;
      readonly thumbnail: EncodedImage;
    };
type Done = Extract<ImageWorkerResult, { type: 'done' }>;

/** The longest edge in pixels: twice the size in the message box, for high-density screens. */
const THUMBNAIL_EDGE = 96;
const THUMBNAIL_QUALITY = 80;
const BEST_QUALITY = 90;
const QUALITIES_BETWEEN = [80, 70, 60, 50];
const WORST_QUALITY = 40;
/** The factor for each edge when the image is too large even with the lowest quality. */
const SHRINK = 0.75;

const port = parentPort;
// Not translated: only a programming error leads here.
if (port === null) throw new Error('This file runs as a worker.');
const post = (news: ImageWorkerResult) => port.postMessage(news);

const job = workerData as ImageJob;
const decoded = await decodeImage(job.type, job.bytes, job.codecs);
post(decoded === undefined ? { type: 'damaged' } : { type: 'done', ...(await work(decoded, job)) });

async function work(picture: Pixels, { scale, orientation }: ImageJob): Promise<Omit<Done, 'type'>> {
  if (scale === undefined)
    return {
      image: undefined,
      thumbnail: encodeThumbnail(toUpright(await fitted(picture, THUMBNAIL_EDGE), orientation)),
    };
  const scaled = toUpright(await resized(picture, scale.width, scale.height), orientation);
  return {
    image: await encode(scaled, scale.maxBytes, scale.preferPng),
    thumbnail: encodeThumbnail(await fitted(scaled, THUMBNAIL_EDGE)),
  };
}

function resized(pixels: Pixels, width: number, height: number): Promise<Pixels> {
  return scalePixels(pixels, width, height, job.codecs);
}

function fitted(pixels: Pixels, edge: number): Promise<Pixels> {
  const { width, height } = fitInto(pixels.width, pixels.height, edge);
  return resized(pixels, width, height);
}

/** Encodes as PNG if that is preferred and fits, else as the best JPEG that fits, else scales down further. */
async function encode(pixels: Pixels, maxBytes: number, preferPng: boolean): Promise<EncodedImage> {
  const { width, height } = pixels;
  const transparent = isTransparent(pixels);
  if (preferPng || transparent) {
    const png = encodePng(pixels);
    if (png.byteLength <= maxBytes) return { bytes: png, type: 'png', width, height };
  }
  const opaque = transparent ? flattenOntoWhite(pixels) : pixels;
  const bytes = bestJpeg(opaque, maxBytes);
  if (bytes !== undefined) return { bytes, type: 'jpeg', width, height };
  return encode(await fitted(opaque, Math.max(width, height) * SHRINK), maxBytes, false);
}

/**
 * Encodes with the highest quality that fits; undefined if none does. The best quality is tried first, which fits for most pictures,
 * then the worst, which doesn't fit for pictures with noise.
 */
function bestJpeg(pixels: Pixels, maxBytes: number): Uint8Array | undefined {
  const best = encodeJpeg(pixels, BEST_QUALITY);
  if (best.byteLength <= maxBytes) return best;
  const worst = encodeJpeg(pixels, WORST_QUALITY);
  if (worst.byteLength > maxBytes) return undefined;
  for (const quality of QUALITIES_BETWEEN) {
    const bytes = encodeJpeg(pixels, quality);
    if (bytes.byteLength <= maxBytes) return bytes;
  }
  return worst;
}

function encodeThumbnail(pixels: Pixels): EncodedImage {
  const { width, height } = pixels;
  return isTransparent(pixels)
    ? { bytes: encodePng(pixels), type: 'png', width, height }
    : { bytes: encodeJpeg(pixels, THUMBNAIL_QUALITY), type: 'jpeg', width, height };
}
