/** The conversation database: opens it, recovers it when it is damaged, and reports when one was set aside. */
import { hostname } from 'node:os';
import { type BegunSpend, createBegunSpend } from './begunSpend.ts';
import { type ConversationRows, createConversationRows } from './conversationRows.ts';
import {
  createStandIn,
  databaseIdOf,
  databasePath,
  type Opened,
  openDatabase,
  type SetAsideReport,
  setAsideDamaged,
} from './database.ts';
import { createFileWatch, type FileWatch } from './fileHeader.ts';
import {
  createLeaseCheck,
  createLeaseRows,
  isProcessAlive,
  type LeaseRows,
  newWindowId,
} from './leaseRows.ts';
import { createListedRows, type ListedRows } from './listedRows.ts';
import { createPatience, OPENING_WAIT_MS, type Patience, USUAL_WAIT_MS } from './patience.ts';
import { createRecentRows, type RecentRows } from './recentRows.ts';
import { createRemovedRows, type RemovedRows } from './removedRows.ts';
import { createSearchRows, type SearchRows } from './searchRows.ts';
import { createSpendRows, type SpendRows } from './spendRows.ts';
import { type Database, toStorageTrouble } from './sqlite.ts';
import { createTurnRows, type TurnRows } from './turnRows.ts';
import { createUnsentRows, type UnsentRows } from './unsentRows.ts';

export interface HistoryDeps {
  /** Folder of the database. It is created if it doesn't exist. */
  readonly folder: string;
  /** A description of this window for the user, such as the name of its workspace. */
  readonly place: string;
  now?(): number;
  /** Milliseconds of a monotonic clock. Replaced in tests. */
  elapsed?(): number;
  /** Whether a process runs, by its id. Replaced in tests. */
  isAlive?(pid: number): boolean;
  /** The name of this computer. Replaced in tests. */
  readonly machine?: string;
  /** How long to wait for a database that another program has locked, in milliseconds. Replaced in tests. */
  readonly waitMs?: number;
  /** Called when the database is open after it was locked at first. */
  onOpened?(): void;
  /** Called when a database couldn't be used and was renamed. Its readable data is in the new one. */
  onSetAside(report: SetAsideReport): void;
  /** A stored value is invalid. Called once for each field, with the expected value. */
  onWrong(what: string): void;
}

type Rows = ListedRows &
  ConversationRows &
  TurnRows &
  LeaseRows &
  SearchRows &
  SpendRows &
  BegunSpend &
  UnsentRows &
  RecentRows &
  RemovedRows;

export interface History extends Rows {
  /**
   * False while the database couldn't be opened since the window started because another program has locked it, or while its damaged
   * files can't be replaced. Then, every function throws as for a locked database, and `version` tries to open it.
   */
  isOpen(): boolean;
  /** A text that changes when another window writes to the database or sets it aside, and when damage is found while it is open. */
  version(): string;
  close(): void;
}

export type OpenedHistory =
  | { readonly ok: true; readonly history: History }
  | Extract<Opened, { readonly ok: false }>;

/** The IDs of the windows in this process: one in an editor, several in tests. */
const windowsHere = new Set<string>();

/** Opens the conversation database. If it is locked, it is opened later. */
export function openHistory(deps: HistoryDeps): OpenedHistory {
  const now = deps.now ?? Date.now;
  const opened = openDatabase(deps.folder, now, deps.waitMs);
  if (!opened.ok && opened.why !== 'busy') return opened;
  const window = newWindowId(deps.machine ?? hostname());
  windowsHere.add(window);
  let db: Database = opened.ok ? opened.db : createStandIn();

  const isLeased = createLeaseCheck(now, deps.elapsed ?? (() => performance.now()));

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
      isLeased,
      isAlive: deps.isAlive ?? isProcessAlive,
      isHere: (id: string) => windowsHere.has(id),
    };
    return {
      ...createListedRows(db, onWrong),
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

  /** Sets the database aside if it is damaged. Returns whether a usable one is open. */
  function renew(): boolean {
    close();
    const again = setAsideDamaged(deps.folder, now, USUAL_WAIT_MS);
    if (again.ok) use(again);
    return again.ok;
  }

  /** False after `close` and while the database can't be opened. */
  let isOpen = opened.ok;
  /** Whether the database has been open since the window started. */
  let wasOpen = opened.ok;
  let replaced = 0;
  let identity = 0;
  let watch: FileWatch | undefined;
  function noteFile(): void {
    identity = databaseIdOf(deps.folder);
    watch = createFileWatch(databasePath(deps.folder));
  }
  if (opened.ok) {
    noteFile();
    if (opened.setAside !== undefined) deps.onSetAside(opened.setAside);
  }

  /** Uses a database that was opened: a new one, or the first one that could be opened. */
  function use(found: Extract<Opened, { readonly ok: true }>): void {
    db = found.db;
    rows = createRows();
    patience = createPatience(db);
    noteFile();
    isOpen = true;
    if (wasOpen) replaced++;
    const isFirst = !wasOpen;
    wasOpen = true;
    try {
      if (found.setAside !== undefined) deps.onSetAside(found.setAside);
    } finally {
      if (isFirst) deps.onOpened?.();
    }
  }

  /** Opens the new database after another window has set the old one aside, or after it couldn't be opened. */
  function follow(waitMs: number): void {
    const again = openDatabase(deps.folder, now, waitMs);
    if (!again.ok) return;
    close();
    use(again);
  }

  function version(): string {
    if (!isOpen) follow(OPENING_WAIT_MS);
    else if (databaseIdOf(deps.folder) !== identity) follow(USUAL_WAIT_MS);
    else if (watch?.isChanged()) renew();
    // Nothing is read until the database can be opened again.
    if (!isOpen) return `${replaced}/closed`;
    return `${replaced}/${Number(db.prepare('PRAGMA data_version').get()?.['data_version'] ?? 0)}`;
  }

  function close(): void {
    if (!isOpen) return;
    db.close();
    watch?.close();
    isOpen = false;
  }

  return {
    ok: true,
    history: {
      ...guard({ rows: () => rows, patience: () => patience, isOpen: () => isOpen, renew }),
      isOpen: () => isOpen,
      version,
      close() {
        close();
        windowsHere.delete(window);
      },
    },
  };
}

interface Guarded {
  rows(): Rows;
  patience(): Patience;
  isOpen(): boolean;
  /** Returns whether a usable database is open. */
  renew(): boolean;
}

/**
 * Wraps each function. If a function finds damage, the database is renewed and the function is called once more. If the database is
 * locked, the next calls don't wait as long.
 */
function guard({ rows, patience, isOpen, renew }: Guarded): Rows {
  const guarded = Object.keys(rows()).map((key) => {
    const name = key as keyof Rows;
    const call = (...args: unknown[]) => (rows()[name] as (...args: unknown[]) => unknown)(...args);
    return [
      name,
      (...args: unknown[]) => {
        if (!isOpen()) throw Object.assign(new Error('database is not open'), { errcode: SQLITE_BUSY });
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

const SQLITE_BUSY = 5;
