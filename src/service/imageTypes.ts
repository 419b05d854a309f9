/** The types of images that the service accepts (docs/service.md, Images). */

/** Each TYPE in `image/TYPE`. */
export const IMAGE_TYPES = ['png', 'jpeg', 'gif', 'webp'] as const;

export type ImageType = (typeof IMAGE_TYPES)[number];

/** Whether the service accepts images with this MIME type. */
export const isImageMime = (mime: string): boolean => IMAGE_TYPES.some((type) => mime === `image/${type}`);

/** Whether an address is a base64 data URL of such an image. Its data can be empty. */
export function isImageData(url: string): boolean {
  const [, mime = ''] = /^data:([a-z/]+);base64,/.exec(url) ?? [];
  return isImageMime(mime);
}
