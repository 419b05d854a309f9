/** Files that an accepted hunk has created, and that are gone again. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { until } from '../scripted.ts';
import {
  aroundProposals,
  asked,
  CODE,
  document,
  edits,
  latest,
  missShown,
  pathOf,
  propose,
  run,
  shownBy,
  states,
  uriOf,
} from './proposing.ts';

const path = () => uriOf('made.txt').fsPath;

async function createFile() {
  const proposal = await propose(edits(pathOf('made.txt'), ['', 'made\n']));
  await run('k3.acceptAll', proposal);
  assert.equal(readFileSync(path(), 'utf8'), 'made\n');
  return proposal;
}

async function remove(): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uriOf('made.txt'));
  await vscode.workspace.applyEdit(edit);
  await until(() => !existsSync(path()));
}

describe('A file that an accepted hunk has created', () => {
  aroundProposals();

  it('can be created again when that was undone', async () => {
    const proposal = await createFile();
    void vscode.commands.executeCommand('undo');
    await until(() => !existsSync(path()));
    await until(() => states(proposal).join() === 'open');
    assert.equal(latest(proposal).isNew, true);
    await run('k3.acceptAll', proposal);
    assert.deepEqual(states(proposal), ['accepted']);
    assert.equal(readFileSync(path(), 'utf8'), 'made\n');
    assert.deepEqual(asked.notes, []);
  });

  it('is in the proposal as well if its text is in a code block beside edits in JSON', async () => {
    const answer = `${edits(pathOf('code.txt'), ['two', 'TWO'])}\n\n\`\`\`txt ${pathOf('made.txt')}\nmade\n\`\`\`\n`;
    const proposal = await propose(answer);
    assert.deepEqual(
      proposal?.files.map(({ label, isNew, hunks }) => [label, isNew, hunks.map(({ hunk }) => hunk.after)]),
      [
        [pathOf('code.txt'), false, ['TWO\n']],
        [pathOf('made.txt'), true, ['made\n']],
      ],
    );
  });

  it('stays accepted when the user has changed it and then deletes it', async () => {
    const proposal = await createFile();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uriOf('made.txt'), new vscode.Position(0, 0), 'mine\n');
    await vscode.workspace.applyEdit(edit);
    await vscode.workspace.saveAll();
    await remove();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual(states(proposal), ['accepted']);
  });

  it('has the encoding of the settings, and is deleted when that is reverted', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    const { showQuickPick } = vscode.window;
    Object.assign(vscode.window, { showQuickPick: async (items: readonly unknown[]) => items[0] });
    try {
      const proposal = await propose(edits(pathOf('made.txt'), ['', 'Größe: ä\n']));
      await run('k3.acceptAll', proposal);
      const created = await vscode.workspace.openTextDocument(uriOf('made.txt'));
      assert.deepEqual([created.getText(), created.isDirty], ['Größe: ä\n', false]);
      assert.equal(readFileSync(path(), 'latin1'), 'Größe: ä\n');
      asked.answer = 'Delete and Revert';
      await vscode.commands.executeCommand('k3.revertMessage', proposal?.turnId);
      assert.equal(existsSync(path()), false);
      assert.deepEqual(states(proposal), ['open']);
    } finally {
      Object.assign(vscode.window, { showQuickPick });
      await settings.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('is accepted with a byte order mark, which is in the file and not in its document', async () => {
    asked.answer = 'Allow Once';
    const proposal = await propose(edits(pathOf('made.txt'), ['', '\ufeffmade\n']));
    assert.deepEqual(await shownBy(() => run('k3.acceptAll', proposal)), ['made.txt']);
    assert.equal(readFileSync(path(), 'utf8'), '\ufeffmade\n');
    assert.deepEqual(states(proposal), ['accepted']);
  });

  it('is not created when a later proposal replaced its own while the user was asked', async () => {
    const settings = '.vscode/settings.json';
    asked.answer = 'Allow Once';
    const first = await propose(edits(pathOf(settings), ['', '{ "a": 1 }\n']));
    asked.meanwhile = async () => {
      asked.meanwhile = undefined;
      await propose(edits(pathOf(settings), ['', '{ "a": 2 }\n']));
    };
    await run('k3.acceptAll', first);
    assert.equal(existsSync(uriOf(settings).fsPath), false);
    assert.match(asked.notes.join('\n'), /A later proposal replaced this one, so nothing was changed/);
  });

  it('is created also when others had created it meanwhile, and have deleted it', async () => {
    const proposal = await propose(edits(pathOf('made.txt'), ['', 'made\n']));
    writeFileSync(path(), 'of the user\n');
    await run('k3.acceptAll', proposal);
    assert.match(asked.notes.join(), /made\.txt exists now, with different text/);
    asked.notes.length = 0;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(path());
    assert.deepEqual(await shownBy(() => run('k3.acceptAll', proposal)), ['made.txt']);
    assert.deepEqual(asked.notes, []);
    assert.deepEqual(states(proposal), ['accepted']);
    assert.equal(readFileSync(path(), 'utf8'), 'made\n');
  });

  it('says that a path is that of a folder, or below a file, instead of proposing a new file', async () => {
    mkdirSync(uriOf('sub').fsPath);
    for (const name of ['sub', 'code.txt/new.txt']) {
      const edits = [{ find: '', replace: 'x\n' }];
      const answer = JSON.stringify({ explanation: '', files: [{ path: pathOf(name), edits }] });
      const proposal = await propose(answer);
      const [file] = proposal?.files ?? [];
      assert.deepEqual(
        file?.unplaced.map(({ reason }) => reason),
        ['unreadable'],
        name,
      );
      assert.equal(file?.hunks.length, 0);
    }
  });

  it('doesn’t keep the other files from being accepted when another editor is opened before it is shown', async () => {
    const files = ['made.txt', 'code.txt'].map((name) => ({
      path: pathOf(name),
      edits: [name === 'code.txt' ? { find: 'two', replace: 'TWO' } : { find: '', replace: 'made\n' }],
    }));
    const proposal = await propose(JSON.stringify({ explanation: '', files }));
    const restore = missShown();
    try {
      await vscode.commands.executeCommand('k3.acceptAll', { proposalId: proposal?.id });
    } finally {
      restore();
    }
    assert.equal(readFileSync(path(), 'utf8'), 'made\n');
    assert.equal(document.getText(), CODE.replace('two', 'TWO'));
    assert.deepEqual(asked.notes, []);
  });

  it('says that another new file of the proposal is in its way', async () => {
    const files = ['made', 'made/below.txt'].map((name) => ({
      path: pathOf(name),
      edits: [{ find: '', replace: 'x\n' }],
    }));
    const proposal = await propose(JSON.stringify({ explanation: '', files }));
    const shown = await shownBy(async () => {
      for (const { uri } of proposal?.files ?? [])
        await vscode.commands.executeCommand('k3.acceptAll', { proposalId: proposal?.id, uri });
    });
    assert.deepEqual(shown, ['made']);
    assert.equal(readFileSync(uriOf('made').fsPath, 'utf8'), 'x\n');
    assert.deepEqual(asked.notes, [
      `Couldn’t create ${pathOf('made/below.txt')} because its folder is read-only, or a file or folder is in the way. The proposal is kept.`,
    ]);
  });
});
