/** A conversation of 10,000 messages, in a real workbench. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { createTurn } from '../../src/chat/fold.ts';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { openHistory } from '../../src/history/history.ts';
import { CANARY } from '../support/canary.ts';
import { askQuestion, newConversation, outcomeOf } from '../support/chatDriver.ts';
import { eventually } from '../support/eventually.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

const EXCHANGES = 5000;

let emulator: Emulator;
let workbench: Workbench;
let chat: Frame;

before(async () => {
  emulator = await startEmulator({ port: 0, route: 'direct', key: CANARY, tokensPerSecond: 2000 });
  workbench = await startWorkbench({
    env: { K3_API_KEY: CANARY },
    settings: { 'k3.routes': { plain: { kind: 'direct', baseUrl: emulator.url } }, 'k3.route': 'plain' },
  });
  fill(join(workbench.globalStorage, 'history'));
  await workbench.runCommand('K3: Focus on Conversations View');
  await workbench.page.locator('.monaco-list-row', { hasText: 'The long one' }).click();
  chat = await workbench.chat();
  await chat.locator('article').first().waitFor();
});

after(async () => {
  await workbench?.dispose();
  await emulator?.close();
});

function fill(folder: string): void {
  const opened = openHistory({ folder, place: 'test', onSetAside: () => undefined, onWrong: assert.fail });
  assert.ok(opened.ok);
  const { history } = opened;
  history.putHeader({
    id: 'long',
    createdAt: Date.now(),
    title: 'The long one',
    named: true,
    pinned: false,
    workspace: undefined,
    forkedFrom: undefined,
  });
  for (let n = 0; n < EXCHANGES; n++) {
    const begun = createTurn(`t${n}`, Date.now(), {
      routeName: 'plain',
      routeKind: 'direct',
      model: 'svc-k3',
      maxCompletionTokens: undefined,
      clampedFrom: undefined,
      effort: undefined,
      prompt: undefined,
      prefix: [],
    });
    const turn = {
      ...begun,
      answer: `Answer **${n}** with \`code\`.\n\n- one\n- two${n === 40 ? '\n\nHere hides the kingfisher.' : ''}`,
      outcome: 'complete',
      phase: 'ended',
      finishReason: 'stop',
    } as const;
    const question = { text: `Question ${n}`, images: [], origin: undefined };
    const parent = n === 0 ? undefined : `e${n - 1}`;
    const exchange = { id: `e${n}`, question, attempts: [turn], shown: 0 };
    history.putExchange('long', { exchange, parent }, undefined);
  }
  history.close();
}

describe('A conversation of 10,000 messages', () => {
  it('shows its end, and earlier messages on request', async () => {
    await chat.locator('article.you', { hasText: `Question ${EXCHANGES - 1}` }).waitFor();
    const shown = await chat.locator('article').count();
    assert.ok(shown <= 100, `${shown} messages were built at once`);
    await chat.getByRole('button', { name: /Show earlier messages/ }).click();
    await chat
      .locator('article')
      .nth(shown + 10)
      .waitFor({ state: 'attached' });
  });

  it('finds a word at its start and scrolls to it', async () => {
    await chat.getByRole('textbox', { name: 'Message' }).click();
    await workbench.page.keyboard.press('Control+f');
    const bar = chat.getByRole('search', { name: 'Find in conversation' });
    await bar.getByRole('textbox', { name: 'Find' }).fill('kingfisher');
    await bar.getByText('1 of 1').waitFor();
    const answer = chat.locator('article.k3', { hasText: 'Here hides the kingfisher' });
    await answer.waitFor({ state: 'visible', timeout: 60_000 });
    await eventually(async () => {
      const marked = await chat.evaluate<string>(
        `[...(CSS.highlights.get('found-current') ?? [])].map((range) => range.toString()).join()`,
      );
      assert.equal(marked, 'kingfisher');
    });
    await workbench.screenshot('find');
    await bar.getByRole('textbox', { name: 'Find' }).press('Escape');
    await bar.waitFor({ state: 'detached' });
  });

  it('answers a question at its end', async () => {
    chat = await newConversation(workbench);
    assert.equal(await outcomeOf(await askQuestion(chat, 'A short one between')), 'complete');
  });
});
