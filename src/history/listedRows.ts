/**
 * Reads the list of conversations from the database. With ten thousand conversations, this takes a tenth of a second, so only
 * changed rows are read again. Triggers in plain SQL note the changes, also those of windows with an earlier version of the
 * extension. They are an addition to the tables of version 4, like the search index for Chinese (`unspacedRows.ts`).
 */
import type { OnWrong } from './readRecord.ts';
import { fromRoutesRecord } from './records.ts';
import { IS_LISTED } from './removedRows.ts';
import { type Database, toStorageTrouble, transact } from './sqlite.ts';

/** The data of a conversation in a list. */
export interface Summary {
  readonly id: string;
  /** Epoch milliseconds of the last question or answer. */
  readonly changedAt: number;
  readonly title: string;
  readonly pinned: boolean;
  readonly workspace: string | undefined;
  /** Names of the routes that answered, in the order of their first answer. */
  readonly routes: readonly string[];
  /** USD, at the prices of that time; turns without reported usage are not included. */
  readonly cost: number;
  readonly unreported: number;
}

export interface ListedRows {
  /** The conversations, newest first, without deleted ones and without those for which `IS_LISTED` isn't true. */
  list(): readonly Summary[];
  /** Whether a conversation was permanently deleted by any window. */
  isPurged(id: string): boolean;
}

/**
 * The number of each conversation's last change. It is greater than all earlier numbers. The row stays when the conversation is
 * permanently deleted.
 */
const TABLE = `
CREATE TABLE IF NOT EXISTS listed_change (conversation_id TEXT PRIMARY KEY, number INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS listed_change_by_number ON listed_change (number);
`;
const note = (id: string) => `BEGIN
  INSERT INTO listed_change VALUES (${id}, (SELECT coalesce(max(number), 0) + 1 FROM listed_change))
    ON CONFLICT (conversation_id) DO UPDATE SET number = excluded.number;
END`;
const COLUMNS = ['changed_at', 'title', 'pinned', 'workspace', 'routes', 'cost', 'unreported', 'deleted_at'];
/**
 * The columns that only determine whether a conversation is listed. Only changes of these conditions are noted, so that not every
 * key press in a draft is.
 */
const CONDITIONS = [
  ['head', 'IS NULL'],
  ['draft', "= ''"],
  ['queue', "= '[]'"],
] as const;
const IS_CHANGED = [
  ...COLUMNS.map((column) => `old.${column} IS NOT new.${column}`),
  ...CONDITIONS.map(([column, is]) => `(old.${column} ${is}) <> (new.${column} ${is})`),
].join(' OR ');
const TRIGGERS: Readonly<Record<string, string>> = {
  listed_added: `AFTER INSERT ON conversation ${note('new.id')}`,
  listed_changed: `AFTER UPDATE ON conversation WHEN ${IS_CHANGED} ${note('new.id')}`,
  // A separate trigger, because the database can have the previous one from an earlier version of the extension.
  listed_named: `AFTER UPDATE ON conversation WHEN old.named <> new.named ${note('new.id')}`,
  listed_removed: `AFTER DELETE ON conversation ${note('old.id')}`,
  listed_attached: `AFTER INSERT ON unsent ${note('new.conversation_id')}`,
  listed_detached: `AFTER DELETE ON unsent ${note('old.conversation_id')}`,
};

const isNoted = (db: Database): boolean => {
  const names = JSON.stringify(['listed_change', ...Object.keys(TRIGGERS)]);
  const found = db.prepare(
    'SELECT count(*) AS n FROM sqlite_schema WHERE name IN (SELECT value FROM json_each(?))',
  );
  return Number(found.get(names)?.['n']) === Object.keys(TRIGGERS).length + 1;
};

/** Adds the triggers to a database that doesn't have them. Without them, the whole list is read each time. */
export function addListedChanges(db: Database): void {
  if (isNoted(db)) return;
  try {
    transact(db, () => {
      db.exec(TABLE);
      for (const [name, when] of Object.entries(TRIGGERS))
        db.exec(`CREATE TRIGGER IF NOT EXISTS ${name} ${when}`);
    });
  } catch (error) {
    // A full disk, or a database that can only be read. The next window tries again.
    if (toStorageTrouble(error) === 'damaged') throw error;
  }
}

/** If there are more changes, such as after an import, the whole list is read. */
const MOST_CHANGES = 500;

interface Row {
  readonly number: number;
  readonly summary: Summary;
}

export function createListedRows(db: Database, onWrong: OnWrong): ListedRows {
  const select = `SELECT rowid, id, changed_at, title, pinned, workspace, routes, cost, unreported FROM conversation
    WHERE deleted_at IS NULL AND ${IS_LISTED}`;
  const all = db.prepare(`${select} ORDER BY changed_at DESC, rowid DESC`);
  if (!isNoted(db))
    return { list: () => all.all().map((row) => toRow(row, onWrong).summary), isPurged: () => false };

  const one = db.prepare(`${select} AND id = ?`);
  const purged = db.prepare(
    'SELECT 1 FROM listed_change WHERE conversation_id = :id AND NOT EXISTS (SELECT 1 FROM conversation WHERE id = :id)',
  );
  const last = db.prepare('SELECT max(number) AS number FROM listed_change');
  const changesSince = db.prepare(
    `SELECT conversation_id FROM listed_change WHERE number > ? LIMIT ${MOST_CHANGES + 1}`,
  );
  let known:
    | { readonly rows: Map<string, Row>; readonly until: number; readonly list: readonly Summary[] }
    | undefined;

  function readAll(until: number): readonly Summary[] {
    const rows = all.all().map((row) => toRow(row, onWrong));
    const list = rows.map(({ summary }) => summary);
    known = { rows: new Map(rows.map((row) => [row.summary.id, row])), until, list };
    return list;
  }

  return {
    isPurged: (id) => purged.get({ id }) !== undefined,
    list() {
      // Read first, so that later changes are read with the next list.
      const until = Number(last.get()?.['number'] ?? 0);
      if (known === undefined) return readAll(until);
      if (until === known.until) return known.list;
      const changed = changesSince.all(known.until);
      // The number is smaller if another program has replaced the database with an earlier one.
      if (until < known.until || changed.length > MOST_CHANGES) return readAll(until);
      const { rows } = known;
      for (const { conversation_id: id } of changed) {
        const row = one.get(String(id));
        rows.delete(String(id));
        if (row !== undefined) rows.set(String(id), toRow(row, onWrong));
      }
      const list = [...rows.values()].toSorted(byChange).map(({ summary }) => summary);
      known = { rows, until, list };
      return list;
    },
  };
}

const byChange = (a: Row, b: Row) => b.summary.changedAt - a.summary.changedAt || b.number - a.number;

function toRow(row: Readonly<Record<string, unknown>>, onWrong: OnWrong): Row {
  const summary = {
    id: String(row['id']),
    changedAt: Number(row['changed_at']),
    title: String(row['title']),
    pinned: row['pinned'] === 1,
    workspace: typeof row['workspace'] === 'string' ? row['workspace'] : undefined,
    routes: fromRoutesRecord(String(row['routes']), onWrong),
    cost: Number(row['cost']),
    unreported: Number(row['unreported']),
  };
  return { number: Number(row['rowid']), summary };
}
