/** Another attempt, and a turn whose results of tools fill the context window, with the emulator, and with the strict service. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { removeFolder } from '../../support/removeFolder.ts';
import { type Emulated, startEmulated, startStrict } from '../emulated.ts';
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

    /** What the card of the first answer says and offers. */
    const cardOf = (page: Page) => page.shown().exchanges[0]?.turn?.cards.at(-1) ?? assert.fail();
    const offersOf = (page: Page) => cardOf(page).actions.map(({ label }) => label);
    const bannersOf = (page: Page) =>
      page.shown().surroundings.banners.flatMap(({ actions }) => actions.map(({ label }) => label));

    /** Asks what calls tools again and again, and goes back and forth. Returns the size of the longest request of that. */
    async function goBackAndForth(page: Page, question: string, bodies: () => readonly string[]) {
      await ask(page, question);
      const sizes = bodies().map((body) => body.length);
      assert.equal(sizes.length, 9);
      const shorter = sizes.filter((size, at) => size < (sizes[at - 1] ?? 0));
      assert.equal(shorter.length, 1, sizes.join(', '));
      const turnId = page.shown().exchanges[0]?.turn?.id;
      assert.deepEqual(offersOf(page), ['Send them again']);
      page.post({ type: 'action', action: 'send-results', turnId });
      await until(() => offersOf(page).join() === 'Leave them out again');
      assert.match(cardOf(page).title, /Some tool results are sent again/);
      await ask(page, 'And in short?');
      assert.ok((bodies().at(-1)?.length ?? 0) > Math.max(...sizes));
      // The answer is no longer the last one.
      page.post({ type: 'action', action: 'omit-results', turnId });
      await until(() => offersOf(page).join() === 'Send them again');
      return Math.max(...sizes);
    }

    it('no longer sends results of earlier calls, says so, and sends them again', async () => {
      // As much as a result may have. The emulator counts a token for each letter that is not ASCII: about 60,000; the
      // context window has 1,048,576.
      await writeFile(long, `${'é'.repeat(99)}\n`.repeat(600));
      emulated = await startEmulated(scripted, 'tools-rounds');
      const { bodies, violations } = emulated;
      window = openWindow(scripted, folder, 'project one');
      const page = window.open(window.conversations.current().id);
      const longest = await goBackAndForth(page, 'Call read_file for long.txt again and again.', bodies);
      const all = 'Leave out tool results again';
      await until(() => !bannersOf(page).includes(all));
      // The window is nearly full with them, which is said with the same way back.
      const turnId = page.shown().exchanges[0]?.turn?.id;
      page.post({ type: 'action', action: 'send-results', turnId });
      await until(() => bannersOf(page).includes(all));
      page.post({ type: 'action', action: 'omit-all-results', turnId: undefined });
      await until(() => offersOf(page).join() === 'Send them again');
      await until(() => !bannersOf(page).includes(all));
      await ask(page, 'And in shorter?');
      assert.ok((bodies().at(-1)?.length ?? 0) < longest);
      assert.deepEqual(violations(), []);
    });

    it('begins the cache of a strict service anew each time, which was announced, and breaks no other rule', async () => {
      // In JSON twice as much, of which the service counts each token twice.
      await writeFile(long, `${'"'.repeat(99)}\n`.repeat(600));
      const strict = await startStrict(scripted, 2);
      try {
        window = openWindow(scripted, folder, 'project one');
        const page = window.open(window.conversations.current().id);
        const calls = `[[tool-rounds:8 read_file ${JSON.stringify({ path: 'long.txt' })}]]`;
        const longest = await goBackAndForth(page, calls, strict.bodies);
        await ask(page, 'And in shorter?');
        assert.ok((strict.bodies().at(-1)?.length ?? 0) < longest);
        const changed = /^request \d+: messages\[\d+\] is not byte-identical to that of request \d+ \(R11\)$/;
        assert.equal(strict.violations().length, 3, strict.violations().join('\n'));
        for (const violation of strict.violations()) assert.match(violation, changed);
      } finally {
        await strict.close();
      }
    });
  });
});
