/** Reads the chunks of a PNG without decoding the picture. */

export interface PngChunk {
  readonly name: string;
  readonly data: Uint8Array;
  /** Where the chunk ends in the file, in bytes. */
  readonly end: number;
}

const SIGNATURE = 8;
/** A chunk is its length, its name, its data, and a checksum. The length and the name have four bytes each. */
const HEAD = 8;
const CHECKSUM = 4;

/** The chunks up to the last one, `IEND`. Data of a chunk that is cut off is shorter than the chunk says. */
export function* chunksOfPng(bytes: Uint8Array): Generator<PngChunk, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = SIGNATURE; at + HEAD <= bytes.byteLength; ) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + HEAD));
    const from = at + HEAD;
    const to = from + view.getUint32(at);
    at = to + CHECKSUM;
    yield { name, data: bytes.subarray(from, to), end: at };
    if (name === 'IEND') return;
  }
}
