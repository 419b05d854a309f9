import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('The extension in the extension host', () => {
  it('starts', async () => {
    const extension = vscode.extensions.getExtension('k3-chat.k3-chat');
    assert.ok(extension, 'VS Code knows the extension');
    await extension.activate();
    assert.ok(extension.isActive);
  });

  it('registers every command that it contributes', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const manifest = vscode.extensions.getExtension('k3-chat.k3-chat')?.packageJSON;
    const missing = manifest.contributes.commands.filter(
      ({ command }: { command: string }) => !registered.has(command),
    );
    assert.deepEqual(missing, []);
  });
});
