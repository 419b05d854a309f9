/**
 * The CPU time of loading the extension's main file, against an empty module and Copilot Chat, which code-server contains.
 * They load alternately, each in a new process of Node with a stub for the editor's API; Node's own modules are loaded before, as in
 * an extension host. The results are medians, of which only the ratios are comparable (docs/performance.md).
 */
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCodeServer } from '../../scripts/lib/codeServer.mjs';
import { RUNS, report, writeFigures } from './figures.ts';

const LOAD = `
const { builtinModules } = await import('node:module');
for (const name of builtinModules.filter((each) => !each.startsWith('_'))) await import('node:' + name.replace(/^node:/, '')).catch(() => {});
const before = process.cpuUsage();
await import(process.argv[1]);
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000);
process.exit();
`;

/** Returns the CPU time of loading a module, in milliseconds. */
async function load(file: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--no-warnings',
    '--import',
    new URL('loadStub.mjs', import.meta.url).href,
    '--input-type=module',
    '--eval',
    LOAD,
    file,
  ]);
  return Number(stdout.trim().split('\n').at(-1));
}

const root = new URL('../../', import.meta.url).pathname;
const { vscode } = await ensureCodeServer();
const files: Readonly<Record<string, string>> = {
  'an empty module': 'data:text/javascript,export default 1',
  K3: join(root, 'dist/extension.js'),
  'Copilot Chat': join(vscode, 'extensions/copilot/dist/extension.js'),
};
const samples = new Map(Object.keys(files).map((name) => [name, [] as number[]]));
for (let run = 0; run < RUNS; run++)
  for (const [name, file] of Object.entries(files))
    if (file.startsWith('data:') || existsSync(file)) samples.get(name)?.push(await load(file));

const cases = [...samples].map(([name, each]) => ({ name, samples: each }));
report({ part: 'load', unit: 'ms CPU', cases, floors: ['an empty module', 'Copilot Chat'] });
const sizes = Object.entries(files)
  .filter(([, file]) => existsSync(file))
  .map(([name, file]) => ({ name, samples: [statSync(file).size / 1024] }));
report({ part: 'main file', unit: 'KiB', cases: sizes, floors: ['Copilot Chat'] });
writeFigures();
