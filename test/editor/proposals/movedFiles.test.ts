import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createMovedFiles, type MovedFiles } from '../../../src/editor/proposals/movedFiles.ts';
import { until } from '../scripted.ts';

const { createFileSystemWatcher } = vscode.workspace;

describe('A file that another program renames', () => {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(root);
  const file = vscode.Uri.file(join(root.uri.fsPath, 'moved there and back.txt'));
  const renamed = vscode.Uri.file(`${file.fsPath}.renamed`);
  /** What the editor reports, by hand. */
  let reports: {
    deleted(uri: vscode.Uri): void;
    created(uri: vscode.Uri): void;
    changed(uri: vscode.Uri): void;
  };
  let moved: MovedFiles;
  let followed: vscode.Uri;

  beforeEach(async () => {
    await writeFile(file.fsPath, 'tides and moons\n');
    const [deletes, creates, changes] = [1, 2, 3].map(() => new vscode.EventEmitter<vscode.Uri>());
    assert.ok(deletes && creates && changes);
    reports = {
      deleted: (uri) => deletes.fire(uri),
      created: (uri) => creates.fire(uri),
      changed: (uri) => changes.fire(uri),
    };
    Object.assign(vscode.workspace, {
      createFileSystemWatcher: () => ({
        onDidDelete: deletes.event,
        onDidCreate: creates.event,
        onDidChange: changes.event,
        dispose: () => undefined,
      }),
    });
    moved = createMovedFiles({ warn: assert.fail });
    Object.assign(vscode.workspace, { createFileSystemWatcher });
    followed = file;
    moved.follow({
      files: () => [{ uri: followed.toString(), text: 'tides and moons\n' }],
      move: (from, to) => {
        if (from.toString() === followed.toString()) followed = to;
      },
    });
  });
  afterEach(async () => {
    moved.dispose();
    for (const uri of [file, renamed]) await vscode.workspace.fs.delete(uri).then(undefined, () => undefined);
  });

  it('is followed to a file that it replaces, which the editor reports as changed', async () => {
    await writeFile(renamed.fsPath, 'sun and stars\n');
    await rename(file.fsPath, renamed.fsPath);
    reports.changed(renamed);
    reports.deleted(file);
    await isAt(renamed);
  });

  const isAt = (uri: vscode.Uri) => until(() => followed.toString() === uri.toString());

  /** The file is back, which isn't reported yet. */
  async function renameThereAndBack(): Promise<void> {
    await rename(file.fsPath, renamed.fsPath);
    reports.deleted(file);
    reports.created(renamed);
    await isAt(renamed);
    await rename(renamed.fsPath, file.fsPath);
    reports.deleted(renamed);
  }

  it('is followed there and back', async () => {
    await renameThereAndBack();
    reports.created(file);
    await isAt(file);
  });

  it('is followed back when the editor reports its loss and its return together, as a change', async () => {
    await renameThereAndBack();
    reports.changed(file);
    await isAt(file);
  });
});
