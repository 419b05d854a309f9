/** Runs rows, several at once, and sums up their results. */
import { createAuthority } from '../unit/service/authority.ts';
import { watchClientSockets } from './clientSockets.ts';
import { nameOf, type Row } from './fault.ts';
import { charactersLost, judgeEnd, judgeStop, type Violation } from './judge.ts';
import { setUpNames } from './names.ts';
import { watchOwnTime } from './ownTime.ts';
import { type PlayDeps, playTurn } from './play.ts';
import type { StoreFault } from './store/disk.ts';
import { trust } from './transports.ts';
import { openWindow } from './window.ts';

/** The place of a fault. For a disk fault, the phase is its cell, and there is no route and no transport. */
export type Named = Parameters<typeof nameOf>[0];

export interface RowResult {
  readonly row: Named;
  readonly outcome: string;
  readonly failure: string | undefined;
  readonly told: string;
  /** Milliseconds from the fault to the end of the turn, and from the stop to its end. */
  readonly lasted: number;
  readonly stopped: number;
  readonly charactersLost: number;
  readonly sentTwice: number;
  readonly notEnded: number;
  readonly accountMissing: number;
  readonly starved: boolean;
  readonly violations: readonly Violation[];
}

export interface RunOptions {
  readonly atOnce?: number;
  /** How often a row runs if it is only too slow, or had to wait for a processor. */
  readonly tries?: number;
  readonly breakTransport?: PlayDeps['breakTransport'];
  /** The window doesn't record the end of a turn. */
  readonly forgetsEnds?: boolean;
  onRow?(result: RowResult): void;
}

/** The number of rows that run at the same time. They wait most of the time. */
const AT_ONCE = 12;
const TRIES_IF_SLOW = 3;

/** The number of disk faults that run at the same time; some of them start a process. */
const STORES_AT_ONCE = 3;

const BY_TIME = new Set(['late', 'stop']);

export async function runRows(rows: readonly Row[], options: RunOptions = {}): Promise<readonly RowResult[]> {
  const authority = await createAuthority();
  const window = openWindow(options.forgetsEnds === true);
  setUpNames();
  const distrust = trust(authority);
  const unwatch = watchClientSockets();
  const endOwnTime = watchOwnTime();
  const deps: PlayDeps = { window, authority, breakTransport: options.breakTransport };
  const results: RowResult[] = [];
  const work = async (waiting: Iterable<Row>) => {
    for (const row of waiting) {
      const result = await playRow(row, deps, options.tries ?? TRIES_IF_SLOW);
      results.push(result);
      options.onRow?.(result);
    }
  };
  try {
    const waiting = rows.filter(({ fault }) => fault.alone !== true).values();
    await Promise.all(Array.from({ length: options.atOnce ?? AT_ONCE }, () => work(waiting)));
    await work(rows.filter(({ fault }) => fault.alone));
  } finally {
    window.close();
    distrust();
    unwatch();
    endOwnTime();
    authority.remove();
  }
  return results.sort((a, b) => rows.indexOf(a.row as Row) - rows.indexOf(b.row as Row));
}

async function playRow(row: Row, deps: PlayDeps, tries: number): Promise<RowResult> {
  let result = await playOnce(row, deps);
  const again = () => isOnlySlow(result) || (result.starved && result.violations.length > 0);
  for (let tried = 1; tried < tries && again(); tried++) result = await playOnce(row, deps);
  return result;
}

const isOnlySlow = ({ violations }: RowResult) =>
  violations.length > 0 && violations.every(({ rule }) => BY_TIME.has(rule));

async function playOnce(row: Row, deps: PlayDeps): Promise<RowResult> {
  try {
    const end = await playTurn(row, false, deps);
    const stop = await playTurn(row, true, deps);
    const both = [end, stop];
    return {
      row,
      outcome: end.turn?.outcome ?? 'running',
      failure: end.turn?.failure?.kind,
      told: end.told.map(({ text }) => text.split('\n')[0]).join(' · '),
      lasted: Math.round(end.lasted),
      stopped: Math.round(stop.lasted),
      charactersLost: charactersLost(end),
      sentTwice: both.reduce((sum, { ledger }) => sum + ledger.late, 0),
      notEnded: both.filter(({ ends }) => ends === 0).length,
      accountMissing: both.filter(({ account }) => account.length === 0).length,
      starved: both.some(({ starved }) => starved),
      violations: [
        ...judgeEnd(row, end),
        ...judgeStop(row, stop).map((one) => ({ ...one, says: `when stopped: ${one.says}` })),
      ],
    };
  } catch (error) {
    return broken(row, error);
  }
}

/** Runs the faults of the disk, a few at a time. */
export async function runStoreFaults(faults: readonly StoreFault[]): Promise<readonly RowResult[]> {
  const cells = faults.flatMap((fault) => fault.cells.map((cell) => ({ fault, cell })));
  const results: RowResult[] = [];
  const waiting = cells.entries();
  const work = async () => {
    for (const [at, { fault, cell }] of waiting) {
      const row: Named = { fault, phase: cell, route: '-', transport: '-' };
      try {
        const played = await fault.play(cell);
        const running = played.outcome === 'running' ? 1 : 0;
        results[at] = { ...broken(row, undefined), ...played, notEnded: running };
      } catch (error) {
        results[at] = broken(row, error);
      }
    }
  };
  await Promise.all(Array.from({ length: STORES_AT_ONCE }, work));
  return results;
}

/** The client, or the harness, threw. */
const broken = (row: Named, error: unknown): RowResult => ({
  row,
  outcome: 'broken',
  failure: undefined,
  told: '',
  lasted: 0,
  stopped: 0,
  charactersLost: 0,
  sentTwice: 0,
  notEnded: 1,
  accountMissing: 0,
  starved: false,
  violations: [
    { rule: 'not ended', says: error instanceof Error ? (error.stack ?? error.message) : String(error) },
  ],
});

export interface Totals {
  readonly rows: number;
  readonly survived: number;
  readonly charactersLost: number;
  readonly sentTwice: number;
  readonly notEnded: number;
  readonly accountMissing: number;
}

export const toTotals = (results: readonly RowResult[]): Totals => {
  const sum = (of: (result: RowResult) => number) => results.reduce((total, result) => total + of(result), 0);
  return {
    rows: results.length,
    survived: sum(({ violations }) => (violations.length === 0 ? 1 : 0)),
    charactersLost: sum((result) => result.charactersLost),
    sentTwice: sum((result) => result.sentTwice),
    notEnded: sum((result) => result.notEnded),
    accountMissing: sum((result) => result.accountMissing),
  };
};

/** Rows as plain data, for a file. */
export const toPlain = ({ row, ...result }: RowResult) => {
  const { phase, route, transport, fault } = row;
  return { fault: fault.name, phase, route, transport, ...result };
};

export { nameOf };
