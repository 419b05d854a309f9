/**
 * The workbench of the tests of this folder. Its services were not written for our client: `@copilotkit/aimock`, and the strict
 * service of test/foreign on both routes. The folder has an MCP server from the registry, and one that changes its description;
 * another extension uses K3 in the editor's own chat. The conversation database is on a disk that can be full.
 */
import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { after, before } from 'mocha';
import { ensureMcpServer } from '../../../scripts/lib/mcpServer.mjs';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../../faults/store/smallDisk.ts';
import { startForeignService } from '../../foreign/service.ts';
import { CANARY } from '../../support/canary.ts';
import { focusChat } from '../../support/chatDriver.ts';
import { tidyAfterFailures } from '../../support/leftovers.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { startWorkbench, type Workbench } from '../../support/workbench.ts';

export type ForeignService = Awaited<ReturnType<typeof startForeignService>>;

const otherChat = fileURLToPath(new URL('../../fixtures/otherChat', import.meta.url));
const weatherServer = fileURLToPath(new URL('../../fixtures/mcp/server.mjs', import.meta.url));
export const REASONING = 'First I look at the question.\n\nThen I weigh two ways.\n\nAt last I choose one.';
export const ANSWER = 'The **second** way is shorter:\n\n```ts\nconst way = 2;\n```\n';
const STREAMED = { chunkSize: 12, streamingProfile: { ttft: 50, tps: 200 } };
const usage = { prompt_tokens: 900, completion_tokens: 120, total_tokens: 1020 };

export let mock: LLMock;
/** `dense` counts each token of a prompt twice. */
export let strict: Readonly<Record<'direct' | 'gateway' | 'dense', ForeignService>>;
export let emulator: Emulator;
export let workbench: Workbench;
/** The open folder. */
export let folder: string;
/** Undefined if this machine doesn't allow to mount one. */
export let disk: SmallDisk | undefined;

/** Large enough for all conversations of a file of tests. */
const DISK_KB = 16 * 1024;

/** Puts the conversation database on a disk that can be full. Undefined if this machine doesn't allow it. */
function mountDisk(): SmallDisk | undefined {
  if (!canMount) return undefined;
  const disk = mountSmallDisk(join(workbench.globalStorage, 'history'), DISK_KB);
  workbench.beforeRemoval(disk.unmount);
  return disk;
}

async function createFolder(): Promise<string> {
  const created = await realpath(await mkdtemp(join(tmpdir(), 'k3-foreign-')));
  cpSync(fileURLToPath(new URL('../../fixtures/workspace', import.meta.url)), created, { recursive: true });
  await writeFile(join(created, 'weather.txt'), 'Says what the weather is.');
  const stdio = (...args: string[]) => ({ type: 'stdio', command: process.execPath, args });
  const servers = {
    everything: stdio(await ensureMcpServer(), 'stdio'),
    weather: stdio(weatherServer, join(created, 'weather.txt')),
  };
  await mkdir(join(created, '.vscode'), { recursive: true });
  await writeFile(join(created, '.vscode/mcp.json'), JSON.stringify({ servers }));
  return created;
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

before(async () => {
  folder = await createFolder();
  mock = await startMock();
  strict = {
    direct: await startForeignService({ route: 'direct', key: CANARY, pace: 0.02 }),
    gateway: await startForeignService({ route: 'gateway', key: CANARY, pace: 0.02 }),
    dense: await startForeignService({ route: 'direct', key: CANARY, pace: 0, promptFactor: 2 }),
  };
  emulator = await startEmulator({ port: 0, route: 'direct', key: CANARY, tokensPerSecond: 2000 });
  workbench = await startWorkbench({
    folder,
    width: 1600,
    extensions: [otherChat],
    env: { K3_API_KEY: CANARY, K3_GATEWAY_API_KEY: CANARY },
    settings: {
      'chat.disableAIFeatures': false,
      'k3.routes': {
        foreign: { kind: 'direct', baseUrl: `${mock.url}/v1` },
        straight: { kind: 'direct', baseUrl: strict.direct.url },
        dense: { kind: 'direct', baseUrl: strict.dense.url },
        through: { kind: 'gateway', baseUrl: strict.gateway.url },
        plain: { kind: 'direct', baseUrl: emulator.url },
      },
      'k3.route': 'straight',
    },
  });
  // The database is opened when the chat is.
  disk = mountDisk();
  await focusChat(workbench);
});

tidyAfterFailures(() => workbench, 'foreign');

after(async () => {
  await workbench?.dispose();
  await mock?.stop();
  await strict?.direct.close();
  await strict?.gateway.close();
  await strict?.dense.close();
  await emulator?.close();
  await removeFolder(folder);
});
