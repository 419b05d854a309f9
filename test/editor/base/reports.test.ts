import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

describe('A report', () => {
  it('that the editor opens again after a reload says that it is gone, instead of being empty', async () => {
    const uri = vscode.Uri.parse('k3-report:/Probe%20Results%20for%20Route%20gone.md');
    const document = await vscode.workspace.openTextDocument(uri);
    assert.match(document.getText(), /not kept when the window is reloaded\. Run the command again\./);
  });
});
