/** K3 in the editor's own chat, in a real workbench: the language model and @k3. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { after, afterEach, before, describe, it } from 'mocha';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { CANARY } from '../support/canary.ts';
import { focusChat } from '../support/chatDriver.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

let emulator: Emulator;
let workbench: Workbench;

before(async () => {
  emulator = await startEmulator({ port: 0, route: 'direct', key: CANARY, tokensPerSecond: 2000 });
  workbench = await startWorkbench({
    env: { K3_API_KEY: CANARY },
    width: 1600,
    extensions: [fileURLToPath(new URL('../fixtures/otherChat', import.meta.url))],
    settings: {
      'chat.disableAIFeatures': false,
      'k3.routes': { plain: { kind: 'direct', baseUrl: emulator.url } },
      'k3.route': 'plain',
    },
  });
});

after(async () => {
  await workbench?.dispose();
  await emulator?.close();
});

afterEach(async function () {
  if (this.currentTest?.state === 'failed') await workbench.screenshot('other-chats-failed');
});

const editorChat = () => workbench.page.locator('.part.auxiliarybar');

const shown = (text: string) =>
  workbench.page.locator('.editor-group-container.active .view-line', { hasText: text }).first().waitFor();

/** Asks in the editor's chat, and waits for the answer and its button. */
async function ask(question: string): Promise<void> {
  const { page } = workbench;
  await page.keyboard.type(question);
  const words = question.replace('@k3 ', '');
  const asked = editorChat().locator('.interactive-request', { hasText: words });
  // The list of participants takes the Enter key, and may open late.
  for (let tries = 1; tries <= 5 && (await asked.count()) === 0; tries++) {
    await page.waitForTimeout(500 * tries);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await asked
      .first()
      .waitFor({ timeout: 3000 })
      .catch(() => undefined);
  }
  await editorChat().getByText(`You asked: “${words}”`).waitFor({ timeout: 30_000 });
  await editorChat().getByRole('button', { name: 'Open in K3' }).last().waitFor();
}

describe('The editor’s chat', () => {
  it('offers svc-k3 as a model after K3 was opened once', async () => {
    await focusChat(workbench);
    await workbench.runCommand('Chat: Open Chat');
    await editorChat().getByText('svc-k3', { exact: true }).first().waitFor({ timeout: 60_000 });
    await workbench.screenshot('other-chats-model');
  });

  it('answers @k3, and opens the same conversation in K3, where the next question is added too', async () => {
    await editorChat().locator('.interactive-input-part .monaco-editor').first().click();
    await ask('@k3 What is a monad?');
    await ask('And why?');
    await workbench.screenshot('other-chats-participant');
    await editorChat().getByRole('button', { name: 'Open in K3' }).last().click();
    const chat = await workbench.chat();
    const log = chat.getByRole('log', { name: 'Conversation' });
    await log.getByText('And why?').first().waitFor();
    await log.locator('article[data-outcome="complete"]').nth(1).waitFor();
    assert.equal(await log.locator('article[data-outcome]').count(), 2);
    await workbench.screenshot('other-chats-conversation');
  });
});

describe('The tool that lets other chats ask svc-k3', () => {
  const question = () => workbench.page.locator('.monaco-dialog-box');
  const askByTool = async () => {
    await workbench.runCommand('Other Chat: Ask svc-k3 by Its Tool');
    await question().waitFor();
  };
  it('shows what is sent, and where to, before it is sent', async () => {
    const before = emulator.requests.length;
    await askByTool();
    const text = await question().innerText();
    assert.match(text, /Ask svc-k3\?/);
    assert.match(text, /route “plain” and billed/);
    assert.match(text, /Asked by another chat\.[\s\S]*What is a monad\?/);
    await workbench.screenshot('other-chats-tool');
    await question().getByRole('button', { name: 'Cancel' }).click();
    await shown('It failed');
    assert.equal(emulator.requests.length, before);
  });

  it('answers after the user agrees', async () => {
    await askByTool();
    await question().getByRole('button', { name: 'Yes' }).click();
    await shown('You asked');
  });
});

describe('Another extension', () => {
  it('cannot access K3 through its exports', async () => {
    await workbench.runCommand('Other Chat: Show the Exports of K3');
    await shown('active: true, exports: undefined');
  });
});
