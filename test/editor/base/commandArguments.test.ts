import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';

/** What a keyboard shortcut can give to a command that gets its argument from a menu: nothing, or any JSON. */
const ARGUMENTS: readonly (readonly unknown[])[] = [
  [],
  [null],
  [{}],
  [[]],
  [5],
  ['nothing'],
  [{ turnId: 5, index: 'one' }],
  [{ thread: null, text: 'Why?' }],
  [{ thread: { comments: [] }, text: 5 }],
];

/** Those that ask, or open something, and so don't end by themselves, are given up after this time, in milliseconds. */
const LONGEST = 150;

describe('A command with an argument that is not its own', () => {
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('does not fail', async () => {
    const manifest = vscode.extensions.getExtension('k3-chat.k3-chat')?.packageJSON;
    // Those of the side bar get none.
    const hidden: readonly string[] = manifest.contributes.menus.commandPalette
      .filter(
        (one: { command: string; when: string }) =>
          one.when === 'false' && !one.command.includes('.sideBar.'),
      )
      .map(({ command }: { command: string }) => command);
    const names = [
      ...hidden,
      'k3.acceptHunk',
      'k3.rejectHunk',
      'k3.acceptAll',
      'k3.rejectAll',
      'k3.sendReview',
    ];
    assert.ok(names.includes('k3.deleteRemark'));
    const failed: string[] = [];
    for (const name of new Set(names))
      for (const given of ARGUMENTS) {
        const done = vscode.commands
          .executeCommand(name, ...given)
          .then(undefined, (error: unknown) => failed.push(`${name} ${JSON.stringify(given)}: ${error}`));
        await Promise.race([done, pause(LONGEST)]);
      }
    assert.deepEqual(failed, []);
  });
});
