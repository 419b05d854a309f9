import assert from 'node:assert/strict';
import { mkdtempSync, readlinkSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { removeFolderSync } from '../../support/removeFolder.ts';
import { leaveOutPreviews } from '../leftOut.ts';
import { reportText } from '../reports.ts';
import { type Scripted, startScripted } from '../scripted.ts';

describe('A schema from a file', () => {
  leaveOutPreviews();
  const { showQuickPick, showOpenDialog } = vscode.window;
  let scripted: Scripted;
  let folder: string;
  beforeEach(async () => {
    scripted = await startScripted();
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    folder = mkdtempSync(join(root.uri.fsPath, 'schemas-'));
    Object.assign(vscode.window, {
      showQuickPick: async (items: Promise<readonly vscode.QuickPickItem[]>) =>
        (await items).find(({ label }) => label === 'From a File…'),
      showOpenDialog: async () => [vscode.Uri.file(join(folder, 'person.json'))],
    });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showQuickPick, showOpenDialog });
    removeFolderSync(folder);
    await scripted.close();
  });

  for (const encoding of ['utf8', 'utf16le'] as const)
    it(`is read in ${encoding}, with a byte order mark`, async () => {
      const schema = { type: 'object', properties: { größe: { type: 'number', description: encoding } } };
      writeFileSync(join(folder, 'person.json'), Buffer.from(`\uFEFF${JSON.stringify(schema)}`, encoding));
      const { id } = scripted.conversations.current();
      await vscode.commands.executeCommand('k3.pickAnswerFormat', id);
      await vscode.commands.executeCommand('k3.showRequest', id);
      await reportText('Next Request', (text) => text.includes(encoding) && text.includes('größe'));
    });

  it('is not taken from a link that leads to another file when it was read', async () => {
    const { decode } = vscode.workspace;
    const link = join(folder, 'person.json');
    for (const name of ['one', '.env']) writeFileSync(join(folder, name), '{"type":"object"}');
    symlinkSync('one', link);
    let times = 0;
    Object.assign(vscode.workspace, {
      decode: async (bytes: Uint8Array, options: { uri: vscode.Uri }) => {
        // The first time, its text is searched for keys.
        if (++times === 2) {
          unlinkSync(link);
          symlinkSync('.env', link);
        }
        return decode(bytes, options);
      },
    });
    const { id } = scripted.conversations.current();
    const chosen = await vscode.commands.executeCommand('k3.pickAnswerFormat', id);
    // The message box says that it couldn't be read.
    assert.deepEqual([chosen, readlinkSync(link)], [true, '.env']);
    Object.assign(vscode.workspace, { decode });
    await vscode.commands.executeCommand('k3.showRequest', id);
    await reportText('Next Request', (text) => !text.includes('json_schema'));
  });
});
