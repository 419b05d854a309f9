/** Repositories outside the workspace, which the editor's Git extension has to be told to open. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { removeFolderSync } from '../support/removeFolder.ts';
import { until } from './scripted.ts';

export interface TestRepository {
  readonly folder: string;
  /** Runs Git there, and returns what it writes. */
  git(...args: readonly string[]): string;
  write(name: string, text: string): void;
  uriOf(name: string): vscode.Uri;
  /** Commits everything. */
  commit(message: string): void;
  /** Opens it in the editor's Git extension. */
  open(): Promise<void>;
  /** Closes it there, and removes it. */
  close(): Promise<void>;
}

/** Written here, because starting Git for it takes longer; it also starts no other process after a commit. */
const CONFIGURATION = '[user]\n\temail = a@example.com\n\tname = A\n[maintenance]\n\tauto = false\n';

/** A new repository with the branch `main` and no commit. */
export function createRepository(name: string): TestRepository {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `k3-${name}-`)));
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder }).toString().trim();
  git('init', '-q', '-b', 'main', '--template=');
  appendFileSync(join(folder, '.git/config'), CONFIGURATION);
  return {
    folder,
    git,
    write: (file, text) => writeFileSync(join(folder, file), text),
    uriOf: (file) => vscode.Uri.file(join(folder, file)),
    commit(message) {
      git('add', '.');
      git('commit', '-qm', message);
    },
    async open() {
      await openRepository(folder);
      await branchIsKnown(folder);
    },
    async close() {
      await closeRepository(folder);
      removeFolderSync(folder);
    },
  };
}

/** More than fits together with as many others into one request. */
export const MANY_LINES = Array.from({ length: 4500 }, (_, index) => `const line${index} = ${index};\n`).join(
  '',
);

/** Adds a branch whose changes are too many for one request, and goes back. */
export function addLargeBranch({ git, write, commit }: TestRepository, base: string): void {
  git('checkout', '-qb', 'large', base);
  write('c.js', MANY_LINES);
  write('d.js', MANY_LINES);
  commit('Much');
  git('checkout', '-q', base);
}

/**
 * In VS Code 1.103, the command opens no folder outside the workspace if the user doesn't want those opened at all. Elsewhere, the
 * setting stays, because changing it takes longer than opening the folder.
 */
export async function openRepository(folder: string): Promise<void> {
  const open = async () => void (await vscode.commands.executeCommand('git.openRepository', folder));
  await open();
  if (await isOpen(folder)) return;
  const settings = vscode.workspace.getConfiguration('git');
  const set = (value: string | undefined) =>
    settings.update('openRepositoryInParentFolders', value, vscode.ConfigurationTarget.Global);
  const { globalValue } = settings.inspect<string>('openRepositoryInParentFolders') ?? {};
  await set('always');
  await open();
  await set(globalValue);
}

const gitApi = async () => (await vscode.extensions.getExtension('vscode.git')?.activate())?.getAPI(1);

const isOpen = async (folder: string) => !!(await gitApi())?.getRepository(vscode.Uri.file(folder));

/** The command closes another repository if the one that it gets isn't open. */
export async function closeRepository(folder: string): Promise<void> {
  if (await isOpen(folder)) await vscode.commands.executeCommand('git.close', vscode.Uri.file(folder));
}

/** On a busy machine, the command to open a repository ends before its branch and its changes are known. */
async function branchIsKnown(folder: string): Promise<void> {
  const api = await gitApi();
  await until(() => api?.getRepository(vscode.Uri.file(folder))?.state.HEAD);
}
