/** Damage by other programs to the files of the database while a window has it open and a turn runs. */
import { copyFileSync, renameSync, rmSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoreFault } from './disk.ts';
import { inFolder, MOMENTS } from './inFolder.ts';
import { judgeStored, openStoreWindow, playTurn, WHOLE_TEXT, withRule } from './turn.ts';

/** A time after which text has been written, in milliseconds. */
const UNTIL_WRITTEN_MS = 700;

type Damage = (path: string, folder: string) => void | Promise<void>;

const COMPANIONS = ['', '-wal', '-shm'];

async function overwrite(path: string, at: number, length: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(length, 0x5a), 0, length, at);
  await file.close();
}

const PAGE_BYTES = 4096;

/**
 * The page of a table or an index in the middle of the file, counted from 1. It isn't a page with the list of tables, because nothing
 * can be read from a database without this list (docs/faults.md).
 */
function middlePageOf(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const pages = database
    .prepare("SELECT pageno FROM dbstat WHERE name <> 'sqlite_schema' ORDER BY pageno")
    .all();
  database.close();
  return Number(pages[Math.floor(pages.length / 2)]?.['pageno']);
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  deleted: (path) => {
    for (const end of COMPANIONS) unlinkSync(path + end);
  },
  'its folder deleted': (_, folder) => rmSync(folder, { recursive: true }),
  'renamed by another window': (path) => {
    for (const end of COMPANIONS) renameSync(path + end, `${path}.aside${end}`);
  },
  'the file alone deleted': (path) => unlinkSync(path),
  'its log deleted': (path) => unlinkSync(`${path}-wal`),
  'replaced by a copy': (path) => {
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
  },
  'replaced by another file': (path) => {
    writeFileSync(`${path}.other`, 'no database');
    renameSync(`${path}.other`, path);
  },
  'cut in half': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  empty: (path) => truncateSync(path, 0),
  'no log': (path) => truncateSync(`${path}-wal`, 0),
  'its schema overwritten': (path) => overwrite(path, 100, 2000),
  'a page overwritten': (path) => overwrite(path, (middlePageOf(path) - 1) * PAGE_BYTES, PAGE_BYTES),
  'all overwritten': (path) => overwrite(path, 0, statSync(path).size),
};

export const damagedOpen: StoreFault = {
  name: 'store-damaged-open',
  cells: Object.keys(DAMAGES).flatMap((damage) =>
    Object.keys(MOMENTS).map((moment) => `${damage}, ${moment}`),
  ),
  play: (cell) =>
    inFolder(async (root) => {
      const folder = join(root, 'history');
      const cut = cell.lastIndexOf(', ');
      const [damage, moment] = [cell.slice(0, cut), cell.slice(cut + 2)];
      const before = openStoreWindow(folder);
      for (let n = 0; n < 20; n++) await playTurn(before.store, `old${n}`);
      before.store.dispose();
      const window = openStoreWindow(folder);
      await playTurn(window.store, 'c1', async (at) => {
        if (at !== MOMENTS[moment]) return;
        await new Promise((resolve) => setTimeout(resolve, UNTIL_WRITTEN_MS));
        // A window does this every second.
        window.store.poll();
        await DAMAGES[damage]?.(join(folder, 'conversations.db'), folder);
        await new Promise((resolve) => setTimeout(resolve, UNTIL_WRITTEN_MS));
        window.store.poll();
      });
      window.store.poll();
      const held = window.store.get('c1')?.exchanges[0]?.attempts[0]?.answer === WHOLE_TEXT.answer;
      window.store.dispose();
      return withRule(
        judgeStored(folder, 'c1'),
        !held && { rule: 'lost', says: 'the window itself doesn’t have the text' },
      );
    }),
};
