/** A disk that is full, a database that is damaged, two windows on one database, and a process that is killed. */
import { spawn } from 'node:child_process';
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { History } from '../../../src/history/history.ts';
import { NO_TEXT } from '../answer.ts';
import { inFolder, MOMENTS } from './inFolder.ts';
import { damagedOpen } from './openDamage.ts';
import { canMount, mountSmallDisk, type SmallDisk } from './smallDisk.ts';
import {
  HALF_TEXT,
  isUnasked,
  judgeStored,
  openStoreWindow,
  playTurn,
  type StorePlayed,
  WHOLE_TEXT,
  withRule,
} from './turn.ts';

export interface StoreFault {
  readonly name: string;
  readonly cells: readonly string[];
  play(cell: string): Promise<StorePlayed>;
}

/** The writes to the database that a turn needs. */
const WRITES = ['putHeader', 'putExchange', 'append', 'finish', 'renew', 'release'] as const;

const diskFull: StoreFault = {
  name: 'disk-full-at',
  cells: WRITES,
  play: (cell) =>
    inFolder(async (folder) => {
      const disk = { full: true, tried: 0 };
      const full = (history: History): History => ({
        ...history,
        [cell](...args: never[]) {
          disk.tried++;
          if (disk.full) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
          return (history[cell as keyof History] as (...all: never[]) => unknown)(...args);
        },
      });
      const { store, troubles } = openStoreWindow(folder, { change: full });
      // Text is written twice a second.
      await playTurn(store, 'c1', (at) =>
        at === 4 ? new Promise((resolve) => setTimeout(resolve, 600)) : undefined,
      );
      disk.full = false;
      store.dispose();
      return withRule(
        judgeStored(folder, 'c1'),
        cell !== 'release' &&
          disk.tried > 0 &&
          troubles.length === 0 && { rule: 'told', says: 'nobody was told' },
      );
    }),
};

/** A real disk of half a megabyte. */
const SIZE_KB = 512;

async function onSmallDisk<Result>(body: (disk: SmallDisk) => Promise<Result>): Promise<Result> {
  return inFolder(async (folder) => {
    const disk = mountSmallDisk(join(folder, 'disk'), SIZE_KB);
    try {
      return await body(disk);
    } finally {
      disk.unmount();
    }
  });
}

const smallDisk: StoreFault = {
  name: 'disk-full',
  cells: Object.keys(MOMENTS),
  play: (cell) =>
    onSmallDisk(async ({ folder, fill, free }) => {
      const { store, troubles } = openStoreWindow(folder);
      await playTurn(store, 'c1', async (at) => {
        if (at !== MOMENTS[cell]) return;
        fill();
        await new Promise((resolve) => setTimeout(resolve, 600));
      });
      const held = store.get('c1')?.exchanges[0]?.attempts[0]?.answer === WHOLE_TEXT.answer;
      free();
      store.dispose();
      return withRule(
        judgeStored(folder, 'c1'),
        !held && { rule: 'lost', says: 'the window itself doesn’t have the text' },
        troubles.length === 0 && { rule: 'told', says: 'nobody was told' },
      );
    }),
};

type Damage = (path: string) => void | Promise<void>;

const overwritten =
  (at: (size: number) => number, length: number): Damage =>
  async (path) => {
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(length, 0x5a), 0, length, at(statSync(path).size));
    await file.close();
  };

const DAMAGES: Readonly<Record<string, Damage>> = {
  'cut in half': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  'cut in a page': (path) => truncateSync(path, statSync(path).size - 1000),
  'no database': overwritten(() => 0, 100),
  'its schema': overwritten(() => 100, 2000),
  'a page': overwritten((size) => Math.floor(size / 2 / 4096) * 4096, 4096),
  empty: (path) => truncateSync(path, 0),
  'a log of another database': (path) => writeFileSync(`${path}-wal`, Buffer.alloc(8192, 0x37)),
};

const damaged: StoreFault = {
  name: 'store-damaged-at-start',
  cells: Object.keys(DAMAGES),
  play: (cell) =>
    inFolder(async (folder) => {
      const before = openStoreWindow(folder);
      for (let n = 0; n < 20; n++) await playTurn(before.store, `old${n}`);
      before.store.dispose();
      const path = join(folder, 'conversations.db');
      const { size } = statSync(path);
      await DAMAGES[cell]?.(path);
      const { store, setAside } = openStoreWindow(folder);
      await playTurn(store, 'c1');
      store.dispose();
      const kept = readdirSync(folder).some((name) => name.startsWith('conversations-damaged-'));
      const reads = statSync(path).size >= size && setAside.length === 0;
      return withRule(
        judgeStored(folder, 'c1'),
        setAside.length > 0 && !kept && { rule: 'lost', says: 'the damaged database is gone' },
        setAside.length === 0 && !reads && cell !== 'empty' && { rule: 'told', says: 'nobody was told' },
      );
    }),
};

type Other = (there: ReturnType<typeof openStoreWindow>['store'], folder: string) => void;

/** Actions of another window while a turn runs in this one. */
const OTHERS: Readonly<Record<string, Other>> = {
  'asks in another conversation': (there) => void playTurn(there, 'c2'),
  renames: (there) => there.put({ ...(there.latest('c1') ?? fail()), title: 'Renamed', named: true }),
  'deletes and restores': (there) => {
    there.remove('c1');
    there.restore('c1');
  },
  'opens a third': (_, folder) => openStoreWindow(folder).store.dispose(),
  'types a draft': (there) => there.putDraft('c1', 'Half a thought'),
  'wants the conversation': (there) => {
    if (there.take('c1') === undefined) fail('two windows have the conversation');
  },
};

function fail(says = 'the other window has no conversation'): never {
  throw new Error(says);
}

const twoWindows: StoreFault = {
  name: 'another-window',
  cells: Object.keys(OTHERS).flatMap((other) => Object.keys(MOMENTS).map((moment) => `${other}, ${moment}`)),
  play: (cell) =>
    inFolder(async (folder) => {
      const [other = '', moment = ''] = cell.split(', ');
      const here = openStoreWindow(folder);
      const there = openStoreWindow(folder);
      await playTurn(here.store, 'c1', (at) => {
        if (at !== MOMENTS[moment]) return;
        there.store.get('c1');
        OTHERS[other]?.(there.store, folder);
        there.store.poll();
        here.store.poll();
      });
      here.store.dispose();
      there.store.dispose();
      const troubles = [...here.troubles, ...there.troubles];
      return withRule(
        judgeStored(folder, 'c1'),
        troubles.length > 0 && { rule: 'told', says: troubles.join(', ') },
      );
    }),
};

const SCRIPT = fileURLToPath(new URL('killedWindow.ts', import.meta.url));
/** The number of statements that a window runs for a turn, from its question to the record of its cost. */
const STATEMENTS = 41;

const killed: StoreFault = {
  name: 'killed-at-statement',
  cells: Array.from({ length: STATEMENTS }, (_, n) => String(n + 1)),
  play: (cell) =>
    inFolder(async (folder) => {
      openStoreWindow(folder).store.dispose();
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT, folder, cell], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.on('data', (part) => {
        said += part;
      });
      await new Promise((resolve) => child.once('close', resolve));
      if (child.signalCode !== 'SIGKILL') throw new Error(`the window ended by itself: ${said}`);
      if (!said.includes('asked') && isUnasked(folder, 'c1')) return NOTHING;
      // Reported writes must be there. Writes that the process could no longer report may be there.
      const interrupted = [NO_TEXT, HALF_TEXT, WHOLE_TEXT].map((text) => ({ outcome: 'interrupted', text }));
      const may = said.includes('ended') ? [] : interrupted.slice(said.includes('half') ? 1 : 0);
      const played = [...may, {}].map((expected) => judgeStored(folder, 'c1', expected));
      return played.find(({ violations }) => violations.length === 0) ?? (played[0] as StorePlayed);
    }),
};

const NOTHING: StorePlayed = { outcome: 'not asked', charactersLost: 0, accountMissing: 0, violations: [] };

export const STORE_FAULTS: readonly StoreFault[] = [
  diskFull,
  ...(canMount ? [smallDisk] : []),
  damaged,
  damagedOpen,
  twoWindows,
  killed,
];
