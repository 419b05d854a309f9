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
  const buffer = readStart(path, HEADER_BYTES);
  return buffer?.toString('latin1', 0, 15) === 'SQLite format 3' ? buffer : undefined;
}

/** SQLite makes neither of the files of a database shorter that is open, and keeps how they begin. */
interface FileFacts {
  readonly size: number;
  readonly logSize: number;
  readonly isDatabase: boolean;
  readonly isLog: boolean;
}

/** The first bytes of a write-ahead log, without the last bit. */
const LOG_MAGIC = 0x377f0682;

function factsOf(path: string): FileFacts {
  const log = `${path}-wal`;
  const { size: logSize = 0 } = statSync(log, { throwIfNoEntry: false }) ?? {};
  const magic = logSize === 0 ? undefined : readStart(log, 4);
  return {
    size: statSync(path).size,
    logSize,
    isDatabase: readHeader(path) !== undefined,
    isLog: magic !== undefined && (magic.readUInt32BE() & ~1) === LOG_MAGIC,
  };
}

/**
 * Returns a function that looks whether something else than SQLite has changed an open database since it was called last,
 * such as a program that synchronizes files. SQLite doesn't notice that before it reads such a page again, and goes on writing.
 */
export function createFileWatch(path: string): () => boolean {
  let last = factsOf(path);
  return () => {
    const now = factsOf(path);
    const isShorter = now.size < last.size || now.logSize < last.logSize;
    const isOther = (last.isDatabase && !now.isDatabase) || (last.isLog && !now.isLog);
    last = now;
    return isShorter || isOther;
  };
}

/** The first bytes of a file; undefined if it is shorter. */
function readStart(path: string, length: number): Buffer | undefined {
  const buffer = Buffer.alloc(length);
  const file = openSync(path, 'r');
  try {
    return readSync(file, buffer, 0, length, 0) === length ? buffer : undefined;
  } finally {
    closeSync(file);
  }
}
