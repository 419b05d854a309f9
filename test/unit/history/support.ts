/** Databases in temporary folders, and conversations to store in them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach } from 'mocha';
import type { Conversation, Exchange } from '../../../src/conversation/conversation.ts';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { type ConversationStore, createConversationStore } from '../../../src/history/conversationStore.ts';
import type { SetAsideReport } from '../../../src/history/database.ts';
import { type History, openHistory } from '../../../src/history/history.ts';
import type { StorageTrouble } from '../../../src/history/sqlite.ts';
import { answer, FACTS, reasoning } from '../conversation/turns.ts';

export const PRICES = { input: 3, cachedInput: 0.3, output: 15 };

const opened: History[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const history of opened.splice(0)) {
    try {
      history.close();
    } catch {
      // The test has closed it.
    }
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'k3-history-'));
  folders.push(folder);
  return folder;
}

/**
 * Makes folders with a database that is filled once and then copied: filling one costs more than most tests do.
 *
 * @param fill what each database has
 * @returns a function that makes the next folder, or a folder of this name in one
 */
export function createFilled(fill: (history: History) => void): (name?: string) => Promise<string> {
  let filled: string | undefined;
  after(() => filled !== undefined && rmSync(filled, { recursive: true, force: true }));
  return async (name = '') => {
    if (filled === undefined) {
      filled = mkdtempSync(join(tmpdir(), 'k3-history-'));
      const history = open(filled);
      fill(history);
      history.close();
    }
    const folder = join(await makeFolder(), name);
    await cp(filled, folder, { recursive: true });
    return folder;
  };
}

export function open(
  folder: string,
  reports: SetAsideReport[] = [],
  place = 'a window',
  onWrong: (what: string) => void = assert.fail,
  isAlive?: () => boolean,
): History {
  const result = openHistory({
    folder,
    place,
    onSetAside: (report) => reports.push(report),
    onWrong,
    ...(isAlive && { isAlive }),
  });
  if (!result.ok) throw new Error(`${result.why}: ${result.message}`);
  opened.push(result.history);
  return result.history;
}

export function exchange(id: string, text: string, attempts: readonly Turn[], shown = 0): Exchange {
  return { id, question: { text, images: [], origin: undefined }, attempts, shown };
}

export function conversation(
  id: string,
  exchanges: readonly Exchange[],
  more: Partial<Conversation> = {},
): Conversation {
  return {
    id,
    createdAt: 1000,
    title: `Title of ${id}`,
    named: false,
    pinned: false,
    workspace: undefined,
    forkedFrom: undefined,
    exchanges,
    branches: [],
    ...more,
  };
}

/** A store whose troubles are collected, and in which nothing may fail unless the test expects it. */
export function storeOn(
  history: History | undefined,
  troubles: (StorageTrouble | undefined)[] = [],
  onFailure: (what: string, error: unknown) => void = assert.fail,
): ConversationStore {
  return createConversationStore({
    history,
    prices: () => PRICES,
    onTrouble: (trouble) => troubles.push(trouble),
    onFailure,
  });
}

/** The stores of two windows on one database, in a new folder. */
export async function openTwoWindows(): Promise<{
  readonly folder: string;
  readonly here: ConversationStore;
  readonly there: ConversationStore;
}> {
  const folder = await makeFolder();
  return { folder, here: storeOn(open(folder)), there: storeOn(open(folder)) };
}

/** A turn that runs and has said some of its answer. */
export const halfTurn = (): Turn =>
  [reasoning('Thinking.'), answer('Half an ans')].reduce<Turn>(
    (turn, event, i) => foldTurn(turn, { at: i + 1, event }),
    createTurn('t1', 1000, FACTS),
  );

/** The conversation `c1` with one exchange, `e1`, that has one turn. */
export const withTurn = (turn: Turn): Conversation => conversation('c1', [exchange('e1', 'Why?', [turn])]);

/**
 * A database on a disk that is full at first. The named writes fail until `full` is false, with the result code of SQLite for a full
 * disk or the one that is set.
 */
export function onFullDisk(real: History, ...writes: readonly (keyof History)[]) {
  const disk = { full: true, errcode: 13 };
  const limited = writes.map((name) => [
    name,
    (...args: unknown[]) => {
      if (disk.full) throw Object.assign(new Error('full'), { errcode: disk.errcode });
      return (real[name] as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.assign(disk, { history: { ...real, ...Object.fromEntries(limited) } as History });
}
