/** Kills a window that streams turns into a store, at a random moment, and looks at what is left. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Conversation } from '../../src/chat/turn.ts';
import { openHistory } from '../../src/history/history.ts';
import { createShelf } from '../../src/history/shelf.ts';

const SCRIPT = fileURLToPath(new URL('streamingWindow.ts', import.meta.url));
/** What may be lost of a stream, in milliseconds: the rest reached the disk before. */
const MAY_BE_LOST_MS = 1000;

/** Starts a window, kills it after up to `longestMs`, and returns the pieces it said had arrived, and when it died. */
export async function killWindow(
  folder: string,
  conversationId: string,
  longestMs: number,
): Promise<{ readonly arrived: readonly (readonly [number, number, number])[]; readonly died: number }> {
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
  const died = Date.now();
  child.kill('SIGKILL');
  const code = await closed;
  assert.equal(code, null, `the window ended by itself with ${code}`);
  const lines = output.split('\n').slice(0, -1);
  return { arrived: lines.map((line) => line.split(' ').map(Number) as [number, number, number]), died };
}

/** Holds what the store has of a killed window's conversation to what the window had received. */
export function checkStoredConversation(
  folder: string,
  conversationId: string,
  { arrived, died }: Awaited<ReturnType<typeof killWindow>>,
): void {
  const opened = openHistory({
    folder,
    place: 'after',
    onSetAside: ({ path }) => assert.fail(`set aside: ${path}`),
    onWrong: assert.fail,
  });
  assert.ok(opened.ok);
  const shelf = createShelf({
    history: opened.history,
    prices: () => ({ input: 3, cachedInput: 0.3, output: 15 }),
    onTrouble: (trouble) => assert.equal(trouble, undefined),
    onFailure: assert.fail,
  });
  const conversation = shelf.get(conversationId);
  assert.ok(conversation, 'the conversation is there');
  for (const [turn, piece, at] of arrived) {
    if (at > died - MAY_BE_LOST_MS) continue;
    assert.ok(
      textOf(conversation, turn).includes(`${turn}.${piece} `),
      `${turn}.${piece} of ${conversationId}`,
    );
  }
  for (const { attempts } of conversation.exchanges)
    assert.ok(attempts[0]?.outcome, 'every turn has an outcome');
  shelf.dispose();
}

function textOf(conversation: Conversation, turn: number): string {
  const found = conversation.exchanges[turn]?.attempts[0];
  return `${found?.reasoning ?? ''}${found?.answer ?? ''}`;
}
