/**
 * The hostile workspaces with one guard off at a time (`npm run guards`): its rows fail without it, for the reason that the
 * list says, or without it and the other guard that holds as well.
 */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { it } from 'mocha';
import * as vscode from 'vscode';
import { until } from '../scripted.ts';
import { set } from './playing.ts';
import { folders, keepFiles } from './stage.ts';

interface Guard {
  readonly name: string;
  /** Folders whose attack it holds, each with words of the error without it. */
  readonly rows: Readonly<Record<string, string>>;
  /** The name of another guard, which holds when this one is off. */
  readonly heldBy?: string;
  /** It holds in Restricted Mode only. */
  readonly restricted?: true;
  /** Later editors hold by themselves; the second number of their version. */
  readonly newestEditor?: number;
}

const list = process.env['K3_TEST_GUARDS'];

export const playsGuards = list !== undefined;

/** Adds the tests for the guards that hold in this mode. */
export function withoutGuards(isRestricted: boolean, play: (folder: string) => Promise<void>): void {
  const guards: readonly Guard[] = JSON.parse(readFileSync(list ?? '', 'utf8'));
  const minor = Number(vscode.version.split('.')[1]);
  for (const { name, rows, heldBy, restricted = false, newestEditor = Infinity } of guards) {
    if (restricted !== isRestricted || minor > newestEditor) continue;
    const title = heldBy === undefined ? 'its rows fail' : `its rows fail if “${heldBy}” is off, too`;
    it(`${name}: without that, ${title}`, async () => {
      const folders = Object.keys(rows);
      // Otherwise a row could fail because of what the guard before let through.
      for (const folder of folders) await play(folder);
      if (heldBy !== undefined) assert.deepEqual(await without([name], folders, play), {});
      const errors = await without(heldBy === undefined ? [name] : [name, heldBy], folders, play);
      const told = folders.map((folder) => `${folder} (${errors[folder] ?? 'passes'})`).join(', ');
      const off = heldBy === undefined ? name : `${name} + ${heldBy}`;
      appendFileSync(process.env['K3_TEST_OUTPUT'] ?? '/dev/null', `    off: ${off}: ${told}\n`);
      for (const [folder, reason] of Object.entries(rows)) assert.ok(errors[folder]?.includes(reason), told);
    });
  }
}

/** Plays rows with guards off, and makes the files what they were. Returns the errors by row. */
async function without(
  guards: readonly string[],
  rows: readonly string[],
  play: (folder: string) => Promise<void>,
): Promise<Readonly<Record<string, string>>> {
  const restore = folders().map(({ uri }) => keepFiles(uri.fsPath));
  await switchOff(guards);
  try {
    return await errorsOf(rows, play);
  } finally {
    await switchOff(undefined);
    for (const one of restore) one();
    await until(() => vscode.workspace.textDocuments.every(isAsOnDisk));
  }
}

/** The extension keeps its settings until one of them changes, so one does. */
async function switchOff(guards: readonly string[] | undefined): Promise<void> {
  Object.assign(globalThis, { k3Without: guards });
  await set('k3', 'notify', 'always');
  await set('k3', 'notify', undefined);
}

/** Whether the editor has read a file again. A file that was removed keeps its document for some minutes. */
function isAsOnDisk(document: vscode.TextDocument): boolean {
  const { scheme, fsPath } = document.uri;
  if (scheme !== 'file' || !existsSync(fsPath)) return true;
  return readFileSync(fsPath, 'utf8').replace(/^\uFEFF/, '') === document.getText();
}

/** The first line of the error of each row that fails. */
async function errorsOf(
  rows: readonly string[],
  play: (folder: string) => Promise<void>,
): Promise<Readonly<Record<string, string>>> {
  const errors: Record<string, string> = {};
  for (const folder of rows)
    await play(folder).catch((error: unknown) => {
      errors[folder] = String(error instanceof Error ? error.message : error).split('\n')[0] ?? '';
    });
  return errors;
}
