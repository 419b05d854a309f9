/**
 * The hostile workspaces with one guard off at a time (`npm run guards`): each has a row that fails without it, or another
 * guard that holds as well.
 */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { it } from 'mocha';
import * as vscode from 'vscode';
import { until } from '../scripted.ts';
import { folders, keepFiles } from './stage.ts';

interface Guard {
  readonly name: string;
  /** Folders whose attack it holds. */
  readonly rows: readonly string[];
  /** Another guard, which holds when this one is off. */
  readonly doubledBy?: string;
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
  for (const { name, rows, doubledBy, restricted = false, newestEditor = Infinity } of guards) {
    if (restricted !== isRestricted || minor > newestEditor) continue;
    const title = doubledBy === undefined ? 'a row fails' : `${doubledBy} holds`;
    it(`${name}: without that, ${title}`, async () => {
      // Otherwise a row could fail because of what the guard before let through.
      for (const folder of rows) await play(folder);
      const restore = folders().map(({ uri }) => keepFiles(uri.fsPath));
      Object.assign(globalThis, { k3Without: name });
      const failed = await failedOf(rows, play).finally(() => {
        Object.assign(globalThis, { k3Without: undefined });
        for (const one of restore) one();
      });
      await until(() => vscode.workspace.textDocuments.every(isAsOnDisk));
      const text = failed.join(', ') || doubledBy || 'no row';
      appendFileSync(process.env['K3_TEST_OUTPUT'] ?? '/dev/null', `    off: ${name}: ${text}\n`);
      if (doubledBy === undefined) assert.ok(failed.length > 0, 'no row notices');
      else assert.deepEqual(failed, []);
    }).timeout(120_000);
  }
}

/** Whether the editor has read a file again. A file that was removed keeps its document for some minutes. */
function isAsOnDisk(document: vscode.TextDocument): boolean {
  const { scheme, fsPath } = document.uri;
  if (scheme !== 'file' || !existsSync(fsPath)) return true;
  return readFileSync(fsPath, 'utf8').replace(/^\uFEFF/, '') === document.getText();
}

/** The rows that fail, each with the first line of its error. */
async function failedOf(
  rows: readonly string[],
  play: (folder: string) => Promise<void>,
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const folder of rows)
    await play(folder).catch((error: unknown) => {
      const [line] = String(error instanceof Error ? error.message : error).split('\n');
      failed.push(`${folder} (${line})`);
    });
  return failed;
}
