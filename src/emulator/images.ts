/** What an image is, told by its first bytes: they beat the type that a client declares (docs/service.md, Images). */
import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';

const FORMATS = { PNG, JPEG: JPG, GIF, WebP: WEBP };

export interface ImageInfo {
  readonly kind: keyof typeof FORMATS;
  /** Size in pixels; undefined when the header is damaged or cut. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** The image's kind and size from its header, or undefined for everything but PNG, JPEG, GIF and WebP. */
export function parseImage(bytes: Uint8Array): ImageInfo | undefined {
  const kind = kindOf(bytes);
  if (kind === undefined) return undefined;
  try {
    const format = FORMATS[kind];
    // A copy, because the library would read on into what else a shared buffer holds.
    const own = new Uint8Array(bytes);
    const { width, height } = format.validate(own) ? format.calculate(own) : UNKNOWN_SIZE;
    return { kind, width, height };
  } catch {
    // The library throws where a header is damaged or ends.
    return { kind, ...UNKNOWN_SIZE };
  }
}

const UNKNOWN_SIZE = { width: undefined, height: undefined };

/** The library wants more than the first bytes, which a cut image does not have. */
function kindOf(bytes: Uint8Array): keyof typeof FORMATS | undefined {
  const begin = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'PNG';
  if (begin.startsWith('\xff\xd8\xff')) return 'JPEG';
  if (/^GIF8[79]a/.test(begin)) return 'GIF';
  return /^RIFF.{4}WEBP$/s.test(begin) ? 'WebP' : undefined;
}
