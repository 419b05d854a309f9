/** Detects image types by their first bytes, which override the declared type (docs/service.md, Images). */
import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';

const FORMATS = { PNG, JPEG: JPG, GIF, WebP: WEBP };

export interface ImageInfo {
  readonly kind: keyof typeof FORMATS;
  /** Size in pixels; undefined if the header is damaged or incomplete. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** The type and size of an image; undefined for other formats than PNG, JPEG, GIF, and WebP. */
export function parseImage(bytes: Uint8Array): ImageInfo | undefined {
  const kind = kindOf(bytes);
  if (kind === undefined) return undefined;
  try {
    const format = FORMATS[kind];
    // A copy, because the library would otherwise read beyond the image in a shared buffer.
    const own = new Uint8Array(bytes);
    const { width, height } = format.validate(own) ? format.calculate(own) : UNKNOWN_SIZE;
    return { kind, width, height };
  } catch {
    // The library throws if a header is damaged or incomplete.
    return { kind, ...UNKNOWN_SIZE };
  }
}

const UNKNOWN_SIZE = { width: undefined, height: undefined };

/** The first bytes decide, because the library needs more bytes, which an incomplete image doesn't have. */
function kindOf(bytes: Uint8Array): keyof typeof FORMATS | undefined {
  const begin = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'PNG';
  if (begin.startsWith('\xff\xd8\xff')) return 'JPEG';
  if (/^GIF8[79]a/.test(begin)) return 'GIF';
  return /^RIFF.{4}WEBP$/s.test(begin) ? 'WebP' : undefined;
}
