/**
 * Kills processes that stream turns into one conversation database, at random moments, `KILLS` times (1,000). Exits
 * with 1 at the first loss.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHistory } from '../../src/history/history.ts';
import { checkStoredConversation, killWindow } from '../support/killWindow.ts';

const KILLS = Number(process.env['KILLS'] ?? 1000);
const AT_ONCE = 8;
const LONGEST_MS = 2500;

const folder = await mkdtemp(join(tmpdir(), 'k3-kill-'));
let done = 0;
let pieces = 0;
async function worker(): Promise<void> {
  for (let n = done++; n < KILLS; n = done++) {
    const killed = await killWindow(folder, `c${n}`, LONGEST_MS);
    pieces += killed.length;
    checkStoredConversation(folder, `c${n}`, killed);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, worker));
const opened = openHistory({
  folder,
  place: 'bench',
  onSetAside: ({ path }) => console.log(`set aside: ${path}`),
  onWrong: (what) => console.log(`wrong: ${what}`),
});
if (!opened.ok) throw new Error(opened.message);
const listed = opened.history.list().length;
opened.history.close();
const { size } = await stat(join(folder, 'conversations.db'));
console.log(`${KILLS} windows killed, ${AT_ONCE} at once, after ${pieces} pieces of text`);
console.log(
  `conversations there ${listed}, store ${(size / 1e6).toFixed(1)} MB, nothing lost that was older than a second`,
);
if (listed !== KILLS) process.exitCode = 1;
await rm(folder, { recursive: true });
