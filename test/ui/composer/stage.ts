/** The workbench of the tests of this folder: two services, and a folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'mocha';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { CANARY } from '../../support/canary.ts';
import { focusChat } from '../../support/chatDriver.ts';
import { type ScriptedService, startScriptedService } from '../../support/scriptedService.ts';
import { startWorkbench, type Workbench } from '../../support/workbench.ts';

export let emulator: Emulator;
export let scripted: ScriptedService;
export let workbench: Workbench;
/** The open folder. It is empty at first. */
export let folder: string;

/** The settings of the window. Routes: `plain`, `scripted`, and `small` that refuses large requests. */
export const settings = (): Record<string, unknown> => ({
  'k3.routes': {
    plain: { kind: 'direct', baseUrl: emulator.url },
    scripted: { kind: 'direct', baseUrl: scripted.url },
    small: { kind: 'direct', baseUrl: `${emulator.url}/s/body-2mib` },
  },
  'k3.route': 'plain',
  // The dialog of the workbench takes a path that is typed, the one of the system would not.
  'files.simpleDialog.enable': true,
});

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'k3-composer-'));
  emulator = await startEmulator({ port: 0, route: 'direct', key: CANARY, tokensPerSecond: 2000 });
  scripted = await startScriptedService();
  workbench = await startWorkbench({
    folder,
    env: { K3_API_KEY: CANARY },
    settings: settings(),
  });
  await focusChat(workbench);
});

after(async () => {
  await workbench?.dispose();
  await emulator?.close();
  await scripted?.close();
  await rm(folder, { recursive: true, force: true });
});
