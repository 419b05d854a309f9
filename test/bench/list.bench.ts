/**
 * The list of conversations after a change: `CONVERSATIONS` (10,000) in a database, one of which this or another window
 * changes. It is compared with reading the whole list each time, as in a database without triggers that note changes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import type { History } from '../../src/history/history.ts';
import { createListedRows } from '../../src/history/listedRows.ts';
import { transact } from '../../src/history/sqlite.ts';
import { completeTurn } from '../unit/conversation/turns.ts';
import { RUNS, report, writeFigures } from './figures.ts';
import { openBenchHistory } from './openHistory.ts';

const PRICES = { input: 3, cachedInput: 0.3, output: 15 };
const CONVERSATIONS = Number(process.env['CONVERSATIONS'] ?? 10_000);

function fill(history: History): void {
  const now = Date.now();
  for (let n = 0; n < CONVERSATIONS; n++) {
    const at = now - n * 600_000;
    history.putHeader({
      id: `c${n}`,
      createdAt: at,
      title: `Title ${n}`,
      named: false,
      pinned: n % 500 === 0,
      workspace: 'project',
      forkedFrom: undefined,
    });
    const question = { text: 'Why?', images: [], origin: undefined };
    const attempts = [{ ...completeTurn(), id: `t${n}`, startedAt: at }];
    history.putExchange(
      `c${n}`,
      { parent: undefined, exchange: { id: `e${n}`, question, attempts, shown: 0 } },
      PRICES,
    );
  }
}

const timeOf = (body: () => readonly unknown[]): number => {
  const begun = performance.now();
  const { length } = body();
  const ms = performance.now() - begun;
  if (length < CONVERSATIONS - 1) throw new Error(`${length} conversations are listed`);
  return ms;
};

const folder = await mkdtemp(join(tmpdir(), 'k3-list-'));
try {
  const here = openBenchHistory(folder);
  const there = openBenchHistory(folder);
  fill(here);
  const path = join(folder, 'whole.db');
  const database = new DatabaseSync(join(folder, 'conversations.db'));
  database.exec(`VACUUM INTO '${path}'`);
  database.close();
  const unnoted = new DatabaseSync(path);
  transact(unnoted, () => {
    for (const { name } of unnoted
      .prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'listed_%' AND type = 'trigger'")
      .all())
      unnoted.exec(`DROP TRIGGER ${String(name)}`);
  });
  const whole = createListedRows(unnoted, () => process.exit(3));
  here.list();
  const samples = {
    whole: [] as number[],
    here: [] as number[],
    there: [] as number[],
    nothing: [] as number[],
  };
  for (let run = 0; run < RUNS * 4; run++) {
    const id = `c${(run * 397) % CONVERSATIONS}`;
    unnoted.prepare('UPDATE conversation SET title = ? WHERE id = ?').run(`Title ${run}`, id);
    samples.whole.push(timeOf(whole.list));
    here.rename(id, `Title ${run}`);
    samples.here.push(timeOf(here.list));
    there.rename(id, `Another title ${run}`);
    samples.there.push(timeOf(here.list));
    samples.nothing.push(timeOf(here.list));
  }
  report({
    part: `${CONVERSATIONS} conversations`,
    unit: 'ms',
    floors: ['the whole list, as before'],
    cases: [
      { name: 'the whole list, as before', samples: samples.whole },
      { name: 'after a change of this window', samples: samples.here },
      { name: 'after a change of another window', samples: samples.there },
      { name: 'after no change', samples: samples.nothing },
    ],
  });
  writeFigures();
  unnoted.close();
  here.close();
  there.close();
} finally {
  await rm(folder, { recursive: true });
}
