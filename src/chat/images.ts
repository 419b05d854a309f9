/** Image types by their first bytes, which beat the declared type (`field-notes.md`, Images). */

export type ImageType = 'png' | 'jpeg' | 'gif' | 'webp';

/** Bytes of one image that the service family takes: 3.75 MiB. */
export const MAX_IMAGE_BYTES = 3.75 * 1024 * 1024;

/** The type of an image that may be sent, or undefined for everything else, SVG, AVIF, HEIC, BMP and TIFF included. */
export function sniffImage(bytes: Uint8Array): ImageType | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'webp';
  return undefined;
}
