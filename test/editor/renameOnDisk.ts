/** Renames files as another program does. */
import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';

/**
 * Renames a file when the editor has reported all changes until now. Of a file that is created and renamed within some 100
 * milliseconds, it reports only the new name.
 */
export async function renameOnDisk(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  await changesReported();
  renameSync(from.fsPath, to.fsPath);
}

/** Changes are reported in their order: resolves when that of one more file is. */
async function changesReported(): Promise<void> {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(root);
  const name = `reported-${Date.now()}`;
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${name}`);
  try {
    const reported = new Promise((resolve) => void watcher.onDidCreate(resolve));
    writeFileSync(join(root.uri.fsPath, name), '');
    await reported;
  } finally {
    watcher.dispose();
    rmSync(join(root.uri.fsPath, name));
  }
}
