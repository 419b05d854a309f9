/** The conversation database: opens it, recovers it when it is damaged, and reports when one was set aside. */
import { randomUUID } from 'node:crypto';
import { type BegunSpend, createBegunSpend } from './begunSpend.ts';
import { type ConversationRows, createConversationRows } from './conversationRows.ts';
import {
  databaseIdOf,
  databasePath,
  type Opened,
  openDatabase,
  type SetAside,
  setAsideDamaged,
} from './database.ts';
import { createFileWatch } from './fileHeader.ts';
import { createLeaseRows, isProcessAlive, type LeaseRows } from './leaseRows.ts';
import { createPatience, type Patience, USUAL_WAIT_MS } from './patience.ts';
import { createRecentRows, type RecentRows } from './recentRows.ts';
import { createRemovedRows, type RemovedRows } from './removedRows.ts';
import { type Salvaged, salvage } from './salvage.ts';
import { createSearchRows, type SearchRows } from './searchRows.ts';
import { createSpendRows, type SpendRows } from './spendRows.ts';
import { type Database, toStorageTrouble } from './sqlite.ts';
import { createTurnRows, type TurnRows } from './turnRows.ts';
import { createUnsentRows, type UnsentRows } from './unsentRows.ts';

export interface HistoryDeps {
  /** Folder of the database. It is created if it doesn't exist. */
  readonly folder: string;
  /** Where this window is, as shown to the user, such as the name of its workspace. */
  readonly place: string;
  now?(): number;
  /** Whether a process runs, by its id. Replaced in tests. */
  isAlive?(pid: number): boolean;
  /** A database could not be used and was renamed. What was readable is in the new one. */
  onSetAside(report: SetAsideReport): void;
  /** A stored value is invalid. Called once for each field, with the expected value. */
  onWrong(what: string): void;
}

export interface SetAsideReport extends SetAside, Salvaged {}

type Rows = ConversationRows &
  TurnRows &
  LeaseRows &
  SearchRows &
  SpendRows &
  BegunSpend &
  UnsentRows &
  RecentRows &
  RemovedRows;

export interface History extends Rows {
  /** Changes when another window wrote to the database or set it aside, and when it was damaged while it was open. */
  version(): string;
  close(): void;
}

export type OpenedHistory =
  | { readonly ok: true; readonly history: History }
  | Extract<Opened, { readonly ok: false }>;

export function openHistory(deps: HistoryDeps): OpenedHistory {
  const now = deps.now ?? Date.now;
  const opened = openDatabase(deps.folder, now);
  if (!opened.ok) return opened;
  const window = randomUUID();
  let db: Database = opened.db;

  const reported = new Set<string>();
  /** Reports each field once: a database of another version can have the same problem in every turn. */
  function onWrong(what: string): void {
    const kind = what.replace(/\[\d+\]/g, '[]');
    if (reported.has(kind)) return;
    reported.add(kind);
    deps.onWrong(what);
  }

  function createRows(): Rows {
    const lease = {
      window,
      pid: process.pid,
      place: deps.place,
      now,
      isAlive: deps.isAlive ?? isProcessAlive,
    };
    return {
      ...createConversationRows(db, now, onWrong),
      ...createTurnRows(db),
      ...createLeaseRows(db, lease),
      ...createSearchRows(db),
      ...createSpendRows(db, onWrong),
      ...createBegunSpend(db, lease),
      ...createUnsentRows(db, onWrong, lease),
      ...createRecentRows(db),
      ...createRemovedRows(db),
    };
  }

  let rows = createRows();
  let patience = createPatience(db);

  function bringOver(setAside: SetAside): void {
    const salvaged = salvage(setAside.path, db);
    deps.onSetAside({ ...setAside, ...salvaged });
  }

  /** Sets the database aside if it is damaged. Returns whether a usable one is open. */
  function renew(): boolean {
    close();
    const again = setAsideDamaged(deps.folder, now, USUAL_WAIT_MS);
    isOpen = again.ok;
    if (!again.ok) return false;
    db = again.db;
    rows = createRows();
    patience = createPatience(db);
    noteFile();
    if (again.setAside !== undefined) bringOver(again.setAside);
    return true;
  }

  /** False after `close`, and while another window has files of it open that can't be used. */
  let isOpen = true;
  let replaced = 0;
  let identity = databaseIdOf(deps.folder);
  let watch = createFileWatch(databasePath(deps.folder));
  /** The database that is open now is another one. */
  function noteFile(): void {
    identity = databaseIdOf(deps.folder);
    watch = createFileWatch(databasePath(deps.folder));
    replaced++;
  }
  if (opened.setAside !== undefined) bringOver(opened.setAside);

  /** Opens the new database after another window has set the old one aside, or after it couldn't be opened again. */
  function follow(): void {
    const again = openDatabase(deps.folder, now, USUAL_WAIT_MS);
    if (!again.ok) return;
    close();
    isOpen = true;
    db = again.db;
    rows = createRows();
    patience = createPatience(db);
    noteFile();
  }

  function version(): string {
    if (!isOpen || databaseIdOf(deps.folder) !== identity) follow();
    else if (watch.isChanged()) renew();
    // Until it can be opened again, nothing of it is read.
    if (!isOpen) return `${replaced}/closed`;
    return `${replaced}/${Number(db.prepare('PRAGMA data_version').get()?.['data_version'] ?? 0)}`;
  }

  function close(): void {
    if (!isOpen) return;
    db.close();
    watch.close();
    isOpen = false;
  }

  return {
    ok: true,
    history: {
      ...guard(
        () => rows,
        () => patience,
        renew,
      ),
      version,
      close,
    },
  };
}

/**
 * Wraps each function: when it finds damage, the database is renewed and the function is called once more. When the database
 * is locked, the next ones don't wait as long.
 */
function guard(current: () => Rows, patience: () => Patience, renew: () => boolean): Rows {
  const guarded = Object.keys(current()).map((key) => {
    const name = key as keyof Rows;
    const call = (...args: unknown[]) => (current()[name] as (...args: unknown[]) => unknown)(...args);
    return [
      name,
      (...args: unknown[]) => {
        try {
          patience().begin();
          return call(...args);
        } catch (error) {
          const trouble = toStorageTrouble(error);
          if (trouble === 'busy') patience().giveUp();
          if (trouble !== 'damaged' || !renew()) throw error;
          return call(...args);
        }
      },
    ] as const;
  });
  return Object.fromEntries(guarded) as unknown as Rows;
}
