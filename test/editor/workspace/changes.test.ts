import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { readChanges } from '../../../src/editor/workspace/changes.ts';
import type { Repository } from '../../../src/editor/workspace/git.ts';
import { removeFolderSync } from '../../support/removeFolder.ts';

const UNTRACKED = 7;
/** Made up, in the format that GitHub documents. */
const KEY = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF3hJ6'}`;

describe('A new file in UTF-16', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-changes-'));
  });
  after(() => removeFolderSync(folder));

  /** As it is read for a review or a commit message. */
  async function read(name: string, text: string) {
    const uri = vscode.Uri.file(join(folder, name));
    writeFileSync(uri.fsPath, Buffer.from(`\uFEFF${text}`, 'utf16le'));
    const change = { uri, originalUri: uri, renameUri: undefined, status: UNTRACKED };
    const repository = {
      rootUri: vscode.Uri.file(folder),
      state: { indexChanges: [], workingTreeChanges: [change] },
    } as Partial<Record<keyof Repository, unknown>> as Repository;
    const { token } = new vscode.CancellationTokenSource();
    const [file] = await readChanges(repository, 'all', token);
    return file;
  }

  it('has its text as the editor shows it', async () => {
    assert.equal((await read('words.txt', 'größer\r\n'))?.text, 'größer\r\n');
  });

  it('is not sent if it has keys', async () => {
    const file = await read('notes.txt', `token = ${KEY}\n`);
    assert.deepEqual([file?.secret, file?.text], [true, undefined]);
  });
});
