/** A commit message while Git goes on beneath it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { removeFolder } from '../../support/removeFolder.ts';
import { type Asking, watchModals } from '../modals.ts';
import { openRepository } from '../repositories.ts';
import { type Scripted, startScripted, startStream, until, writeDelta } from '../scripted.ts';

describe('A commit message whose changes are committed while it is written', () => {
  let scripted: Scripted;
  let folder: string;
  let asking: Asking;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  beforeEach(async () => {
    scripted = await startScripted();
    asking = watchModals();
    // The repository is outside the workspace.
    asking.answer = 'Allow in This Window';
    folder = await mkdtemp(join(tmpdir(), 'k3-commit-'));
    git('init', '-q');
    git('config', 'user.email', 'a@example.com');
    git('config', 'user.name', 'A');
    await writeFile(join(folder, 'a.txt'), 'one\n');
    git('add', '.');
    git('commit', '-qm', 'feat: begin');
    await openRepository(folder);
  });
  afterEach(async () => {
    asking.restore();
    await scripted.close();
    await removeFolder(folder);
  });

  /** Writes a message, during which something happens, and returns the input box. */
  async function write(meanwhile: () => void): Promise<{ value: string }> {
    const extension = vscode.extensions.getExtension('vscode.git') ?? assert.fail('no Git extension');
    const api = (await extension.activate()).getAPI(1);
    const { inputBox, rootUri } = await until(() => api.getRepository(vscode.Uri.file(folder)) ?? undefined);
    await writeFile(join(folder, 'a.txt'), 'one\ntwo\n');
    let response: ServerResponse | undefined;
    scripted.will((opened) => {
      response = opened;
      startStream(opened);
    });
    void vscode.commands.executeCommand('k3.commitMessage', { rootUri });
    const running = await until(() => response);
    meanwhile();
    writeDelta(running, { answer: 'Add two' });
    writeDelta(running, { finish: 'stop' });
    running.end('data: [DONE]\n\n');
    return inputBox;
  }

  it('is said to be about changes before another commit, and Undo takes it out of the box', async () => {
    const inputBox = await write(() => git('commit', '-qam', 'feat: add two by hand'));
    // The button of the notification.
    asking.answer = 'Undo';
    await until(() => asking.notes.length > 0);
    assert.match(asking.notes.join('\n'), /There is another commit since this message was requested/);
    await until(() => inputBox.value === '');
  });

  it('is put into the box without a word otherwise', async () => {
    const inputBox = await write(() => git('add', '.'));
    await until(() => inputBox.value === 'Add two');
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(inputBox.value, 'Add two');
    assert.deepEqual(asking.notes, []);
  });
});
