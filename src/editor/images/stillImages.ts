/** Removes the parts of images that their decoders don't accept: data after the end of a PNG, and the animation of a WebP. */
import { chunksOfPng } from '../../conversation/images/pngChunks.ts';
import { chunksOfFrame, chunksOfWebp, type WebpChunk } from '../../conversation/images/webpChunks.ts';

/** A PNG up to its last chunk. Some programs append data of their own after it. */
export function stillPng(bytes: Uint8Array): Uint8Array {
  for (const { name, end } of chunksOfPng(bytes)) if (name === 'IEND') return bytes.subarray(0, end);
  return bytes;
}

/**
 * The first frame of an animated WebP as a WebP of its own. Any other WebP is returned unchanged. A frame that is smaller than the
 * animation keeps its size.
 */
export function stillWebp(bytes: Uint8Array): Uint8Array {
  const frame = chunksOfWebp(bytes).find((chunk) => chunk.name === 'ANMF');
  if (frame === undefined) return bytes;
  const parts = chunksOfFrame(frame);
  const alpha = parts.find((part) => part.name === 'ALPH');
  const picture = parts.find((part) => part.name === 'VP8 ' || part.name === 'VP8L');
  if (picture === undefined) return bytes;
  if (alpha === undefined) return toWebp([picture]);
  // The container has the size of the frame. Width and height are stored as 24 bits each, less one.
  const extension = new Uint8Array(10);
  extension[0] = ALPHA_FLAG;
  extension.set(frame.data.subarray(6, 12), 4);
  return toWebp([{ name: 'VP8X', data: extension }, alpha, picture]);
}

const ALPHA_FLAG = 0x10;

function toWebp(chunks: readonly WebpChunk[]): Uint8Array {
  const body = chunks.flatMap(({ name: id, data }) => {
    const head = Buffer.from(`${id}\0\0\0\0`, 'latin1');
    head.writeUInt32LE(data.byteLength, 4);
    return [head, data, Buffer.alloc(data.byteLength % 2)];
  });
  const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), ...body]);
  webp.writeUInt32LE(webp.byteLength - 8, 4);
  return webp;
}
