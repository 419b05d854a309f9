/** Reads the chunks of a WebP, and the sizes in them, without decoding the picture. */

export interface WebpChunk {
  readonly name: string;
  readonly data: Uint8Array;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A file has far fewer chunks. The limit keeps a file with many empty chunks from blocking the thread. */
const MAX_CHUNKS = 100_000;

/** The header of the container, and of a frame (position, size, duration, and flags), in bytes. Chunks come after it. */
const CONTAINER_HEADER = 12;
const FRAME_HEADER = 16;

/** The chunks of a file. Data of a chunk that is cut off is shorter than the chunk says. */
export const chunksOfWebp = (bytes: Uint8Array): readonly WebpChunk[] => chunksOf(bytes, CONTAINER_HEADER);

/** The chunks of a frame, which is a chunk `ANMF`. */
export const chunksOfFrame = (frame: WebpChunk): readonly WebpChunk[] => chunksOf(frame.data, FRAME_HEADER);

function chunksOf(bytes: Uint8Array, from: number): readonly WebpChunk[] {
  const view = viewOf(bytes);
  const chunks: WebpChunk[] = [];
  for (let at = from; at + 8 <= bytes.byteLength && chunks.length < MAX_CHUNKS; ) {
    const length = view.getUint32(at + 4, true);
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    chunks.push({ name, data: bytes.subarray(at + 8, at + 8 + length) });
    // Each chunk is padded to an even length.
    at += 8 + length + (length % 2);
  }
  return chunks;
}

/**
 * Width and height in pixels. Undefined if a picture doesn't fit: a picture that isn't animated has the size of its container, and no
 * frame is larger. Decoders use the sizes of the pictures, and one with few bytes can have any size.
 *
 * @throws RangeError if a header is cut off
 */
export function readWebpSize(chunks: readonly WebpChunk[]): Size | undefined {
  const [first] = chunks;
  const whole = first?.name === 'VP8X' ? sizeAt(first.data, 4) : first && pictureSizeOf(first);
  if (whole === undefined) return undefined;
  const pictures = chunks.flatMap((chunk) => pictureSizeOf(chunk) ?? []);
  const frames = chunks
    .filter(({ name }) => name === 'ANMF')
    .flatMap((frame) => [
      sizeAt(frame.data, 6),
      ...chunksOfFrame(frame).flatMap((chunk) => pictureSizeOf(chunk) ?? []),
    ]);
  const isSame = ({ width, height }: Size) => width === whole.width && height === whole.height;
  const fits = ({ width, height }: Size) => width <= whole.width && height <= whole.height;
  return pictures.every(isSame) && frames.every(fits) ? whole : undefined;
}

/** Undefined for a chunk that is no picture. */
function pictureSizeOf({ name, data }: WebpChunk): Size | undefined {
  const view = viewOf(data);
  if (name === 'VP8 ')
    return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
  if (name !== 'VP8L') return undefined;
  const bits = view.getUint32(1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** Containers and frames have width and height in 24 bits each, less one. */
function sizeAt(data: Uint8Array, at: number): Size {
  const view = viewOf(data);
  const uint24 = (from: number) => view.getUint16(from, true) + view.getUint8(from + 2) * 0x10000;
  return { width: uint24(at) + 1, height: uint24(at + 3) + 1 };
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
