/** Reads the first bytes of an SQLite file (sqlite.org/fileformat2.html), to detect truncated or replaced files. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { hasAllFrames, LOG_INDEX_BYTES, type LogIndex, toLogIndex } from './logIndex.ts';

const HEADER_BYTES = 100;
const PAGE_SIZE_AT = 16;
const PAGES_AT = 28;

/**
 * The size of a database file in bytes, and the number of bytes that are missing according to its header. Must not be called for a
 * database that this process has open.
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

interface FileFacts {
  readonly size: number;
  readonly logSize: number;
  /** The inode of the log; undefined if there is no log. */
  readonly logId: number | undefined;
  readonly header: Buffer | undefined;
  /** The header of the write-ahead log; undefined if it has none. */
  readonly logHeader: Buffer | undefined;
  readonly index: LogIndex | undefined;
}

/** The first bytes of a write-ahead log, without the last bit. */
const LOG_MAGIC = 0x377f0682;
const LOG_HEADER_BYTES = 32;

export interface FileWatch {
  /**
   * Whether a program other than SQLite has changed the files of the open database since the last call, such as a program that
   * synchronizes files. SQLite notices this only when it reads a changed page again, and keeps writing until then.
   */
  isChanged(): boolean;
  /** To be called after the database has been closed. */
  close(): void;
}

/** Watches a database that this process has open. */
export function createFileWatch(path: string): FileWatch {
  // Kept open as long as the database: with POSIX locks, closing any descriptor of a file drops the locks of SQLite on it
  // (sqlite.org/howtocorrupt.html). The same applies to the index of the log. There are no locks on the log itself.
  const file = openSync(path, 'r');
  const indexFile = existsSync(`${path}-shm`) ? openSync(`${path}-shm`, 'r') : undefined;
  const log = `${path}-wal`;
  function factsNow(): FileFacts {
    const { size: logSize = 0, ino: logId } = statSync(log, { throwIfNoEntry: false }) ?? {};
    const start = logSize < LOG_HEADER_BYTES ? undefined : readStart(log, LOG_HEADER_BYTES);
    const indexStart = indexFile === undefined ? undefined : startOf(indexFile, LOG_INDEX_BYTES);
    return {
      size: fstatSync(file).size,
      logSize,
      logId,
      header: toHeader(startOf(file, HEADER_BYTES)),
      logHeader: start !== undefined && (start.readUInt32BE() & ~1) === LOG_MAGIC ? start : undefined,
      index: indexStart && toLogIndex(indexStart),
    };
  }
  let last = factsNow();
  return {
    isChanged() {
      const before = last;
      last = factsNow();
      return isOddly(before, last) && !isBySqlite(before, last);
    },
    close() {
      closeSync(file);
      if (indexFile !== undefined) closeSync(indexFile);
    },
  };
}

/** Whether the files changed in an unusual way. SQLite rarely truncates the files of an open database, and keeps their headers. */
function isOddly(before: FileFacts, now: FileFacts): boolean {
  const isShorter = now.size < before.size || now.logSize < before.logSize;
  // Further writes would go to a file that no longer has a name.
  const isReplaced = isOtherLog(before, now);
  const isOther =
    (before.header !== undefined && now.header === undefined) ||
    (before.logHeader !== undefined && now.logHeader === undefined);
  return isShorter || isOther || isReplaced;
}

const isOtherLog = (before: FileFacts, { logId }: FileFacts): boolean =>
  before.logId !== undefined && logId !== before.logId;

/**
 * Whether the files have everything that the index of the log refers to, so that SQLite itself has truncated them: the log with a
 * TRUNCATE checkpoint, as the command line of SQLite and backup programs do, or the database with VACUUM. Returns false in doubt,
 * for example while the index changes; then the whole database is checked.
 */
function isBySqlite(before: FileFacts, now: FileFacts): boolean {
  const { size, logSize, header, logHeader, index } = now;
  if (header === undefined || index === undefined || isOtherLog(before, now)) return false;
  const pages = Math.max(index.pages, header.readUInt32BE(PAGES_AT));
  // With an empty log, all pages are in the database. Otherwise, the last ones may be in the log.
  const hasPages = size >= pages * index.pageSize;
  if (!hasPages && (size < before.size || index.frames === 0)) return false;
  return hasAllFrames(index, logSize, logHeader);
}

/** The first bytes of a file; undefined if it is shorter. */
function startOf(file: number, length: number): Buffer | undefined {
  const buffer = Buffer.alloc(length);
  return readSync(file, buffer, 0, length, 0) === length ? buffer : undefined;
}

/** The first bytes of a file; undefined if it is shorter. Must not be called for a database that this process has open. */
function readStart(path: string, length: number): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    return startOf(file, length);
  } finally {
    closeSync(file);
  }
}
