/** The store of conversations: opens it, keeps it usable, and says what became of one that was not. */
import { randomUUID } from 'node:crypto';
import { type ConversationRows, createConversationRows } from './conversationRows.ts';
import { databaseIdOf, type Opened, openDatabase, type SetAside, setAsideDamaged } from './database.ts';
import { createLeaseRows, isProcessAlive, type LeaseRows } from './leaseRows.ts';
import { type Salvaged, salvage } from './salvage.ts';
import { createSearchRows, type SearchRows } from './searchRows.ts';
import { createSpendRows, type SpendRows } from './spendRows.ts';
import { type Database, toStorageTrouble } from './sqlite.ts';
import { createTurnRows, type TurnRows } from './turnRows.ts';

export interface HistoryDeps {
  /** Where the store is, or is made. */
  readonly folder: string;
  /** The window's own words for where it is, like the name of its workspace. */
  readonly place: string;
  now?(): number;
  /** A store was renamed because it could not be used; what could be read is in the new one. */
  onSetAside(report: SetAsideReport): void;
  /** Something in the store cannot be read as it should be: which field, and what it should be. Each is told once. */
  onWrong(what: string): void;
}

export interface SetAsideReport extends SetAside, Salvaged {}

type Rows = ConversationRows & TurnRows & LeaseRows & SearchRows & SpendRows;

export interface History extends Rows {
  /** Changes when another window has written, or has set the store aside. */
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

  const told = new Set<string>();
  /** A store that another version wrote may be wrong in every turn in the same way. */
  function onWrong(what: string): void {
    const kind = what.replace(/\[\d+\]/g, '[]');
    if (told.has(kind)) return;
    told.add(kind);
    deps.onWrong(what);
  }

  function createRows(): Rows {
    const lease = { window, pid: process.pid, place: deps.place, now, isAlive: isProcessAlive };
    return {
      ...createConversationRows(db, now, onWrong),
      ...createTurnRows(db),
      ...createLeaseRows(db, lease),
      ...createSearchRows(db),
      ...createSpendRows(db, onWrong),
    };
  }

  let rows = createRows();

  function bringOver(setAside: SetAside): void {
    const salvaged = salvage(setAside.path, db);
    deps.onSetAside({ ...setAside, ...salvaged });
  }

  /** Damage that shows while the store is in use is treated as damage that shows when it is opened. */
  function renew(): boolean {
    db.close();
    const again = setAsideDamaged(deps.folder, now);
    if (!again.ok) return false;
    db = again.db;
    rows = createRows();
    identity = databaseIdOf(deps.folder);
    if (again.setAside !== undefined) bringOver(again.setAside);
    return true;
  }

  if (opened.setAside !== undefined) bringOver(opened.setAside);
  let identity = databaseIdOf(deps.folder);

  /** Another window has set the store aside: from now on both write into the new one. */
  function follow(): void {
    const again = openDatabase(deps.folder, now);
    if (!again.ok) return;
    db.close();
    db = again.db;
    rows = createRows();
    identity = databaseIdOf(deps.folder);
    replaced++;
  }

  let replaced = 0;
  function version(): string {
    if (databaseIdOf(deps.folder) !== identity) follow();
    return `${replaced}/${Number(db.prepare('PRAGMA data_version').get()?.['data_version'] ?? 0)}`;
  }

  return { ok: true, history: { ...guard(() => rows, renew), version, close: () => db.close() } };
}

/** The same functions; one that comes upon damage is called once more after the store was renewed. */
function guard(current: () => Rows, renew: () => boolean): Rows {
  const guarded = Object.keys(current()).map((key) => {
    const name = key as keyof Rows;
    const call = (...args: unknown[]) => (current()[name] as (...args: unknown[]) => unknown)(...args);
    return [
      name,
      (...args: unknown[]) => {
        try {
          return call(...args);
        } catch (error) {
          if (toStorageTrouble(error) !== 'damaged' || !renew()) throw error;
          return call(...args);
        }
      },
    ] as const;
  });
  return Object.fromEntries(guarded) as unknown as Rows;
}
