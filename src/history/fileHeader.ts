/** The first bytes of an SQLite file (sqlite.org/fileformat2.html). */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

const HEADER_BYTES = 100;
const PAGE_SIZE_AT = 16;
const PAGES_AT = 28;

/**
 * Size of a database file in bytes, and the number of bytes that are missing according to its header. Not for a database
 * that this process has open.
 */
export function missingBytes(path: string): { readonly size: number; readonly missing: number } {
  const { size } = statSync(path);
  const header = toHeader(readStart(path, HEADER_BYTES));
  // Pages in the write-ahead log are not in the file yet, so the header can be ahead of the file.
  const logged = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
  if (header === undefined || logged) return { size, missing: 0 };
  const written = header.readUInt16BE(PAGE_SIZE_AT);
  const pageSize = written === 1 ? 65_536 : written;
  return { size, missing: Math.max(0, pageSize * header.readUInt32BE(PAGES_AT) - size) };
}

const toHeader = (start: Buffer | undefined): Buffer | undefined =>
  start?.toString('latin1', 0, 15) === 'SQLite format 3' ? start : undefined;

/** SQLite makes neither of the files of a database shorter that is open, and keeps how they begin. */
interface FileFacts {
  readonly size: number;
  readonly logSize: number;
  readonly isDatabase: boolean;
  readonly isLog: boolean;
}

/** The first bytes of a write-ahead log, without the last bit. */
const LOG_MAGIC = 0x377f0682;

export interface FileWatch {
  /**
   * Whether something else than SQLite has changed the open database since this was called last, such as a program that
   * synchronizes files. SQLite doesn't notice that before it reads such a page again, and goes on writing.
   */
  isChanged(): boolean;
  /** To be called after the database has been closed. */
  close(): void;
}

/** Watches a database that this process has open. */
export function createFileWatch(path: string): FileWatch {
  // Open as long as the database is: with POSIX locks, closing any descriptor of the file drops those of SQLite
  // (sqlite.org/howtocorrupt.html). There are none on the log.
  const file = openSync(path, 'r');
  const log = `${path}-wal`;
  function factsNow(): FileFacts {
    const { size: logSize = 0 } = statSync(log, { throwIfNoEntry: false }) ?? {};
    const magic = logSize === 0 ? undefined : readStart(log, 4);
    return {
      size: fstatSync(file).size,
      logSize,
      isDatabase: toHeader(startOf(file, HEADER_BYTES)) !== undefined,
      isLog: magic !== undefined && (magic.readUInt32BE() & ~1) === LOG_MAGIC,
    };
  }
  let last = factsNow();
  return {
    isChanged() {
      const now = factsNow();
      const isShorter = now.size < last.size || now.logSize < last.logSize;
      const isOther = (last.isDatabase && !now.isDatabase) || (last.isLog && !now.isLog);
      last = now;
      return isShorter || isOther;
    },
    close: () => closeSync(file),
  };
}

/** The first bytes of a file; undefined if it is shorter. */
function startOf(file: number, length: number): Buffer | undefined {
  const buffer = Buffer.alloc(length);
  return readSync(file, buffer, 0, length, 0) === length ? buffer : undefined;
}

/** Not of a database that this process has open. */
function readStart(path: string, length: number): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    return startOf(file, length);
  } finally {
    closeSync(file);
  }
}
