/** Operations on decoded images: four bytes per pixel (red, green, blue, and alpha). */
import type { Orientation } from './imageHeader.ts';

export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export function isTransparent({ data }: Pixels): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true;
  return false;
}

/** The image on a white background. JPEG has no transparency, and would show the hidden colors. */
export function flattenOntoWhite({ data, width, height }: Pixels): Pixels {
  const flat = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const opacity = data[i + 3] ?? 255;
    for (let c = i; c < i + 3; c++)
      flat[c] = Math.round(((data[c] ?? 0) * opacity + 255 * (255 - opacity)) / 255);
    flat[i + 3] = 255;
  }
  return { data: flat, width, height };
}

/** Maps a pixel of the upright image to the stored image, whose last column and row are given. */
const STORED: Readonly<
  Record<Orientation, (x: number, y: number, right: number, bottom: number) => readonly [number, number]>
> = {
  1: (x, y) => [x, y],
  2: (x, y, right) => [right - x, y],
  3: (x, y, right, bottom) => [right - x, bottom - y],
  4: (x, y, _right, bottom) => [x, bottom - y],
  5: (x, y) => [y, x],
  6: (x, y, _right, bottom) => [y, bottom - x],
  7: (x, y, right, bottom) => [right - y, bottom - x],
  8: (x, y, right) => [right - y, x],
};

/** The image in upright orientation. A scaled image no longer has the EXIF orientation. */
export function toUpright(stored: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) return stored;
  const [width, height] = orientation >= 5 ? [stored.height, stored.width] : [stored.width, stored.height];
  const from = new Uint32Array(new Uint8Array(stored.data).buffer);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [column, row] = STORED[orientation](x, y, stored.width - 1, stored.height - 1);
      to[y * width + x] = from[row * stored.width + column] ?? 0;
    }
  }
  return { data: new Uint8Array(to.buffer), width, height };
}
