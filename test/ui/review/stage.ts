/**
 * The workbench of the tests of this folder and of `foreign`: the emulator, a service with scripted answers, and two that were not
 * written for our client: `@copilotkit/aimock`, and the strict service of test/foreign. The folder has the files of all modules,
 * committed, an MCP server from the registry, and one that changes its description; another extension uses K3 in the editor's own chat.
 * The conversation database is on a disk that can be full.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { after, before } from 'mocha';
import type { Frame } from 'playwright-core';
import { ensureMcpServer } from '../../../scripts/lib/mcpServer.mjs';
import type { Emulator } from '../../../src/emulator/server.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../../faults/store/smallDisk.ts';
import { startForeignService } from '../../foreign/service.ts';
import { CANARY } from '../../support/canary.ts';
import { answerEnded, outcomeOf, startAnswer } from '../../support/chatDriver.ts';
import { tidyAfterFailures } from '../../support/leftovers.ts';
import { SHOP_CODE } from '../../support/review/shopCode.ts';
import { openReviewWorkbench, type ReviewWorkbench } from '../../support/reviewWorkbench.ts';
import { type ScriptedService, startScriptedService } from '../../support/scriptedService.ts';
import type { Workbench } from '../../support/workbench.ts';
import { ADDING, PRICES, SHORT } from './texts.ts';

const otherChat = fileURLToPath(new URL('../../fixtures/otherChat', import.meta.url));
const weatherServer = fileURLToPath(new URL('../../fixtures/mcp/server.mjs', import.meta.url));
const sample = fileURLToPath(new URL('../../fixtures/workspace', import.meta.url));
export const REASONING = 'First I look at the question.\n\nThen I weigh two ways.\n\nAt last I choose one.';
export const ANSWER = 'The **second** way is shorter:\n\n```ts\nconst way = 2;\n```\n';
const STREAMED = { chunkSize: 12, streamingProfile: { ttft: 50, tps: 200 } };
const usage = { prompt_tokens: 900, completion_tokens: 120, total_tokens: 1020 };

export let review: ReviewWorkbench;
export let workbench: Workbench;
/** It remembers a hundred requests. */
export let emulator: Emulator;
export let scripted: ScriptedService;
export let mock: LLMock;
export let strict: { readonly direct: Awaited<ReturnType<typeof startForeignService>> };
/** The open folder. */
export let folder: string;
/** Undefined if this machine doesn't allow to mount one. */
export let disk: SmallDisk | undefined;
const notRun = () => false;
/** Whether those tests have failed that leave something which a reload is to keep. Set by each of them. */
export const haveFailed = { findings: notRun, review: notRun, apply: notRun };

/** Large enough for all conversations of a file of tests. */
const DISK_KB = 24 * 1024;

/** Puts the conversation database on a disk that can be full, if this machine allows it. */
function mountDisk({ globalStorage, beforeRemoval }: Workbench): void {
  if (!canMount) return;
  disk = mountSmallDisk(join(globalStorage, 'history'), DISK_KB);
  beforeRemoval(disk.unmount);
}

async function startMock(): Promise<LLMock> {
  const started = new LLMock({ port: 0, latency: 0 });
  const reply = { content: ANSWER, reasoning: REASONING, usage };
  started.onMessage('which way', reply, STREAMED);
  started.onMessage('why that one', reply, STREAMED);
  const nearlyFull = { prompt_tokens: 950_000, completion_tokens: 120, total_tokens: 950_120 };
  started.onMessage('fill the window', { ...reply, usage: nearlyFull }, STREAMED);
  started.onMessage('Summarize this conversation', { content: 'In short: herons.', usage }, STREAMED);
  started.onMessage('wrong key', { error: { message: 'Invalid Authentication' }, status: 401 });
  await started.start();
  return started;
}

/** The texts of the sample workspace. */
function sampleFiles(): Record<string, string> {
  const names = readdirSync(sample, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(names.map((path) => [path.slice(sample.length + 1), readFileSync(path, 'utf8')]));
}

function filesOfAll(folder: string, mcpServer: string): Record<string, string> {
  const short = 'apply.js chat.js diff.js block.js day.js here.js keyed.js named.js'.split(' ');
  const stdio = (...args: string[]) => ({ type: 'stdio', command: process.execPath, args });
  const servers = {
    everything: stdio(mcpServer, 'stdio'),
    weather: stdio(weatherServer, join(folder, 'weather.txt')),
  };
  return {
    ...sampleFiles(),
    'weather.txt': 'Says what the weather is.',
    '.vscode/mcp.json': JSON.stringify({ servers }),
    'src/shop.js': PRICES,
    'src/sum.js': 'export const sum = () => 0;\n',
    'adds.js': ADDING,
    'plain.js': SHOP_CODE,
    ...Object.fromEntries(short.map((name) => [name, SHORT])),
  };
}

before(async () => {
  scripted = await startScriptedService();
  mock = await startMock();
  strict = { direct: await startForeignService({ route: 'direct', key: CANARY, pace: 0.02 }) };
  const mcpServer = await ensureMcpServer();
  review = await openReviewWorkbench({
    files: (folder) => filesOfAll(folder, mcpServer),
    routes: {
      scripted: { kind: 'direct', baseUrl: scripted.url },
      foreign: { kind: 'direct', baseUrl: `${mock.url}/v1` },
      straight: { kind: 'direct', baseUrl: strict.direct.url },
    },
    extensions: [otherChat],
    editor: { 'chat.disableAIFeatures': false },
    // The database is opened when the chat is.
    beforeChat: mountDisk,
  });
  ({ workbench, emulator, folder } = review);
});

after(async () => {
  await review?.close();
  await scripted?.close();
  await mock?.stop();
  await strict?.direct.close();
});

tidyAfterFailures(
  () => workbench,
  'review',
  () => scripted.forget(),
);

/** Runs a command that asks a question, and returns the chat when it has one more answer. */
export async function askedBy(command: string): Promise<Frame> {
  const chat = await workbench.chat();
  await startAnswer(chat, () => workbench.runCommand(command));
  const answer = await answerEnded(chat);
  assert.equal(await outcomeOf(answer), 'complete');
  return chat;
}

/** The findings in the Problems view. */
export const problems = () =>
  workbench.page.locator('.markers-panel-container .monaco-list-row:has-text("K3 review")');

/** The button of the last code block in a chat. */
export const applyIn = (frame: Frame) => frame.getByRole('button', { name: 'Apply', exact: true }).last();

/** The proposals for the file in the chat. */
export const appliedGroups = () =>
  review.chat().getByRole('group', { name: 'Proposal, apply.js', exact: true });

/** Waits until the proposal says this. */
export const appliedIs = (text: string) => review.group('apply.js').getByText(text).first().waitFor();
