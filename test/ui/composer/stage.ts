/**
 * The workbench of the tests of this folder: two services, and a folder in Restricted Mode until a module trusts it.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'mocha';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { CANARY } from '../../support/canary.ts';
import { focusChat } from '../../support/chatDriver.ts';
import { tidyAfterFailures } from '../../support/leftovers.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { type ScriptedService, startScriptedService } from '../../support/scriptedService.ts';
import { startWorkbench, type Workbench } from '../../support/workbench.ts';

export let emulator: Emulator;
export let scripted: ScriptedService;
export let workbench: Workbench;
/** The open folder. Git has its files, staged changes, others that are not staged, and a link that leads out of it. */
export let folder: string;
/** The folder that contains it. */
let outer: string;

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
  // The Explorer would select a file again some time after it was opened, which ends a larger selection.
  'explorer.autoReveal': false,
  // For a file with instructions that is opened, the editor would start its server for Markdown.
  'files.associations': { '*.md': 'plaintext' },
  // A click in the Explorer selects a file, and opens none.
  'workbench.list.openMode': 'doubleClick',
});

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
  workbench = await startWorkbench({
    folder,
    env: { K3_API_KEY: CANARY },
    settings: settings(),
    trust: false,
  });
  await focusChat(workbench);
});

after(async () => {
  await workbench?.dispose();
  await emulator?.close();
  await scripted?.close();
  await removeFolder(outer);
});

tidyAfterFailures(
  () => workbench,
  'composer',
  () => scripted.forget(),
);
