/** What happens to an image before it is sent: nothing, scaling, or a refusal (docs/service.md, Images). */
import type { ImageHeader } from './imageHeader.ts';
import type { ImageAttachment } from './turn.ts';

export interface ImageLimits {
  /** The longest edge, in pixels. */
  readonly edge: number;
  /** Bytes of the file. */
  readonly bytes: number;
}

export const IMAGE_LIMITS: ImageLimits = { edge: 2000, bytes: 3.75 * 1024 * 1024 };

/** More is not decoded: a header of a few bytes can claim any size. It also bounds the memory of the worker. */
export const MAX_PIXELS = 100_000_000;

/** A file above this is not even read. In bytes. */
export const MAX_SOURCE_BYTES = 100 * 1024 * 1024;

export interface ImageSize {
  /** Pixels of the upright picture. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** What became of an image that was too large. */
export interface Scaling {
  readonly from: ImageSize;
  readonly to: ImageSize;
  /** The other pictures of an animation are gone. */
  readonly stilled: boolean;
}

/** An image in the composer. */
export interface AttachedImage extends ImageAttachment {
  /** A small picture of it, as a `data:` address; `ms://` references have none. */
  readonly thumbnail?: string;
  readonly scaling?: Scaling;
}

/** An image as a question keeps it. */
export function toImageAttachment({ name, url }: AttachedImage): ImageAttachment {
  return { name, url };
}

/** Its bytes are part of the requests. */
export function isSentAsBytes({ url, omitted }: ImageAttachment): boolean {
  return omitted !== true && url.startsWith('data:');
}

export type ImagePlan =
  /** It goes as it is, byte for byte. */
  | { readonly kind: 'verbatim' }
  /** To a stored width and height, which are those it has when only its bytes are too many. */
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

/** The size that keeps the shape and has no edge longer than asked for. Never larger, and never nothing. */
export function fitInto(width: number, height: number, edge: number): Pick<ImageSize, 'width' | 'height'> {
  const factor = Math.min(1, edge / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** Width and height of the picture turned upright. */
export function toUprightSize({
  width,
  height,
  orientation,
}: ImageHeader): Pick<ImageSize, 'width' | 'height'> {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** A name that no other attachment has, so that each can be told from the others. */
export function toUniqueName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number++) {
    const next = `${name} (${number})`;
    if (!taken.includes(next)) return next;
  }
}

/** Limits for images that the service found too large: a body of 2 MiB passes everywhere that is known. */
export function toSmallerLimits(images: number): ImageLimits {
  // Base64 makes three bytes four, and the words need room as well.
  return { edge: 1000, bytes: Math.floor((1.25 * 1024 * 1024) / Math.max(1, images)) };
}
