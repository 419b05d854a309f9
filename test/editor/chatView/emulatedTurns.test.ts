/** Another attempt, and a turn whose results of tools fill the context window, with the emulator. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { removeFolder } from '../../support/removeFolder.ts';
import { type Emulated, startEmulated } from '../emulated.ts';
import { ended, type Scripted, startScripted, until } from '../scripted.ts';
import { openWindow, type Page, type TestWindow } from './window.ts';

describe('With the emulator, a turn', () => {
  let scripted: Scripted;
  let emulated: Emulated | undefined;
  const { showQuickPick } = vscode.window;

  beforeEach(async () => {
    scripted = await startScripted();
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showQuickPick });
    await scripted.close();
    await emulated?.close();
  });

  it('has another attempt with another effort, and both are compared', async () => {
    emulated = await startEmulated(scripted);
    const { bodies, violations } = emulated;
    const { conversations } = scripted;
    assert.equal((await scripted.ask('How would you sort them?')).outcome, 'complete');
    const before = bodies().length;
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly vscode.QuickPickItem[]) =>
        items.find(({ label }) => label === 'high'),
    });
    await vscode.commands.executeCommand('k3.askElsewhere');
    const turn = await until(() => conversations.current().exchanges[0]?.attempts[1]);
    assert.equal((await ended(conversations, turn.id)).outcome, 'complete');
    assert.equal(bodies().length, before + 1);
    assert.equal(JSON.parse(bodies().at(-1) ?? '{}').reasoning_effort, 'high');
    await vscode.commands.executeCommand('k3.compareAttempts');
    const tab = await until(() => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab;
      return shown?.input instanceof vscode.TabInputTextDiff
        ? { label: shown.label, uri: shown.input.modified }
        : undefined;
    });
    assert.match(tab.label, /attempt 1 ↔ attempt 2/);
    const compared = await vscode.workspace.openTextDocument(tab.uri);
    assert.match(compared.getText(), /^.*reasoning/im);
    assert.deepEqual(violations(), []);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  describe('whose results fill the context window', () => {
    let folder: string;
    let long: string;
    let window: TestWindow | undefined;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'k3-full-'));
      const [root] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(root);
      long = join(root.uri.fsPath, 'long.txt');
      // As much as a result may have. The emulator counts a token for each letter that is not ASCII: about 60,000; the
      // context window has 1,048,576.
      await writeFile(long, `${'é'.repeat(99)}\n`.repeat(600));
    });
    afterEach(async () => {
      window?.close();
      await rm(long);
      await removeFolder(folder);
    });

    async function ask(page: Page, text: string): Promise<void> {
      const before = page.shown().exchanges.length;
      page.type(text);
      page.send();
      const turn = await until(() => page.shown().exchanges[before]?.turn);
      assert.ok(turn);
      await until(() => page.shown().exchanges[before]?.turn?.outcome !== 'running');
      assert.equal(page.shown().exchanges[before]?.turn?.outcome, 'complete');
    }

    it('no longer sends results of earlier calls, says so, and sends them again', async () => {
      emulated = await startEmulated(scripted, 'tools-rounds');
      const { bodies, violations } = emulated;
      window = openWindow(scripted, folder, 'project one');
      const page = window.open(window.conversations.current().id);
      await ask(page, 'Call read_file for long.txt again and again.');
      const sizes = bodies().map((body) => body.length);
      assert.equal(sizes.length, 9);
      const shorter = sizes.filter((size, at) => size < (sizes[at - 1] ?? 0));
      assert.equal(shorter.length, 1, sizes.join(', '));
      const card = () => page.shown().exchanges[0]?.turn?.cards.at(-1) ?? assert.fail();
      const offers = () => card().actions.map(({ label }) => label);
      const turnId = page.shown().exchanges[0]?.turn?.id;
      assert.deepEqual(offers(), ['Send them again']);
      page.post({ type: 'action', action: 'send-results', turnId });
      await until(() => offers().join() === 'Leave them out again');
      assert.match(card().title, /Some tool results are sent again/);
      await ask(page, 'And in short?');
      assert.ok((bodies().at(-1)?.length ?? 0) > Math.max(...sizes));
      page.post({ type: 'action', action: 'omit-results', turnId });
      await until(() => offers().join() === 'Send them again');
      assert.deepEqual(violations(), []);
    });
  });
});
