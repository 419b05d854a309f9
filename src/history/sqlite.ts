/** Wraps `node:sqlite`, if the extension host has it. */
import type { DatabaseSync } from 'node:sqlite';

export type Database = DatabaseSync;
type Sqlite = typeof import('node:sqlite');

/** The module, or undefined if the host doesn't have it. */
export function findSqlite(): Sqlite | undefined {
  try {
    return process.getBuiltinModule('node:sqlite');
  } catch {
    // Some hosts throw instead of returning undefined. The caller reports that SQLite is missing.
    return undefined;
  }
}

/** The kind of an error, from the result code of SQLite (sqlite.org/rescode.html). */
export type StorageTrouble = 'damaged' | 'full' | 'read-only' | 'busy' | 'failed';

export function toStorageTrouble(error: unknown): StorageTrouble {
  const code =
    typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  switch (code) {
    case 11:
    case 26:
      return 'damaged';
    case 13:
      return 'full';
    case 3:
    case 8:
    case 14:
      return 'read-only';
    case 5:
    case 6:
      return 'busy';
    default:
      return 'failed';
  }
}

/**
 * Runs the body as one transaction with an immediate write lock, so that windows wait for each other instead of
 * failing.
 */
export function transact<Result>(db: Database, body: () => Result): Result {
  if (db.isTransaction) return body();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = body();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
