/** Kills a process that streams turns into the conversation database, at a random moment, and checks what was saved. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Conversation } from '../../src/conversation/conversation.ts';
import { createConversationStore } from '../../src/history/conversationStore.ts';
import { openHistory } from '../../src/history/history.ts';

const SCRIPT = fileURLToPath(new URL('streamingWindow.ts', import.meta.url));
/** The time before the kill whose pieces may be lost; earlier pieces must be on the disk. In milliseconds. */
const MAY_BE_LOST_MS = 1000;
/**
 * A longer pause between two pieces counts as this time, in milliseconds. During a longer pause, the process didn't run or waited for the
 * database, and could not write. The window sends at most one piece each 4 ms.
 */
const LONGEST_PAUSE_MS = 20;

/** A piece that has arrived: the number of its turn, its own, and the time. */
type Arrived = readonly [turn: number, piece: number, at: number];

/** Starts the process and kills it after at most `longestMs`. Returns the pieces that it reported as received. */
export async function killWindow(
  folder: string,
  conversationId: string,
  longestMs: number,
): Promise<readonly Arrived[]> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', SCRIPT, folder, conversationId],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await new Promise((resolve) => setTimeout(resolve, Math.random() * longestMs));
  child.kill('SIGKILL');
  const code = await closed;
  assert.equal(code, null, `the window ended by itself with ${code}`);
  const lines = output.split('\n').slice(0, -1);
  return lines.map((line) => line.split(' ').map(Number) as [number, number, number]);
}

/** Compares the saved conversation of a killed process with what the process had received. */
export function checkStoredConversation(
  folder: string,
  conversationId: string,
  arrived: readonly Arrived[],
): void {
  const opened = openHistory({
    folder,
    place: 'after',
    onSetAside: ({ path }) => assert.fail(`set aside: ${path}`),
    onWrong: assert.fail,
  });
  assert.ok(opened.ok);
  const store = createConversationStore({
    history: opened.history,
    prices: () => ({ input: 3, cachedInput: 0.3, output: 15 }),
    onTrouble: (trouble) => assert.equal(trouble, undefined),
    onFailure: assert.fail,
  });
  const conversation = store.get(conversationId);
  assert.ok(conversation, 'the conversation is there');
  for (const [turn, piece] of arrived.slice(0, countBeforeLast(arrived, MAY_BE_LOST_MS))) {
    assert.ok(
      textOf(conversation, turn).includes(`${turn}.${piece} `),
      `${turn}.${piece} of ${conversationId}`,
    );
  }
  for (const { attempts } of conversation.exchanges)
    assert.ok(attempts[0]?.outcome, 'every turn has an outcome');
  store.dispose();
}

/** The number of pieces that had arrived at this time before the last one. */
function countBeforeLast(arrived: readonly Arrived[], ms: number): number {
  let passed = 0;
  for (let at = arrived.length - 1; at > 0; at--) {
    passed += Math.min(LONGEST_PAUSE_MS, (arrived[at]?.[2] ?? 0) - (arrived[at - 1]?.[2] ?? 0));
    if (passed > ms) return at;
  }
  return 0;
}

function textOf(conversation: Conversation, turn: number): string {
  const found = conversation.exchanges[turn]?.attempts[0];
  return `${found?.reasoning ?? ''}${found?.answer ?? ''}`;
}
