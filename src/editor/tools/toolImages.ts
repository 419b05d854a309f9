/** Images that tools give: what they are by their bytes, and small enough to go (docs/service.md, Images). */
import { IMAGE_LIMITS } from '../../chat/imagePlan.ts';
import type { ToolResult } from '../../chat/tools.ts';
import type { ImageRefusal, ImageScaler } from '../images/imageScaler.ts';

export type ToolImage = NonNullable<ToolResult['images']>[number];

export interface FittedImage {
  /** Undefined when it cannot go. */
  readonly image: ToolImage | undefined;
  /** What the model is told of it; its words are not translated. */
  readonly note: string | undefined;
}

/** An image as it may go to the service, scaled when it is too large, or why it cannot. Never rejects. */
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
