/**
 * The index of a write-ahead log, the file `-shm` (sqlite.org/walformat.html): how much of the log and of the database SQLite counts
 * on. It tells a checkpoint of another program, which empties the log after all of it is in the database, from a log that
 * was cut off.
 */
import type { Buffer } from 'node:buffer';

/** What the header says, which the index has twice. */
export interface LogIndex {
  /** In bytes. */
  readonly pageSize: number;
  /** The number of frames in the log that have what the database doesn't have yet, or may not have. */
  readonly frames: number;
  /** The number of pages of the database, with those in the log. */
  readonly pages: number;
  /** Two random numbers, as the log has them at its beginning. */
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

/** Undefined for what is no index, and while it changes: SQLite writes the second header after the first one. */
export function toLogIndex(start: Buffer): LogIndex | undefined {
  const header = start.subarray(0, HEADER_BYTES);
  if (start.length < LOG_INDEX_BYTES || !header.equals(start.subarray(HEADER_BYTES, LOG_INDEX_BYTES)))
    return undefined;
  // Its numbers are in the order of the machine, unlike those of the other files.
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

/** Whether a log has all frames that its index counts on. `start` is the header of the log. */
export function hasAllFrames(index: LogIndex, logSize: number, start: Buffer | undefined): boolean {
  if (index.frames === 0) return true;
  const salts = start?.subarray(LOG_SALTS_AT, LOG_SALTS_AT + SALTS_BYTES);
  return (
    salts?.equals(index.salts) === true &&
    logSize >= LOG_HEADER_BYTES + index.frames * (FRAME_HEADER_BYTES + index.pageSize)
  );
}
