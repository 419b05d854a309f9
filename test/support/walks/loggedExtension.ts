/** A copy of the extension whose log can be read. Without its native parts, the server of the tests writes no logs. */
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
/** The files and folders of the extension that are copied. */
const PARTS = ['dist', 'media', 'l10n', 'package.json', 'package.nls.json'];
const LOG = 'warnings.log';

/** The added code gets the same API objects as the extension, so the log of the extension is also written to the file. */
const ENTRY = `
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import * as vscode from 'vscode';
const file = new URL('${LOG}', import.meta.url);
const create = vscode.window.createOutputChannel;
vscode.window.createOutputChannel = (name, options) => {
  const channel = create.call(vscode.window, name, options);
  const { warn } = channel;
  if (warn === undefined) return channel;
  const logged = Object.create(channel);
  logged.warn = (line) => {
    appendFileSync(file, line.replaceAll('\\n', ' ') + '\\n');
    warn.call(channel, line);
  };
  return logged;
};
process.on('unhandledRejection', (error) => {
  if (String(error?.stack).includes('/dist/')) appendFileSync(file, 'unhandled: ' + error.stack.replaceAll('\\n', ' ') + '\\n');
});
// A process that ends itself is surely the one that is meant.
const folder = basename(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '');
const mark = new URL('kill-' + folder, import.meta.url);
setInterval(() => {
  if (!existsSync(mark)) return;
  rmSync(mark);
  process.kill(process.pid, 'SIGKILL');
}, 20).unref();
const extension = await import('./dist/extension.js');
appendFileSync(file, 'started\\n');
export const { activate, deactivate } = extension;
`;

export interface LoggedExtension {
  readonly folder: string;
  /** The warnings of all windows, so far. */
  warnings(): readonly string[];
  /** Kills the extension host of the window with this folder. Resolves when the host has received this. */
  kill(folder: string): Promise<void>;
}

/** Copies the built files. */
export function copyLoggedExtension(): LoggedExtension {
  const folder = mkdtempSync(join(tmpdir(), 'k3-walk-extension-'));
  for (const part of PARTS) cpSync(join(checkout, part), join(folder, part), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, main: './logged.js' }));
  writeFileSync(join(folder, 'logged.js'), ENTRY);
  const log = join(folder, LOG);
  return {
    folder,
    warnings() {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
      if (!lines.includes('started')) throw new Error(`the extension doesn't write its log to ${log}`);
      return lines.filter((line) => line !== '' && line !== 'started');
    },
    async kill(workspaceFolder) {
      const mark = join(folder, `kill-${basename(workspaceFolder)}`);
      writeFileSync(mark, '');
      await eventually(() => {
        if (existsSync(mark)) throw new Error('the extension host runs');
      });
    },
  };
}
