import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import { type Scripted, startScripted } from './scripted.ts';

/** The folder that the package was unpacked to. */
const folder = process.env['K3_TEST_PACKAGE'] ?? '';

describe('The packaged file', () => {
  let k3: Scripted;
  before(async () => {
    k3 = await startScripted();
  });
  after(async () => {
    // Switching to a route ends the demo.
    const settings = vscode.workspace.getConfiguration('k3');
    await settings.update('route', undefined, vscode.ConfigurationTarget.Global);
    await k3.close();
  });

  it('is what runs here, not the checkout', () => {
    const path = vscode.extensions.getExtension('k3-chat.k3-chat')?.extensionPath ?? '';
    assert.equal(realpathSync(path), realpathSync(folder));
  });

  it('answers the first question of a user without a key, from the emulator', async () => {
    await vscode.commands.executeCommand('k3.tryDemo');
    const { outcome, answer, reasoning } = await k3.ask('What does a stack do?');
    assert.equal(outcome, 'complete');
    assert.ok(answer.length > 0 && reasoning.length > 0);
  });
});
