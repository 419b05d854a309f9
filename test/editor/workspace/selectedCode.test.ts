import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toSelectedCode } from '../../../src/editor/workspace/selectedCode.ts';

describe('The code for a command without a selection', () => {
  it('is a whole short file, without the empty last line, which has no text', async () => {
    for (const content of ['one\ntwo\n', 'one\ntwo']) {
      const document = await vscode.workspace.openTextDocument({ content, language: 'plaintext' });
      const code = await toSelectedCode(await vscode.window.showTextDocument(document));
      assert.deepEqual([code?.startLine, code?.endLine, code?.text], [0, 1, content]);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });
});
