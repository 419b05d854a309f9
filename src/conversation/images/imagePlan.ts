/**
 * Decides what to do with an image before it is sent: nothing, scale, or refuse (docs/service.md, Images).
 */

import type { ImageAttachment } from '../question.ts';
import { type ImageHeader, MAX_PIXELS } from './imageHeader.ts';

export interface ImageLimits {
  /** The longest edge, in pixels. */
  readonly edge: number;
  /** The file size in bytes. */
  readonly bytes: number;
}

export const IMAGE_LIMITS: ImageLimits = { edge: 2000, bytes: 3.75 * 1024 * 1024 };

/** Larger files aren't even read. In bytes. */
export const MAX_SOURCE_BYTES = 100 * 1024 * 1024;

export interface ImageSize {
  /** Pixels of the upright image. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** How an image that was too large was changed. */
export interface Scaling {
  readonly from: ImageSize;
  readonly to: ImageSize;
  /** Only the first frame of an animation was kept. */
  readonly stilled: boolean;
}

/** An image in the composer. */
export interface AttachedImage extends ImageAttachment {
  /** A thumbnail as a `data:` address. `ms://` references have none. */
  readonly thumbnail?: string;
  readonly scaling?: Scaling;
}

/** An image as it is stored with a question. */
export function toImageAttachment({ name, url }: AttachedImage): ImageAttachment {
  return { name, url };
}

/** Whether the image's bytes are part of the requests. */
export function isSentAsBytes({ url, omitted }: ImageAttachment): boolean {
  return omitted !== true && url.startsWith('data:');
}

export type ImagePlan =
  /** The image is sent unchanged. */
  | { readonly kind: 'verbatim' }
  /**
   * The image is scaled to this stored width and height. They don't change if only the file size is too
   * large.
   */
  | { readonly kind: 'scale'; readonly width: number; readonly height: number }
  | { readonly kind: 'too-many-pixels' };

export function planImage(
  { width, height }: Pick<ImageHeader, 'width' | 'height'>,
  bytes: number,
  limits: ImageLimits = IMAGE_LIMITS,
): ImagePlan {
  if (width * height > MAX_PIXELS) return { kind: 'too-many-pixels' };
  const fits = Math.max(width, height) <= limits.edge;
  return fits && bytes <= limits.bytes
    ? { kind: 'verbatim' }
    : { kind: 'scale', ...fitInto(width, height, limits.edge) };
}

/**
 * The size with the same aspect ratio and no edge longer than `edge`. Never larger than the original, and at
 * least one pixel.
 */
export function fitInto(width: number, height: number, edge: number): Pick<ImageSize, 'width' | 'height'> {
  const factor = Math.min(1, edge / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** Width and height of the upright image. */
export function toUprightSize({
  width,
  height,
  orientation,
}: ImageHeader): Pick<ImageSize, 'width' | 'height'> {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** A name that no other attachment has. */
export function toUniqueName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number++) {
    const next = `${name} (${number})`;
    if (!taken.includes(next)) return next;
  }
}

/** Limits for images that the service found too large. A body of 2 MiB is accepted by every known service. */
export function toSmallerLimits(images: number): ImageLimits {
  // Base64 turns three bytes into four, and the text needs space too.
  return { edge: 1000, bytes: Math.floor((1.25 * 1024 * 1024) / Math.max(1, images)) };
}
