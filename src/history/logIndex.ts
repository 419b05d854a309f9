/**
 * Reads the index of a write-ahead log, the file `-shm` (sqlite.org/walformat.html). It says how much of the log and of the database
 * SQLite relies on. This distinguishes a checkpoint of another program, which empties the log after copying everything to the
 * database, from a log that was cut off.
 */
import type { Buffer } from 'node:buffer';

/** The header of the index, which the file contains twice. */
export interface LogIndex {
  /** In bytes. */
  readonly pageSize: number;
  /** The number of valid frames in the log, whose pages the database may lack. */
  readonly frames: number;
  /** The number of pages of the database, including those in the log. */
  readonly pages: number;
  /** Two random numbers, which are also in the header of the log. */
  readonly salts: Buffer;
}

const HEADER_BYTES = 48;
export const LOG_INDEX_BYTES = 2 * HEADER_BYTES;

const VERSION = 3_007_000;
const VERSION_AT = 0;
const IS_READY_AT = 12;
const PAGE_SIZE_AT = 14;
const FRAMES_AT = 16;
const PAGES_AT = 20;
const SALTS_AT = 32;
const SALTS_BYTES = 8;

/**
 * Reads the header of an index. Undefined if the bytes aren't an index, or while it changes: SQLite writes the second header after
 * the first one.
 */
export function toLogIndex(start: Buffer): LogIndex | undefined {
  const header = start.subarray(0, HEADER_BYTES);
  if (start.length < LOG_INDEX_BYTES || !header.equals(start.subarray(HEADER_BYTES, LOG_INDEX_BYTES)))
    return undefined;
  // The index has the byte order of the machine, unlike the other files.
  const isLittle = header.readUInt32LE(VERSION_AT) === VERSION;
  const number = (at: number) => (isLittle ? header.readUInt32LE(at) : header.readUInt32BE(at));
  if (number(VERSION_AT) !== VERSION || header[IS_READY_AT] !== 1) return undefined;
  const written = isLittle ? header.readUInt16LE(PAGE_SIZE_AT) : header.readUInt16BE(PAGE_SIZE_AT);
  return {
    pageSize: written === 1 ? 65_536 : written,
    frames: number(FRAMES_AT),
    pages: number(PAGES_AT),
    salts: header.subarray(SALTS_AT, SALTS_AT + SALTS_BYTES),
  };
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const LOG_SALTS_AT = 16;

/** Whether a log has all frames that its index refers to. `start` is the header of the log. */
export function hasAllFrames(index: LogIndex, logSize: number, start: Buffer | undefined): boolean {
  if (index.frames === 0) return true;
  const salts = start?.subarray(LOG_SALTS_AT, LOG_SALTS_AT + SALTS_BYTES);
  return (
    salts?.equals(index.salts) === true &&
    logSize >= LOG_HEADER_BYTES + index.frames * (FRAME_HEADER_BYTES + index.pageSize)
  );
}
