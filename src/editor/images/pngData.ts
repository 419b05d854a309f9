/** Checks the compressed data of a PNG before it is decoded. */
import { inflateSync } from 'node:zlib';
import { chunksOfPng } from '../../conversation/images/pngChunks.ts';

/**
 * Whether decoding a PNG needs no more memory than the size in its header allows. The decoder limits the data of other images itself,
 * but not of interlaced ones, whose few bytes can become gigabytes. And of several headers, it uses the last, whose size was not checked.
 */
export function fitsItsHeader(png: Uint8Array): boolean {
  const chunks = [...chunksOfPng(png)];
  const [header, ...others] = chunks.filter(({ name }) => name === 'IHDR');
  if (header === undefined || others.length > 0) return false;
  if (header.data[12] === 0) return true;
  const data = Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map((chunk) => chunk.data));
  try {
    inflateSync(data, { maxOutputLength: interlacedBytes(header.data) });
    return true;
  } catch {
    // It is longer, damaged, or has a wrong header.
    return false;
  }
}

/** The samples of a pixel, by the color type: gray, color, index of a color, gray with alpha, color with alpha. */
const SAMPLES: readonly (number | undefined)[] = [1, undefined, 3, 1, 2, undefined, 4];

/** The seven passes of an interlaced image: the first column and row, and the distances to the next. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The length of the data of an interlaced image, not compressed. In each pass, each row begins with a byte for its filter. */
function interlacedBytes(header: Uint8Array): number {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const bits = (header[8] ?? 0) * (SAMPLES[header[9] ?? 0] ?? 0);
  const sizes = PASSES.map(([x, y, acrossStep, downStep]) => {
    const [across, down] = [Math.ceil((width - x) / acrossStep), Math.ceil((height - y) / downStep)];
    return across > 0 && down > 0 ? down * (1 + Math.ceil((across * bits) / 8)) : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
