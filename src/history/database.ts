/** Opens the conversation database, and replaces one that can't be used. */
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { addUnfinishedIndex } from './conversationRows.ts';
import { COMPANIONS, keepCopy, keepPrivate, putAside, renameDatabase } from './databaseFiles.ts';
import { missingBytes } from './fileHeader.ts';
import { addListedChanges } from './listedRows.ts';
import { addRemovedIndex } from './removedRows.ts';
import { type Salvaged, salvage } from './salvage.ts';
import { migrate, SCHEMA_VERSION, versionOf } from './schema.ts';
import { pause, withLock } from './settingAsideLock.ts';
import { addEstimatedSpend } from './spendWriting.ts';
import { type Database, findSqlite, type StorageTrouble, toStorageTrouble } from './sqlite.ts';
import { addUnspacedIndex, isOnlyUnspacedDamaged, mendUnspacedIndex } from './unspacedTables.ts';

const FILE = 'conversations.db';

/** The reason why the existing database couldn't be used, the path that it was renamed to, and what was copied from it. */
export interface SetAsideReport extends Salvaged {
  readonly why: 'damaged' | 'too-new';
  readonly path: string;
}

export type Opened =
  | { readonly ok: true; readonly db: Database; readonly setAside: SetAsideReport | undefined }
  | { readonly ok: false; readonly why: StorageTrouble | 'no-sqlite'; readonly message: string };

/**
 * Opens or creates the database in a folder. A database that is damaged or was written by a later version is never deleted. It is
 * renamed and replaced by a new one, to which its readable data is copied. If it can't be replaced, it keeps its name, so that the
 * next window tries again, because users wouldn't look for a renamed file.
 */
export function openDatabase(folder: string, now: () => number = Date.now, waitMs = BUSY_TIMEOUT_MS): Opened {
  if (findSqlite() === undefined) return { ok: false, why: 'no-sqlite', message: 'node:sqlite' };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    keepPrivate(folder, 0o700);
    return tryOpening(folder, now, waitMs);
  } catch (error) {
    return {
      ok: false,
      why: isReadOnly(error) ? 'read-only' : toStorageTrouble(error),
      message: String(error),
    };
  }
}

export const databasePath = (folder: string): string => join(folder, FILE);

/** Identifies the current database file (its inode). It changes when a window sets the database aside. */
export function databaseIdOf(folder: string): number {
  return statSync(join(folder, FILE), { throwIfNoEntry: false })?.ino ?? 0;
}

/** Runs the full check after a read found damage: sets the database aside if it is damaged, otherwise opens it. */
export function setAsideDamaged(
  folder: string,
  now: () => number = Date.now,
  waitMs = BUSY_TIMEOUT_MS,
): Opened {
  try {
    return tryOpening(folder, now, waitMs, true);
  } catch (error) {
    return { ok: false, why: toStorageTrouble(error), message: String(error) };
  }
}

function tryOpening(folder: string, now: () => number, waitMs: number, thorough = false): Opened {
  const path = join(folder, FILE);
  const first = thorough ? undefined : attempt(path, waitMs, false);
  if (first?.db !== undefined) return { ok: true, db: first.db, setAside: undefined };
  return withLock(folder, () => {
    // Another window may have set the database aside while this one waited for the lock.
    const again = attempt(path, waitMs, thorough);
    if (again.db !== undefined) return { ok: true, db: again.db, setAside: undefined };
    const { why } = again;
    const aside = putAside(path, why, now());
    let db: Database | undefined;
    try {
      db = connect(path, waitMs, false);
      return { ok: true, db, setAside: { why, path: aside, ...salvage(aside, db) } };
    } catch (error) {
      // For example, the disk is full. A window with open conversations continues with the new database.
      if (db !== undefined && thorough)
        return { ok: true, db, setAside: { why, path: aside, ...NOTHING_COPIED } };
      db?.close();
      renameDatabase(aside, path);
      throw error;
    }
  });
}

const NOTHING_COPIED: Salvaged = { conversations: 0, lost: 1 };

type Attempt = { readonly db: Database } | { readonly db?: undefined; readonly why: SetAsideReport['why'] };

function attempt(path: string, waitMs: number, thorough: boolean): Attempt {
  let db: Database | undefined;
  try {
    if (existsSync(path) && missingBytes(path).missing > 0) return { why: 'damaged' };
    db = connect(path, waitMs, thorough);
    return { db };
  } catch (error) {
    if (error instanceof TooNew) return { why: 'too-new' };
    if (toStorageTrouble(error) === 'damaged') return { why: 'damaged' };
    throw error;
  }
}

class TooNew extends Error {}

/** How long this window waits for another one while it starts. */
const BUSY_TIMEOUT_MS = 10_000;

function connect(path: string, waitMs: number, thorough: boolean): Database {
  const sqlite = findSqlite();
  if (sqlite === undefined) throw new Error('node:sqlite');
  const db = new sqlite.DatabaseSync(path);
  try {
    db.exec(`PRAGMA busy_timeout = ${waitMs}`);
    if (versionOf(db) > SCHEMA_VERSION) throw new TooNew();
    switchToWal(db, waitMs);
    // In WAL mode, a killed process loses nothing with this setting; a power failure can lose the last transactions.
    db.exec('PRAGMA synchronous = NORMAL');
    upgrade(db, path);
    addTables(db);
    // Reads the list of tables and the first pages, which detects files that are not databases or were truncated.
    db.prepare('SELECT count(*) FROM conversation').get();
    if (thorough || statSync(path).size < SMALL_BYTES) checkWhole(db, thorough);
    for (const companion of COMPANIONS) {
      if (existsSync(path + companion)) keepPrivate(path + companion, 0o600);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Migrates a database of an earlier version, and keeps a copy of it. The copy is made only if the database isn't locked, because
 * opening a locked one is tried again and again.
 */
function upgrade(db: Database, path: string): void {
  const version = versionOf(db);
  if (version === 0 || version === SCHEMA_VERSION) return;
  db.exec('BEGIN IMMEDIATE; ROLLBACK');
  const copy = keepCopy(db, `${path}.version-${version}`);
  try {
    migrate(db);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
}

function addTables(db: Database): void {
  if (versionOf(db) < SCHEMA_VERSION) migrate(db);
  addUnspacedIndex(db);
  addEstimatedSpend(db);
  addUnfinishedIndex(db);
  addListedChanges(db);
  addRemovedIndex(db);
}

/** Creates a placeholder for a database that can't be opened yet. Nobody reads from it or writes to it. */
export function createStandIn(): Database {
  const sqlite = findSqlite();
  if (sqlite === undefined) throw new Error('node:sqlite');
  const db = new sqlite.DatabaseSync(':memory:');
  addTables(db);
  return db;
}

const BUSY_STEP_MS = 20;

/**
 * Switches to the write-ahead log. The busy timeout of SQLite has no effect here: it fails at once while another window creates the
 * database, because both could wait for each other (sqlite.org/c3ref/busy_handler.html).
 */
function switchToWal(db: Database, waitMs: number): void {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (toStorageTrouble(error) !== 'busy' || performance.now() > until) throw error;
      pause(BUSY_STEP_MS);
    }
  }
}

/** The largest database that is checked whenever it is opened. This takes about one or two frames. */
const SMALL_BYTES = 4 * 1024 * 1024;

function checkWhole(db: Database, withSearch: boolean): void {
  let found = quickCheck(db);
  if (isOnlyUnspacedDamaged(found)) {
    mendUnspacedIndex(db);
    found = quickCheck(db);
  }
  if (found !== 'ok') throw Object.assign(new Error('quick_check'), { errcode: SQLITE_CORRUPT });
  if (!withSearch) return;
  // Earlier versions of SQLite don't check the search indexes in `quick_check`.
  db.exec("INSERT INTO search (search) VALUES ('integrity-check')");
  mendUnspacedIndex(db);
}

/** The first problem that SQLite finds; `ok` if there is none. */
const quickCheck = (db: Database) => String(db.prepare('PRAGMA quick_check(1)').get()?.['quick_check']);

const SQLITE_CORRUPT = 11;

function isReadOnly(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EROFS' || error.code === 'EACCES' || error.code === 'EPERM')
  );
}
