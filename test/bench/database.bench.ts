/**
 * A conversation database after years of use: `CONVERSATIONS` (10,000) with `MEGABYTES` (1,000) of text. Measures
 * opening, listing, loading, searching, and memory, compared with an empty database, and the time until the text of an
 * older database is in the index for Chinese and Japanese. With `TEXT=chinese` the text is Chinese.
 */
import { statSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { createTurn } from '../../src/conversation/fold.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import type { History } from '../../src/history/history.ts';
import { FACTS } from '../unit/conversation/turns.ts';
import { openBenchHistory } from './openHistory.ts';

const CONVERSATIONS = Number(process.env['CONVERSATIONS'] ?? 10_000);
const MEGABYTES = Number(process.env['MEGABYTES'] ?? 1000);
const EXCHANGES = 5;
const PRICES = { input: 3, cachedInput: 0.3, output: 15 };

const isChinese = process.env['TEXT'] === 'chinese';
/** A word of two of the first 3,000 characters. */
const chinese = (i: number) => String.fromCharCode(0x4e00 + (i % 3000), 0x4e00 + ((i * 7919) % 3000));
// Word frequencies as in natural language: few words are frequent, most are rare.
const WORDS = Array.from({ length: 30_000 }, (_, i) => (isChinese ? chinese(i) : `w${i.toString(36)}x`));
let seed = 1;
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
}
const word = () => WORDS[Math.floor(WORDS.length * random() ** 3)] ?? '';
function text(characters: number): string {
  let out = '';
  while (out.length < characters) out += isChinese ? `${word()}${random() < 0.1 ? '，' : ''}` : `${word()} `;
  return out;
}

function fill(history: History): void {
  const size = (MEGABYTES * 1e6) / CONVERSATIONS / EXCHANGES;
  const now = Date.now();
  for (let c = 0; c < CONVERSATIONS; c++) {
    const id = `c${c}`;
    const at = now - c * 600_000;
    history.putHeader({
      id,
      createdAt: at,
      title: text(40),
      named: false,
      pinned: c % 500 === 0,
      workspace: 'project',
      forkedFrom: undefined,
    });
    for (let e = 0; e < EXCHANGES; e++) {
      const turn: Turn = {
        ...createTurn(`t${c}-${e}`, at, FACTS),
        reasoning: text(size * 0.6),
        answer: text(size * 0.35),
        outcome: 'complete',
        phase: 'ended',
        usage: {
          promptTokens: 1000,
          completionTokens: 500,
          totalTokens: 1500,
          reasoningTokens: 300,
          cachedTokens: 0,
        },
      };
      history.putExchange(
        id,
        {
          parent: e === 0 ? undefined : `e${c}-${e - 1}`,
          exchange: {
            id: `e${c}-${e}`,
            question: { text: text(size * 0.05), images: [], origin: undefined },
            attempts: [turn],
            shown: 0,
          },
        },
        PRICES,
      );
    }
  }
}

const quantile = (figures: readonly number[], share: number) =>
  figures.toSorted((a, b) => a - b)[Math.min(figures.length - 1, Math.floor(figures.length * share))] ??
  Number.NaN;
function times(count: number, body: (n: number) => unknown): readonly number[] {
  return Array.from({ length: count }, (_, n) => {
    const begun = performance.now();
    body(n);
    return performance.now() - begun;
  });
}
const memory = () => {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
};

interface Figures {
  readonly open: number;
  readonly list: number;
  readonly load: number;
  readonly search: readonly number[];
  readonly rss: number;
}

function measure(folder: string): Figures {
  const before = memory();
  const opening = performance.now();
  const history = openBenchHistory(folder);
  const opened = performance.now() - opening;
  const list = quantile(
    times(5, () => history.list()),
    0.5,
  );
  const load = quantile(
    times(20, (n) => history.load(`c${n * 37}`)),
    0.5,
  );
  const search = times(200, (n) => {
    // Queries as users type them: a rare word, a frequent one, two words, the start of one, a phrase.
    const queries = [
      WORDS[29_000 - n] ?? '',
      WORDS[n % 3] ?? '',
      `${WORDS[5]} ${WORDS[900 + n]}`,
      isChinese ? (WORDS[n] ?? '').slice(0, 1) : `w${(n % 36).toString(36)}`,
      `"${WORDS[1]} ${WORDS[2]}"`,
    ];
    history.search(queries[n % queries.length] ?? '', 50);
  });
  const kept = history.list();
  const rss = memory() - before;
  if (kept.length < 0) throw new Error('unreachable');
  history.close();
  return { open: opened, list, load, search, rss };
}

/** Removes the index, as in the database of an earlier version, and adds it again as a window does. */
function measureIndexing(folder: string): void {
  const db = new DatabaseSync(join(folder, 'conversations.db'));
  for (const trigger of ['added', 'changed', 'removed']) db.exec(`DROP TRIGGER passage_${trigger}_unspaced`);
  db.exec('DROP TABLE unspaced; DROP TABLE unindexed; VACUUM');
  db.close();
  const { size } = statSync(join(folder, 'conversations.db'));
  const begun = performance.now();
  const history = openBenchHistory(folder);
  const opened = performance.now() - begun;
  const steps = indexAll(history);
  const grown = statSync(join(folder, 'conversations.db')).size - size;
  const seconds = steps.reduce((sum, ms) => sum + ms, 0) / 1000;
  console.log(
    `index for Chinese: opened in ${opened.toFixed(0)} ms, then ${describeSteps(steps)}, ${seconds.toFixed(1)} s in all, ${(grown / 1e6).toFixed(0)} MB more on disk`,
  );
  const answer = Array.from({ length: LONG_TEXT / 10 }, () => `${text(9).slice(0, 9)}。`).join('');
  putLongText(history, answer);
  console.log(`a text of ${LONG_TEXT.toLocaleString('en')} characters: ${describeSteps(indexAll(history))}`);
  history.close();
}

const LONG_TEXT = 400_000;

function putLongText(history: History, answer: string): void {
  const turn: Turn = {
    ...createTurn('t-long', Date.now(), FACTS),
    answer,
    outcome: 'complete',
    phase: 'ended',
  };
  const question = { text: 'Why?', images: [], origin: undefined };
  const exchange = { id: 'e-long', question, attempts: [turn], shown: 0 };
  history.putExchange('c0', { parent: undefined, exchange }, PRICES);
}

/** The milliseconds of each step, in processor time, because a busy machine stops a process for longer than a step takes. */
function indexAll(history: History): readonly number[] {
  const steps: number[] = [];
  for (let more = true; more; ) {
    const before = process.threadCpuUsage();
    // As `backgroundIndexing.ts` does.
    more = history.mergeParts(15) || history.indexDue(15);
    const { user, system } = process.threadCpuUsage(before);
    steps.push((user + system) / 1000);
  }
  return steps;
}

const describeSteps = (steps: readonly number[]) =>
  `${steps.length} steps of at most ${Math.max(...steps).toFixed(0)} ms of processor time (p50 ${quantile(steps, 0.5).toFixed(0)} ms, p99 ${quantile(steps, 0.99).toFixed(0)} ms)`;

const folder = await mkdtemp(join(tmpdir(), 'k3-store-'));
try {
  const empty = measure(join(folder, 'empty'));
  const full = join(folder, 'full');
  const history = openBenchHistory(full);
  const begun = performance.now();
  fill(history);
  history.close();
  const took = (performance.now() - begun) / 1000;
  const { size } = await stat(join(full, 'conversations.db'));
  console.log(
    `${CONVERSATIONS} conversations, ${MEGABYTES} MB of text: ${(size / 1e6).toFixed(0)} MB on disk, filled in ${took.toFixed(0)} s`,
  );
  measureIndexing(full);
  const figures = measure(full);
  const row = (what: string, one: number, other: number, unit: string) =>
    console.log(
      `${what.padEnd(30)} ${one.toFixed(1).padStart(8)} ${unit}   empty: ${other.toFixed(1)} ${unit}`,
    );
  row('open the store', figures.open, empty.open, 'ms');
  row('list for the view', figures.list, empty.list, 'ms');
  row('load a conversation, median', figures.load, empty.load, 'ms');
  row('search, median', quantile(figures.search, 0.5), quantile(empty.search, 0.5), 'ms');
  row('search, p95', quantile(figures.search, 0.95), quantile(empty.search, 0.95), 'ms');
  row('memory kept', figures.rss, empty.rss, 'MB');
} finally {
  await rm(folder, { recursive: true });
}
