/**
 * A long run: does anything grow without end? A million tokens through the page of the chat, in 40 conversations; and, in
 * the extension host of a real editor, a hundred conversations that are asked, opened in a tab and closed, and a thousand
 * tool calls (`test/editor/soak.test.ts`). Exits with 1 if heap, DOM nodes, listeners, or file handles still grow in the
 * second half. `SOAK=page` or `SOAK=host` runs one part.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CDPSession } from 'playwright-core';
import { openBrowser, openChatPage } from '../support/chatPage.ts';
import { describeLevels, levelsOff, toLevels } from '../support/levels.ts';
import { exchangeView, snapshotOf, turnView } from '../support/views.ts';
import { makeAnswer } from './answerText.ts';

const TOKENS = 1_000_000;
/** About what the service counts for English text and code. */
const CHARACTERS_A_TOKEN = 4;
const CONVERSATIONS = 40;
const TURNS = 4;
const CHARACTERS_A_MESSAGE = 2048;
const root = fileURLToPath(new URL('../..', import.meta.url));

const LENGTH = (TOKENS * CHARACTERS_A_TOKEN) / CONVERSATIONS / TURNS;
const ANSWER = makeAnswer(LENGTH).slice(0, LENGTH);

/** Figures after a garbage collection. */
async function sample(cdp: CDPSession): Promise<Readonly<Record<string, number>>> {
  for (let i = 0; i < 2; i++) await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  return {
    'heap, MB': of('JSHeapUsedSize') / 1024 / 1024,
    'DOM nodes': of('Nodes'),
    'event listeners': of('JSEventListeners'),
    'layout objects': of('LayoutObjects'),
  };
}

async function soakPage(): Promise<boolean> {
  const browser = await openBrowser();
  try {
    const { page, send, posted } = await openChatPage(browser);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    const samples = [];
    for (let n = 1; n <= CONVERSATIONS; n++) {
      const conversation = { conversationId: `c${n}` };
      await send(snapshotOf([], conversation));
      for (let k = 0; k < TURNS; k++) {
        const id = `${n}-${k}`;
        const running = turnView('running');
        const whole = exchangeView(`e${id}`, `Question ${id}`, '', running);
        await send({ type: 'exchange', exchange: whole });
        for (let at = 0; at < ANSWER.length; at += 10 * CHARACTERS_A_MESSAGE) {
          const batch = ANSWER.slice(at, at + 10 * CHARACTERS_A_MESSAGE);
          const parts = batch.match(new RegExp(`[^]{1,${CHARACTERS_A_MESSAGE}}`, 'g')) ?? [];
          await send(
            ...parts.map((answer) => ({ type: 'text' as const, turnId: `t${id}`, reasoning: '', answer })),
          );
        }
        await send({ type: 'turn', turn: { ...turnView('complete'), id: `t${id}` } });
      }
      const shown = await page.locator('[data-part="answer"]').last().innerText();
      if (shown.length < LENGTH / 2)
        throw new Error(`the page shows ${shown.length} characters of ${LENGTH}`);
      // The page in the test keeps what it sends.
      await posted();
      if (n % (CONVERSATIONS / 4) !== 0) continue;
      await send(snapshotOf([], { conversationId: `empty-${n}` }));
      samples.push(await sample(cdp));
    }
    const levels = toLevels(samples, (name) => (name.startsWith('heap') ? 1.05 : 1));
    console.log(
      describeLevels(`Page, ${TOKENS.toLocaleString('en')} tokens, ${CONVERSATIONS} conversations`, levels),
    );
    return levels.every(levelsOff);
  } finally {
    await browser.close();
  }
}

/** Runs in an editor of its own, which prints its figures. */
function soakHost(): boolean {
  const { status } = spawnSync(process.execPath, ['scripts/testEditor.mjs', '--grep', 'A long run'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, K3_TEST_SOAK: '1' },
  });
  return status === 0;
}

const part = process.env['SOAK'];
if (part !== 'host' && !(await soakPage())) process.exitCode = 1;
if (part !== 'page' && !soakHost()) process.exitCode = 1;
