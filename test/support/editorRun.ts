/** Runs in the extension host: finds the compiled tests next to this file and runs them, or a part, with mocha. */
import { appendFileSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import required from 'mocha';
import type { extensions, version } from 'vscode';
import { createLeftoverHooks } from './editorLeftovers.ts';
import { leaveOutWorkspace } from './quietGit.ts';

/** In Node 22, which older editors have, `require` of mocha returns an object with all exports; in later versions, the class. */
const Mocha: typeof required = 'Mocha' in required ? (required.Mocha as typeof required) : required;

export async function run(): Promise<void> {
  // Not a static import: the bundle gives tests this object for that.
  const vscode = await import('vscode');
  Object.assign(globalThis, { k3EditorApi: vscode });
  const { K3_TEST_GREP: grep, K3_TEST_OUTPUT: output, K3_TEST_REPORTER: reporter } = process.env;
  if (output) {
    // The editor mixes its own log with the console, so the results go to a file.
    Mocha.reporters.Base.consoleLog = (...args: unknown[]) => appendFileSync(output, `${format(...args)}\n`);
  }
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 180_000,
    color: false,
    ...(reporter ? { reporter } : {}),
    ...(grep ? { grep } : {}),
    rootHooks: createLeftoverHooks(vscode, (line) => Mocha.reporters.Base.consoleLog(line)),
  });
  Mocha.reporters.Base.consoleLog(`\n${await activated(vscode)}`);
  await leaveOutWorkspace(vscode);
  for (const file of filesOf(process.env['K3_TEST_PART'] ?? '0/1')) mocha.addFile(join(__dirname, file));
  await new Promise<void>((resolve, reject) => {
    mocha.run((failed) => (failed > 0 ? reject(new Error(`${failed} failed`)) : resolve()));
  });
}

/** Activates the extension before any test does, and prints the size of its package and the duration of the activation. */
async function activated(vscode: {
  readonly extensions: typeof extensions;
  readonly version: typeof version;
}): Promise<string> {
  const { size } = statSync(join(process.env['K3_TEST_PACKAGE'] ?? '', '../k3-chat.vsix'));
  const extension = vscode.extensions.getExtension('k3-chat.k3-chat');
  const began = performance.now();
  await extension?.activate();
  const ms = Math.round(performance.now() - began);
  return `The package has ${Math.round(size / 1024)} KiB and is activated in ${ms} ms (VS Code ${vscode.version}).`;
}

/**
 * The files of a part: `hostile` for the files that need the hostile workspaces, or the number of the part and of all parts. If only some
 * files run, K3_TEST_FILES has their sources.
 */
function filesOf(part: string): readonly string[] {
  const all = globSync('**/*.test.cjs', { cwd: __dirname }).sort();
  const wanted: unknown = JSON.parse(process.env['K3_TEST_FILES'] ?? 'null');
  const isWanted = (file: string) =>
    !Array.isArray(wanted) || wanted.includes(`test/editor/${toSource(file)}`);
  const files = all.filter(isWanted);
  const isHostile = (file: string) => /^hostile[\\/]/.test(file);
  if (part === 'hostile') return files.filter(isHostile);
  const [number = 0, count = 1] = part.split('/').map(Number);
  return files.filter((file) => !isHostile(file)).filter((_, index) => index % count === number);
}

const toSource = (file: string): string => file.replaceAll('\\', '/').replace(/cjs$/, 'ts');
