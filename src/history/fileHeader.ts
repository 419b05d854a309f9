/** The first bytes of an SQLite file (sqlite.org/fileformat2.html). */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';

const HEADER_BYTES = 100;
const PAGE_SIZE_AT = 16;
const PAGES_AT = 28;

/** Size of a database file in bytes, and the number of bytes that are missing according to its header. */
export function missingBytes(path: string): { readonly size: number; readonly missing: number } {
  const { size } = statSync(path);
  const header = readHeader(path);
  // Pages in the write-ahead log are not in the file yet, so the header can be ahead of the file.
  const logged = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
  if (header === undefined || logged) return { size, missing: 0 };
  const written = header.readUInt16BE(PAGE_SIZE_AT);
  const pageSize = written === 1 ? 65_536 : written;
  return { size, missing: Math.max(0, pageSize * header.readUInt32BE(PAGES_AT) - size) };
}

function readHeader(path: string): Buffer | undefined {
  const buffer = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    const read = readSync(file, buffer, 0, HEADER_BYTES, 0);
    return read === HEADER_BYTES && buffer.toString('latin1', 0, 15) === 'SQLite format 3'
      ? buffer
      : undefined;
  } finally {
    closeSync(file);
  }
}
