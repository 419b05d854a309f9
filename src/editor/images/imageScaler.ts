/** Checks images, and scales those that are too large, in a worker thread. */
import { Worker } from 'node:worker_threads';
import { GIF_TRAILER, readImageHeader } from '../../conversation/images/imageHeader.ts';
import {
  type ImageLimits,
  planImage,
  type Scaling,
  toUprightSize,
} from '../../conversation/images/imagePlan.ts';
import { type OtherType, sniffImage, sniffOther } from '../../conversation/images/images.ts';
import type { Log } from '../base/log.ts';
import type { CodecFiles } from './imageCodecs.ts';
import type { EncodedImage, ImageJob, ImageWorkerResult } from './imageWorker.ts';

/** Why an image is not sent. */
export type ImageRefusal =
  | { readonly kind: 'other-type'; readonly type: OtherType | undefined }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'too-many-pixels'; readonly width: number; readonly height: number }
  /** The worker ended without a result or took too long. */
  | { readonly kind: 'scaling-failed' }
  /** The caller has aborted. */
  | { readonly kind: 'cancelled' };

export type ExaminedImage =
  | {
      readonly ok: true;
      /** `url` and `thumbnail` are `data:` URLs. */
      readonly url: string;
      readonly thumbnail: string;
      readonly scaling: Scaling | undefined;
    }
  | { readonly ok: false; readonly refusal: ImageRefusal };

export interface ImageScaler {
  /** Checks an image, and scales it if it exceeds the limits. Never rejects. */
  examine(bytes: Uint8Array, limits: ImageLimits, signal: AbortSignal): Promise<ExaminedImage>;
}

export interface ImageScalerDeps {
  /** The script of the worker. */
  readonly worker: string | URL;
  readonly codecs: CodecFiles;
  readonly log: Pick<Log, 'warn'>;
  /** The time limit for one image, in milliseconds. */
  readonly timeoutMs?: number;
}

/** 100 megapixels took 6 s on two busy cores. Slow machines get ten times that. */
const TIMEOUT_MS = 60_000;
/** The JavaScript heap of the worker. Decoded images are outside of it and are limited by their number of pixels. */
const WORKER_HEAP_MB = 512;

type Outcome = { readonly image: EncodedImage | undefined; readonly thumbnail: EncodedImage } | ImageRefusal;

export function createImageScaler({
  worker: file,
  codecs,
  log,
  timeoutMs = TIMEOUT_MS,
}: ImageScalerDeps): ImageScaler {
  /** The end of the last job. Jobs run one at a time, because two large images at once would need twice the memory. */
  let last: Promise<unknown> = Promise.resolve();

  function enqueue(job: ImageJob, signal: AbortSignal): Promise<Outcome> {
    const outcome = last
      .then(() => runWorker({ worker: file, log, timeoutMs }, job, signal))
      // A worker can fail to start, for example when memory is short.
      .catch((error: unknown): Outcome => {
        log.warn(`the image worker couldn't start: ${String(error)}`);
        return { kind: 'scaling-failed' };
      });
    last = outcome;
    return outcome;
  }

  return {
    async examine(bytes, limits, signal) {
      if (sniffImage(bytes) === undefined)
        return toRefusedImage({ kind: 'other-type', type: sniffOther(bytes) });
      const header = readImageHeader(bytes);
      if (header === undefined) return toRefusedImage({ kind: 'damaged' });
      if (header.special === true) return toRefusedImage({ kind: 'other-type', type: 'JPEG (CMYK…)' });
      const size = toUprightSize(header);
      const plan = planImage(header, bytes.byteLength, limits);
      if (plan.kind === 'too-many-pixels') return toRefusedImage({ kind: 'too-many-pixels', ...size });
      const preferPng = header.type === 'png' || header.type === 'gif';
      const scale = plan.kind === 'verbatim' ? undefined : { ...plan, maxBytes: limits.bytes, preferPng };
      const outcome = await enqueue(
        { bytes, type: header.type, codecs, orientation: header.orientation, scale },
        signal,
      );
      if ('kind' in outcome) return toRefusedImage(outcome);
      const { image, thumbnail } = outcome;
      return {
        ok: true,
        url: toDataUrl(image ?? { bytes: header.noTrailer ? withTrailer(bytes) : bytes, type: header.type }),
        thumbnail: toDataUrl(thumbnail),
        scaling: image && {
          from: { ...size, bytes: bytes.byteLength },
          to: { width: image.width, height: image.height, bytes: image.bytes.byteLength },
          stilled: header.animated,
        },
      };
    },
  };
}

/** Completes a GIF with its trailer, which strict readers require. */
const withTrailer = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.of(GIF_TRAILER)]);

function toRefusedImage(refusal: ImageRefusal): ExaminedImage {
  return { ok: false, refusal };
}

function toDataUrl({ bytes, type }: Pick<EncodedImage, 'bytes' | 'type'>): string {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return `data:image/${type};base64,${base64}`;
}

function runWorker(
  { worker: file, log, timeoutMs }: Required<Omit<ImageScalerDeps, 'codecs'>>,
  job: ImageJob,
  signal: AbortSignal,
): Promise<Outcome> {
  if (signal.aborted) return Promise.resolve({ kind: 'cancelled' });
  return new Promise((resolve) => {
    // The output of the worker is discarded: it is internal, such as messages of a decoder about a damaged image.
    const worker = new Worker(file, {
      workerData: job,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
    });
    const timer = setTimeout(() => end({ kind: 'scaling-failed' }), timeoutMs);
    const cancel = () => end({ kind: 'cancelled' });
    signal.addEventListener('abort', cancel);

    let ended = false;
    function end(outcome: Outcome): void {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      // The next job starts when the memory of this one is free. `terminate` does not reject.
      void worker.terminate().then(() => resolve(outcome));
    }

    worker.on('message', (news: ImageWorkerResult) => end(news.type === 'done' ? news : { kind: 'damaged' }));
    worker.on('error', (error) => {
      log.warn(`the image worker failed: ${String(error)}`);
      end({ kind: 'scaling-failed' });
    });
    worker.on('exit', () => end({ kind: 'scaling-failed' }));
  });
}
