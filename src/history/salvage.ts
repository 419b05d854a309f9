/** Copies readable data from a database that was set aside. */
import { copyFileSync, rmSync, truncateSync } from 'node:fs';
import type { SQLOutputValue } from 'node:sqlite';
import { MAX_TITLE_LENGTH } from '../conversation/conversationTitle.ts';
import { missingBytes } from './fileHeader.ts';
import { type Database, findSqlite, transact } from './sqlite.ts';
import { asBytes, toWholeText } from './wholeText.ts';

/**
 * Tables with the user's data, in the order in which rows refer to each other. The search indexes are not copied.
 */
const TABLES = [
  'conversation',
  'exchange',
  'turn',
  'round',
  'passage',
  'delta',
  'image',
  'spend',
  'estimated_spend',
  'late_spend',
  'begun_spend',
  'unsent',
] as const;

export interface Salvaged {
  readonly conversations: number;
  /** The number of row ranges that couldn't be read. Their content is only in the old database. */
  readonly lost: number;
}

/** Copies all readable rows from the database at `path` to an empty one. The old database isn't changed. */
export function salvage(path: string, db: Database): Salvaged {
  const { size, missing } = missingBytes(path);
  if (missing === 0) return salvageFrom(path, db);
  // SQLite doesn't read files that are shorter than their header says, so the missing part is filled with zeros.
  const whole = `${path}.whole`;
  try {
    copyFileSync(path, whole);
    truncateSync(whole, size + missing);
    return salvageFrom(whole, db);
  } finally {
    rmSync(whole, { force: true });
  }
}

function salvageFrom(path: string, db: Database): Salvaged {
  const old = openOld(path);
  if (old === undefined) return { conversations: 0, lost: 0 };
  try {
    let lost = 0;
    transact(db, () => {
      for (const table of TABLES) lost += copyTable(old, db, table);
      // Leases belong to turns that run in other windows. Losing them loses no data of the user.
      copyTable(old, db, 'lease');
      adoptOrphans(db);
    });
    const row = db.prepare('SELECT count(*) AS n FROM conversation').get();
    return { conversations: Number(row?.['n'] ?? 0), lost };
  } finally {
    old.close();
  }
}

function openOld(path: string): Database | undefined {
  const sqlite = findSqlite();
  if (sqlite === undefined) return undefined;
  try {
    return new sqlite.DatabaseSync(path, { readOnly: true });
  } catch {
    // Nothing is readable. The database is already set aside, and the user is told where it is.
    return undefined;
  }
}

function copyTable(old: Database, db: Database, table: string): number {
  const columns = readable(() => sharedColumns(old, db, table));
  if (columns === undefined) return 1;
  if (columns.length === 0) return 0;
  const names = columns.map(({ name }) => name).join(', ');
  const whole = columns.map(({ name, isText }) => (isText ? asBytes(name) : name)).join(', ');
  const put = db.prepare(
    `INSERT INTO ${table} (${names}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
  );
  // Reads without the indexes, which can be damaged even if the rows aren't.
  const read = old.prepare(
    `SELECT rowid AS row_number, ${whole} FROM ${table} NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT ?`,
  );
  let lost = 0;
  let from: number | undefined = 1;
  let limit = ROWS_AT_ONCE;
  while (from !== undefined) {
    const rows = readable(() => read.all(from ?? 1, limit));
    if (rows === undefined && limit > 1) {
      limit = 1;
    } else if (rows === undefined) {
      lost++;
      from = findReadable(from + 1, (row) => readable(() => read.all(row, 1)) !== undefined);
    } else {
      for (const row of rows) {
        if (!isPut(() => put.run(...columns.map((column) => valueIn(row, column))))) lost++;
      }
      const next = rows.reduce((most, row) => Math.max(most, Number(row['row_number']) + 1), 0);
      // Damaged pages can return rows before the requested one, again and again.
      const goesOn: boolean = next > from && Number.isSafeInteger(next);
      if (rows.length > 0 && !goesOn) lost++;
      from = goesOn ? next : undefined;
      limit = ROWS_AT_ONCE;
    }
  }
  return lost;
}

/** The number of rows to read at once. It is small enough for the memory, whatever the rows contain. */
const ROWS_AT_ONCE = 256;
/** How many row numbers behind a damaged row are searched for the next readable one. */
const LONGEST_GAP = 2 ** 31;

/** Rows of a damaged database; undefined when reading throws, which the caller counts as lost. */
function readable<Rows>(read: () => Rows): Rows | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const CONSTRAINT = 19;

/** Whether a row could be written. A damaged row can have values that violate the constraints of the table. */
function isPut(put: () => unknown): boolean {
  try {
    put();
    return true;
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
    if ((code & 0xff) === CONSTRAINT) return false;
    throw error;
  }
}

/** The first row number from which a table is readable again, found by an exponential and then a binary search. */
function findReadable(from: number, works: (row: number) => boolean): number | undefined {
  let step = 1;
  while (!works(from + step - 1)) {
    step *= 2;
    if (step > LONGEST_GAP) return undefined;
  }
  let bad = from + Math.floor(step / 2) - 2;
  let good = from + step - 1;
  while (good - bad > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (works(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

interface Column {
  readonly name: string;
  readonly isText: boolean;
}

function valueIn(row: Readonly<Record<string, SQLOutputValue>>, { name, isText }: Column): SQLOutputValue {
  return (isText ? toWholeText(row[name]) : row[name]) ?? null;
}

function sharedColumns(old: Database, db: Database, table: string): readonly Column[] {
  const columnsOf = (one: Database) =>
    one
      .prepare(`SELECT name, type FROM pragma_table_info('${table}')`)
      .all()
      .map((row): Column => ({ name: String(row['name']), isText: row['type'] === 'TEXT' }));
  const known = new Set(columnsOf(db).map(({ name }) => name));
  return columnsOf(old).filter(({ name }) => known.has(name));
}

/** Creates the missing exchanges and conversations of rows that have lost theirs, so that the user can find their text. */
function adoptOrphans(db: Database): void {
  db.exec(`
    INSERT INTO exchange (id, conversation_id, parent_id, position, shown, question)
      SELECT exchange_id, conversation_id, NULL, min(position), 0, '{}' FROM turn
      WHERE exchange_id NOT IN (SELECT id FROM exchange) GROUP BY exchange_id;
    INSERT INTO conversation (id, created_at, changed_at, title)
      SELECT conversation_id, 0, 0, coalesce((SELECT substr(text, 1, ${MAX_TITLE_LENGTH}) FROM passage
          WHERE passage.conversation_id = exchange.conversation_id ORDER BY passage.id LIMIT 1), '?') FROM exchange
      WHERE conversation_id NOT IN (SELECT id FROM conversation) GROUP BY conversation_id;
  `);
}
