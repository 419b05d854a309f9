import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { streamOf, until } from '../scripted.ts';
import { aroundTools, asked, made, scripted } from '../tools/toolsWorkspace.ts';

describe('A file that the user has allowed until the window closes', () => {
  aroundTools();

  it('is not asked about again, whatever command it is selected for', async () => {
    asked.answer = 'Allow in This Window';
    const uri = vscode.Uri.file(join(made, '.env'));
    await vscode.commands.executeCommand('k3.attachFile', uri);
    assert.deepEqual(asked.titles, ['Allow svc-k3 to read .env?']);
    await vscode.window.showTextDocument(uri);
    scripted.will(streamOf([{ answer: '{"summary":"So.","findings":[]}' }, { finish: 'stop' }]));
    await vscode.commands.executeCommand('k3.reviewFile');
    await until(() => scripted.requests[1]);
    assert.equal(asked.titles.length, 1);
  });
});
