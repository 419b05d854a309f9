/** The types of images that the service accepts (docs/service.md, Images). */

/** As in `image/TYPE`. */
export const IMAGE_TYPES = ['png', 'jpeg', 'gif', 'webp'] as const;

export type ImageType = (typeof IMAGE_TYPES)[number];

/** Whether the service accepts images with this MIME type. */
export const isImageMime = (mime: string): boolean => IMAGE_TYPES.some((type) => mime === `image/${type}`);

/** Whether an address contains the bytes of such an image in base64, or none. */
export function isImageData(url: string): boolean {
  const [, mime = ''] = /^data:([a-z/]+);base64,/.exec(url) ?? [];
  return isImageMime(mime);
}
