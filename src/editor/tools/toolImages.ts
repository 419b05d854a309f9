/** Images in tool results: checks their type, and scales them to the limits of the service (docs/service.md, Images). */
import { IMAGE_LIMITS } from '../../conversation/images/imagePlan.ts';
import type { ToolResult } from '../../conversation/toolCalls/tools.ts';
import type { ImageRefusal, ImageScaler } from '../images/imageScaler.ts';

export type ToolImage = NonNullable<ToolResult['images']>[number];

export interface FittedImage {
  /** Undefined when the image can't be sent. */
  readonly image: ToolImage | undefined;
  /** A note about the image for the model, not localized. */
  readonly note: string | undefined;
}

/** Prepares an image for the service: scales it if it is too large, or explains why it can't be sent. Never rejects. */
export async function fitToolImage(
  scaler: Pick<ImageScaler, 'examine'>,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<FittedImage> {
  const examined = await scaler.examine(bytes, IMAGE_LIMITS, signal);
  if (!examined.ok)
    return { image: undefined, note: `[An image that cannot be sent: ${why(examined.refusal)}.]` };
  const { url, scaling } = examined;
  const comma = url.indexOf(',');
  const note =
    scaling &&
    `[The image was scaled from ${scaling.from.width} × ${scaling.from.height} to ${scaling.to.width} × ${scaling.to.height} pixels.]`;
  return {
    image: { type: url.slice('data:'.length, url.indexOf(';')), base64: url.slice(comma + 1) },
    note,
  };
}

function why(refusal: ImageRefusal): string {
  switch (refusal.kind) {
    case 'other-type':
      return `its type, ${refusal.type ?? 'which is unknown'}, is not taken`;
    case 'damaged':
      return 'it is damaged';
    case 'too-many-pixels':
      return `${refusal.width} × ${refusal.height} pixels are too many`;
    case 'scaling-failed':
      return 'it is too large, and could not be scaled';
    case 'cancelled':
      return 'the call was stopped';
  }
}
