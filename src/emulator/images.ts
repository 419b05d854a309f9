/** What an image is, told by its first bytes: they beat the type that a client declares (docs/service.md, Images). */

type ImageKind = 'PNG' | 'JPEG' | 'GIF' | 'WebP';

export interface ImageInfo {
  readonly kind: ImageKind;
  /** Size in pixels; undefined when the header is damaged or cut. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** The image's kind and size from its header, or undefined for everything but PNG, JPEG, GIF and WebP. */
export function parseImage(bytes: Uint8Array): ImageInfo | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) {
    return bytes.length < 24 ? sized('PNG') : sized('PNG', view.getUint32(16), view.getUint32(20));
  }
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return parseJpeg(view);
  if (ascii(bytes, 0, 6) === 'GIF87a' || ascii(bytes, 0, 6) === 'GIF89a') {
    return bytes.length < 10 ? sized('GIF') : sized('GIF', view.getUint16(6, true), view.getUint16(8, true));
  }
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return parseWebp(bytes, view);
  return undefined;
}

/** Walks the segments until the one that starts a frame; it holds the size. */
function parseJpeg(view: DataView): ImageInfo {
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return sized('JPEG', view.getUint16(at + 7), view.getUint16(at + 5));
    at += 2 + view.getUint16(at + 2);
  }
  return sized('JPEG');
}

function parseWebp(bytes: Uint8Array, view: DataView): ImageInfo {
  if (bytes.length < 30) return sized('WebP');
  switch (ascii(bytes, 12, 16)) {
    case 'VP8 ':
      return sized('WebP', view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return sized('WebP', (bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized('WebP', uint24(view, 24) + 1, uint24(view, 27) + 1);
    default:
      return sized('WebP');
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
}

function sized(kind: ImageKind, width?: number, height?: number): ImageInfo {
  return { kind, width, height };
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
