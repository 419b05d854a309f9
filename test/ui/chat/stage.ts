/**
 * The workbench of the tests of this folder and of `composer`: the emulator with a route for each scenario, a service with scripted
 * answers, a limited one, and a folder in Restricted Mode until a module trusts it.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'mocha';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { CANARY } from '../../support/canary.ts';
import { OUTCOMES } from '../../support/emulatorOutcomes.ts';
import { tidyAfterFailures } from '../../support/leftovers.ts';
import { saveLongConversation } from '../../support/longConversation.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { type ScriptedService, startScriptedService } from '../../support/scriptedService.ts';
import { startWorkbench, type Workbench } from '../../support/workbench.ts';

/** It remembers a hundred requests. */
export let emulator: Emulator;
export let workbench: Workbench;
export let scripted: ScriptedService;
/** The open folder. Git has its files, staged changes, others that are not staged, and a link that leads out of it. */
export let folder: string;
/** The folder that contains it. */
let outer: string;
let limited: Server;

/**
 * One of each kind of card, with its problem. `test/unit/interop/emulatorOutcomes.test.ts` has what the reader is told in all
 * scenarios.
 */
export const SHOWN = OUTCOMES.filter(({ scenario }) =>
  [
    'spent-on-reasoning',
    'truncate',
    'substitute',
    'empty',
    'cut-mid-answer',
    '401',
    '404-gateway',
    'stall-answer',
  ].includes(scenario),
);

/** One route per scenario. The tests switch routes as a user does. */
export function settings(more: Record<string, unknown> = {}): Record<string, unknown> {
  const routes: Record<string, unknown> = {
    plain: { kind: 'direct', baseUrl: emulator.url },
    through: { kind: 'gateway', baseUrl: emulator.url },
    scripted: { kind: 'direct', baseUrl: scripted.url },
    // Refuses large requests.
    small: { kind: 'direct', baseUrl: `${emulator.url}/s/body-2mib` },
    limited: { kind: 'direct', baseUrl: `http://127.0.0.1:${(limited.address() as AddressInfo).port}/v1` },
  };
  for (const name of [...SHOWN.map(({ scenario }) => scenario), 'slow-reasoning']) {
    routes[name] = {
      kind: name === '404-gateway' ? 'gateway' : 'direct',
      baseUrl: `${emulator.url}/s/${name}`,
    };
  }
  return { 'k3.routes': routes, 'k3.route': 'plain', ...more };
}

/** Those that the tests of what goes with a message need, too. */
const ofEditor = {
  // The dialog of the workbench takes a path that is typed, the one of the system would not.
  'files.simpleDialog.enable': true,
  // The Explorer would select a file again some time after it was opened, which ends a larger selection.
  'explorer.autoReveal': false,
  // For a file with instructions that is opened, the editor would start its server for Markdown.
  'files.associations': { '*.md': 'plaintext' },
};

async function createFolder(): Promise<void> {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'k3-composer-')));
  folder = join(outer, 'project');
  const files = {
    'project/.gitignore': 'dist/\n.env\n',
    'project/.env': 'SECRET=1\n',
    'project/src/clock.ts': `${Array.from({ length: 40 }, (_, i) => `export const tick${i} = ${i};`).join('\n')}\n`,
    'project/src/bell.ts': 'export const ring = "ding ``` dong";\n',
    'project/src/dist/out.js': 'built\n',
    'project/README.md': 'first\n',
    'project/src/sound.wav': '\u0000\u0001\u0002\u0000',
    'outside/private.txt': 'not in the project\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(outer, path, '..'), { recursive: true });
    await writeFile(join(outer, path), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'First');
  await writeFile(join(folder, 'README.md'), 'staged\n');
  git('add', '.');
  await writeFile(join(folder, 'README.md'), 'staged\nand not\n');
  await writeFile(join(folder, 'new.txt'), 'new\n');
  await symlink(join(outer, 'outside/private.txt'), join(folder, 'linked.txt'));
}

before(async () => {
  await createFolder();
  emulator = await startEmulator({ port: 0, route: 'direct', key: CANARY, tokensPerSecond: 2000 });
  scripted = await startScriptedService();
  limited = createServer((request, response) => {
    request.resume();
    const body = JSON.stringify({ error: { message: 'Rate limit exceeded' } });
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '50' }).end(body);
  });
  await once(limited.listen(0, '127.0.0.1'), 'listening');
  workbench = await startWorkbench({
    folder,
    env: { K3_API_KEY: CANARY, K3_GATEWAY_API_KEY: CANARY },
    settings: settings(ofEditor),
    trust: false,
  });
  // The database is opened when the chat is.
  saveLongConversation(join(workbench.globalStorage, 'history'));
});

// Another route, too: the tests switch back at their end.
tidyAfterFailures(
  () => workbench,
  'chat',
  () => {
    scripted.forget();
    return workbench.updateSettings(settings());
  },
);

after(async () => {
  await workbench?.dispose();
  await emulator?.close();
  await scripted?.close();
  limited?.close();
  await removeFolder(outer);
});
