/** Copies, renames, and protects the files of a database. */
import { accessSync, chmodSync, constants, existsSync, renameSync, rmSync } from 'node:fs';
import { type Database, toStorageTrouble } from './sqlite.ts';

/** Suffixes of the files of a database: the file itself and the files that SQLite keeps next to it. */
export const COMPANIONS = ['', '-wal', '-shm'];

/**
 * Removes the permissions of other users from a file or folder. Some file systems have no permissions and refuse this, such as exFAT
 * on a removable disk. Throws if the file can't be written.
 */
export function keepPrivate(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    accessSync(path, constants.W_OK);
  }
}

/** Keeps a copy of the database before it is migrated to a later version. Returns its path. */
export function keepCopy(db: Database, base: string): string {
  const path = freePath(base, '');
  try {
    db.exec(`VACUUM INTO '${path.replaceAll("'", "''")}'`);
  } catch (error) {
    // An incomplete copy is deleted, for example on a full disk, because each start would leave another one. After other errors, the
    // file may be a copy that another window has begun meanwhile.
    if (toStorageTrouble(error) !== 'failed') rmSync(path, { force: true });
    throw error;
  }
  keepPrivate(path, 0o600);
  return path;
}

/** Renames a database that can't be used, with the reason and the time in its name. Returns its path. */
export function putAside(path: string, why: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  const base = path.replace(/\.db$/, `-${why}-${stamp}`);
  const to = freePath(base, '.db');
  renameDatabase(path, to);
  return to;
}

/** Renames a database. Replaces an existing one. */
export function renameDatabase(from: string, to: string): void {
  for (const companion of COMPANIONS) {
    rmSync(to + companion, { force: true });
    if (existsSync(from + companion)) renameSync(from + companion, to + companion);
  }
}

/** A path at which no file exists. */
function freePath(base: string, ending: string): string {
  let path = `${base}${ending}`;
  for (let n = 2; existsSync(path); n++) path = `${base}-${n}${ending}`;
  return path;
}
