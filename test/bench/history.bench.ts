/**
 * The cost of saved conversations in the real workbench, compared with none: from a click on the icon to a usable panel,
 * from a click on the Conversations view to its rows, opening a conversation, opening one with 1,000 messages, and searching.
 * 0, 100, 1,000, and 10,000 conversations alternately, each in a new workbench; medians of 3 (`RUNS`). `COUNTS=10000` measures
 * only this number.
 */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createTurn } from '../../src/conversation/fold.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { type History, openHistory } from '../../src/history/history.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';
import { FACTS } from '../unit/conversation/turns.ts';
import { report, writeFigures } from './figures.ts';

const RUNS = Number(process.env['RUNS'] ?? 3);
const COUNTS = (process.env['COUNTS'] ?? '0,100,1000,10000').split(',').map(Number);
/** Ten minutes between two conversations: 10,000 go back ten weeks. */
const AGE_MS = 600_000;
const SETTLED_MS = 5000;
const CLICK_PAUSE_MS = 500;
const LONG_EXCHANGES = 1000;
const LONG_TITLE = 'The long one';
/** How often a conversation is opened, and searched for, in each workbench. */
const REPEATS = 5;

const ANSWER = 'An answer with `code`, **words**, and a list:\n\n- one\n- two\n\n'.repeat(5);

function putConversation(history: History, id: string, title: string, at: number, exchanges: number): void {
  history.putHeader({
    id,
    createdAt: at,
    title,
    named: true,
    pinned: false,
    workspace: undefined,
    forkedFrom: undefined,
  });
  for (let n = 0; n < exchanges; n++) {
    const turn: Turn = {
      ...createTurn(`${id}-t${n}`, at, FACTS),
      reasoning: 'First I look at it.\n\nThen I answer.\n\n'.repeat(5),
      answer: `${ANSWER}The end of ${id}, message ${n}.`,
      outcome: 'complete',
      phase: 'ended',
    };
    const question = { text: `About heron${id} and number ${n}?`, images: [], origin: undefined };
    const exchange = { id: `${id}-e${n}`, question, attempts: [turn], shown: 0 };
    history.putExchange(id, { exchange, parent: n === 0 ? undefined : `${id}-e${n - 1}` }, undefined);
  }
}

/** Fills the history of a workbench that has not opened it yet. */
function fill(folder: string, count: number): void {
  const fail = () => {
    throw new Error('The history could not be written.');
  };
  const opened = openHistory({ folder, place: 'bench', onSetAside: fail, onWrong: fail });
  if (!opened.ok) throw new Error(opened.message);
  const { history } = opened;
  const now = Date.now();
  for (let n = 0; n < count; n++) putConversation(history, `c${n}`, `Conversation ${n}`, now - n * AGE_MS, 2);
  if (count > 0) putConversation(history, 'long', LONG_TITLE, now, LONG_EXCHANGES);
  history.close();
}

/** The duration of an action, in milliseconds. */
async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

async function usable(workbench: Workbench): Promise<void> {
  const chat = await workbench.chat();
  await chat.locator('.composer textarea:not([disabled])').waitFor();
}

type Samples = Map<string, number[]>;

async function measure(
  workbench: Workbench,
  count: number,
  put: (what: string, ms: number) => void,
): Promise<void> {
  const { page } = workbench;
  const icon = page.locator('.activitybar .action-label[aria-label^="K3"]');
  const pane = page.locator('.pane-header[aria-label^="Conversations"]');
  const rows = page.locator('.pane:has(.pane-header[aria-label^="Conversations"]) .monaco-list-row');
  await icon.waitFor();
  const click = async () => {
    await icon.click();
    await usable(workbench);
  };
  put('click → panel usable, first', await timed(click));
  // In the seconds after the first webview, the editor takes long to create another one.
  await page.waitForTimeout(SETTLED_MS);
  for (let n = 0; n < REPEATS; n++) {
    // After clicks within a few milliseconds, the editor shows the view from before the last click again.
    await page.waitForTimeout(CLICK_PAUSE_MS);
    await page.locator('.activitybar .action-label[aria-label^="Explorer"]').click();
    await page.waitForTimeout(CLICK_PAUSE_MS);
    put('click → panel usable, again', await timed(click));
  }
  if (count === 0) return;
  const expand = async () => {
    await pane.click();
    await rows.filter({ hasText: 'Conversation 0' }).waitFor();
  };
  put('list shown, first', await timed(expand));
  for (let n = 0; n < REPEATS; n++) {
    await pane.click();
    await rows.first().waitFor({ state: 'detached' });
    put('list shown, again', await timed(expand));
  }
  const chat = await workbench.chat();
  const opened = (title: string, words: string) => async () => {
    await rows.filter({ hasText: title }).first().click();
    await chat.locator('article', { hasText: words }).first().waitFor();
  };
  // Only the first rows are in view.
  for (let n = 1; n <= REPEATS; n++)
    put(
      'conversation opened',
      await timed(opened(`Conversation ${n % 3}`, `The end of c${n % 3}, message 1.`)),
    );
  for (let n = 0; n < REPEATS; n++) {
    put(
      '1,000 messages opened',
      await timed(opened(LONG_TITLE, `The end of long, message ${LONG_EXCHANGES - 1}.`)),
    );
    await opened('Conversation 1', 'The end of c1, message 1.')();
  }
  for (let n = 0; n < REPEATS; n++) {
    await workbench.runCommand('K3: Search Conversations…');
    await page.locator('.quick-input-title:has-text("Search Conversations")').waitFor();
    const found = page.locator('.quick-input-list .monaco-list-row', { hasText: `Conversation ${n + 7}` });
    const search = async () => {
      await page.keyboard.insertText(`heronc${n + 7} `);
      await found.first().waitFor();
    };
    put('searched', await timed(search));
    await page.keyboard.press('Escape');
  }
}

const samples = new Map<string, Samples>();
for (let run = 0; run < RUNS; run++)
  for (const count of COUNTS) {
    const workbench = await startWorkbench({
      everyFrame: true,
      env: { K3_API_KEY: 'bench' },
      searchForKey: false,
      settings: { 'k3.routes': { none: { kind: 'direct', baseUrl: 'http://127.0.0.1:9/v1' } } },
      height: 1000,
    });
    try {
      // The database is opened when the chat is.
      fill(join(workbench.globalStorage, 'history'), count);
      await measure(workbench, count, (what, ms) => {
        const of = samples.get(what) ?? new Map<string, number[]>();
        samples.set(what, of);
        const name = `${count.toLocaleString('en')} conversations`;
        of.set(name, [...(of.get(name) ?? []), ms]);
      });
    } finally {
      await workbench.dispose();
    }
  }
for (const [part, of] of samples) {
  const cases = [...of].map(([name, each]) => ({ name, samples: each }));
  report({ part, unit: 'ms', cases, floors: cases.slice(0, 1).map(({ name }) => name) });
}
writeFigures();
