import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Proposal } from '../../../src/review/proposals/proposal.ts';
import { renameOnDisk } from '../renameOnDisk.ts';
import { streamOf, until } from '../scripted.ts';
import {
  aroundProposals,
  asked,
  CODE,
  edits,
  latest,
  openHidden,
  pathOf,
  propose,
  proposeIn,
  run,
  scripted,
  uriOf,
} from './proposing.ts';

const textOf = async (name: string) => (await vscode.workspace.openTextDocument(uriOf(name))).getText();

const acceptAll = ({ id }: Proposal) => vscode.commands.executeCommand('k3.acceptAll', { proposalId: id });

const statesIn = ({ id }: Proposal) =>
  scripted.proposals.get(id)?.files.map(({ hunks }) => hunks.map(({ state }) => state).join());

/** Lists that are answered as the test says; what they offered. */
interface Lists {
  readonly offered: string[];
  /** What is below them. */
  readonly details: (string | undefined)[];
  choose: string | undefined;
  restore(): void;
}

function watchLists(): Lists {
  const { showQuickPick } = vscode.window;
  const lists: Lists = {
    offered: [],
    details: [],
    choose: 'This message',
    restore: () => void Object.assign(vscode.window, { showQuickPick }),
  };
  Object.assign(vscode.window, {
    async showQuickPick(items: readonly vscode.QuickPickItem[]) {
      lists.offered.push(...items.map(({ label, description }) => `${label}: ${description}`));
      lists.details.push(...items.map(({ detail }) => detail));
      return items.find(({ label }) => label === lists.choose);
    },
  });
  return lists;
}

/** An edit by hand, at the end of the first line. */
async function type(name: string, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const { range } = (await vscode.workspace.openTextDocument(uriOf(name))).lineAt(0);
  edit.insert(uriOf(name), range.end, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

const revert = (turnId?: string) => vscode.commands.executeCommand('k3.revertMessage', turnId);

describe('Revert Accepted Edits', () => {
  aroundProposals();
  let lists: Lists;
  beforeEach(() => {
    lists = watchLists();
  });
  afterEach(() => lists.restore());

  it('takes three files back, keeps what was typed in one, and says so', async () => {
    const proposal = await proposeIn(['a.txt', 'b.txt', 'c.txt']);
    await acceptAll(proposal);
    await type('c.txt', ', by hand');
    await revert();
    assert.deepEqual(lists.offered, ['This message: 3 edits in 3 files']);
    assert.equal(await textOf('a.txt'), 'text of a.txt\n');
    assert.equal(await textOf('b.txt'), 'text of b.txt\n');
    assert.equal(await textOf('c.txt'), 'new text of c.txt, by hand\n');
    assert.deepEqual(statesIn(proposal), ['open', 'open', 'accepted']);
    assert.match(asked.notes.join('\n'), /Reverted 2 edits in 2 files\. 1 accepted edit was not reverted/);
    assert.deepEqual(asked.titles, []);
  });

  it('is undone in each file at once, and the hunks are accepted again', async () => {
    const proposal = await proposeIn(['a.txt']);
    await acceptAll(proposal);
    await revert();
    await vscode.window.showTextDocument(uriOf('a.txt'));
    await vscode.commands.executeCommand('undo');
    assert.equal(await textOf('a.txt'), 'new text of a.txt\n');
    assert.deepEqual(statesIn(proposal), ['accepted']);
  });

  it('is undone also for a hunk that was rejected since, and for one whose proposal was replaced', async () => {
    const rejected = await proposeIn(['a.txt']);
    await acceptAll(rejected);
    await revert();
    await vscode.commands.executeCommand('k3.rejectAll', { proposalId: rejected.id });
    assert.deepEqual(statesIn(rejected), ['rejected']);
    await vscode.window.showTextDocument(uriOf('a.txt'));
    await vscode.commands.executeCommand('undo');
    assert.deepEqual(statesIn(rejected), ['accepted']);
    const replaced = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four', 'FOUR']));
    assert.ok(replaced);
    await run('k3.acceptHunk', replaced, latest(replaced).hunks[0]?.hunk.id);
    await propose(edits(pathOf('code.txt'), ['four', 'Four']));
    assert.notEqual(latest(replaced).replacedBy, undefined);
    await revert(replaced.turnId);
    assert.deepEqual([await textOf('code.txt'), statesIn(replaced)], [CODE, ['open,open']]);
    await vscode.window.showTextDocument(uriOf('code.txt'));
    await vscode.commands.executeCommand('undo');
    assert.deepEqual(statesIn(replaced), ['accepted,open']);
    await revert(replaced.turnId);
    assert.equal(await textOf('code.txt'), CODE);
  });

  it('takes all messages since one back, and changes nothing that was sent', async () => {
    const first = await proposeIn(['a.txt', 'b.txt']);
    await acceptAll(first);
    const again = [{ path: pathOf('a.txt'), edits: [{ find: 'new text of a.txt', replace: 'newer text' }] }];
    const second = await propose(JSON.stringify({ explanation: '', files: again }));
    assert.ok(second);
    await acceptAll(second);
    lists.choose = 'This message and all later messages';
    const sent: string[] = [];
    const ask = async () => {
      scripted.will((response, body) => {
        sent.push(JSON.stringify(JSON.parse(body).messages.slice(0, 4)));
        return streamOf([{ answer: 'Yes.' }, { finish: 'stop' }])(response, body);
      });
      const { conversations } = scripted;
      await conversations.ask(conversations.current().id, {
        text: 'Is it so?',
        images: [],
        origin: undefined,
      });
      await until(() => conversations.current().exchanges.at(-1)?.attempts.at(-1)?.outcome === 'complete');
    };
    await ask();
    await revert(first.turnId);
    assert.deepEqual(lists.offered, [
      'This message: 2 edits in 2 files',
      'This message and all later messages: 3 edits in 2 files',
    ]);
    // Also what isn't in view.
    const names = `${pathOf('a.txt')}, ${pathOf('b.txt')}`;
    assert.deepEqual(lists.details, [`${names} · Change it.`, names]);
    assert.equal(await textOf('a.txt'), 'text of a.txt\n');
    assert.equal(await textOf('b.txt'), 'text of b.txt\n');
    assert.equal(asked.notes.length, 0);
    await ask();
    assert.equal(sent[1], sent[0]);
    await revert(first.turnId);
    assert.match(asked.notes.join('\n'), /There are no accepted edits to revert/);
  });

  it('takes the files of all messages since one back, on the disk when they are saved', async () => {
    const names = ['a.txt', 'b.txt'];
    const onDisk = async () => {
      for (const name of names) await (await vscode.workspace.openTextDocument(uriOf(name))).save();
      return names.map((name) => readFileSync(uriOf(name).fsPath, 'utf8'));
    };
    const first = await proposeIn(['a.txt']);
    await acceptAll(first);
    const second = await proposeIn(['b.txt']);
    await acceptAll(second);
    assert.deepEqual(await onDisk(), ['new text of a.txt\n', 'new text of b.txt\n']);
    lists.choose = 'This message and all later messages';
    await revert(first.turnId);
    assert.deepEqual(lists.offered, [
      'This message: 1 edit in 1 file',
      'This message and all later messages: 2 edits in 2 files',
    ]);
    assert.deepEqual([statesIn(first), statesIn(second)], [['open'], ['open']]);
    assert.deepEqual(await onDisk(), ['text of a.txt\n', 'text of b.txt\n']);
  });

  it('follows a file whose edits were accepted, when another program renames it', async () => {
    // A name that no test before has: with two files of the same text that are gone, nobody knows which one was renamed.
    const proposal = await proposeIn(['followed.txt']);
    await acceptAll(proposal);
    const files = () => scripted.proposals.followed().map(({ uri }) => uri);
    assert.ok(files().includes(uriOf('followed.txt').toString()));
    // saveAll leaves out a document that has no editor yet.
    assert.ok(await (await vscode.workspace.openTextDocument(uriOf('followed.txt'))).save());
    assert.equal(readFileSync(uriOf('followed.txt').fsPath, 'utf8'), 'new text of followed.txt\n');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await renameOnDisk(uriOf('followed.txt'), uriOf('moved.txt'));
    // The editor reports it, and the texts are compared a second later.
    await until(() => files().includes(uriOf('moved.txt').toString()));
    assert.ok(!files().includes(uriOf('followed.txt').toString()));
    await revert();
    assert.equal(await textOf('moved.txt'), 'text of followed.txt\n');
    assert.deepEqual(asked.notes, []);
  });

  it('knows which message was later when the clock is set back between them', async () => {
    const { now } = Date;
    const first = await proposeIn(['a.txt']);
    await acceptAll(first);
    const again = [{ path: pathOf('a.txt'), edits: [{ find: 'new text of a.txt', replace: 'newer text' }] }];
    Date.now = () => now() - 3_600_000;
    const answer = JSON.stringify({ explanation: '', files: again });
    const second = await propose(answer).finally(() => Object.assign(Date, { now }));
    assert.ok(second);
    await acceptAll(second);
    assert.ok(second.createdAt > first.createdAt);
    lists.choose = 'This message and all later messages';
    await revert(second.turnId);
    assert.deepEqual(lists.offered, ['This message: 1 edit in 1 file']);
    await revert(first.turnId);
    assert.equal(await textOf('a.txt'), 'text of a.txt\n');
  });

  it('deletes a file that an edit created after asking, and can create it again', async () => {
    const files = [{ path: pathOf('new.txt'), edits: [{ find: '', replace: 'made\n' }] }];
    const proposal = await propose(JSON.stringify({ explanation: '', files }));
    assert.ok(proposal);
    await acceptAll(proposal);
    assert.equal(readFileSync(uriOf('new.txt').fsPath, 'utf8'), 'made\n');
    await revert();
    assert.match(asked.titles.join(), /Delete 1 file that an accepted edit created\?/);
    assert.equal(existsSync(uriOf('new.txt').fsPath), true);
    asked.answer = 'Delete and Revert';
    await revert();
    assert.equal(existsSync(uriOf('new.txt').fsPath), false);
    assert.deepEqual(statesIn(proposal), ['open']);
    await acceptAll(proposal);
    assert.equal(readFileSync(uriOf('new.txt').fsPath, 'utf8'), 'made\n');
  });

  it('asks about a protected file, as accepting does, and says what was not allowed', async () => {
    await openHidden('.vscode/settings.json', '{}\n');
    const files = [{ path: pathOf('.vscode/settings.json'), edits: [{ find: '{}', replace: '{ }' }] }];
    const proposal = await propose(JSON.stringify({ explanation: '', files }));
    assert.ok(proposal);
    asked.answer = 'Allow Once';
    await acceptAll(proposal);
    assert.equal(await textOf('.vscode/settings.json'), '{ }\n');
    asked.answer = undefined;
    await revert();
    assert.equal(await textOf('.vscode/settings.json'), '{ }\n');
    assert.match(asked.titles.at(-1) ?? '', /Apply this change to settings\.json\?/);
    assert.match(asked.notes.join('\n'), /1 accepted edit was not reverted/);
  });

  it('changes no file whose path leads to another one since it was allowed, and says so', async () => {
    const link = uriOf('linked').fsPath;
    await openHidden('real/b.txt', 'b\n');
    await openHidden('other/b.txt', 'B\n');
    await openHidden('.vscode/settings.json', '{}\n');
    symlinkSync(uriOf('real').fsPath, link);
    const changed = (path: string, find: string, replace: string) => ({
      path: pathOf(path),
      edits: [{ find, replace }],
    });
    // They are reverted from the last one on.
    const files = [changed('.vscode/settings.json', '{}', '{ }'), changed('linked/b.txt', 'b', 'B')];
    const proposal = await propose(JSON.stringify({ explanation: '', files }));
    assert.ok(proposal);
    asked.answer = 'Allow Once';
    await acceptAll(proposal);
    await vscode.workspace.saveAll();
    asked.meanwhile = async () => {
      unlinkSync(link);
      symlinkSync(uriOf('other').fsPath, link);
    };
    await revert();
    assert.deepEqual([await textOf('linked/b.txt'), await textOf('.vscode/settings.json')], ['B\n', '{}\n']);
    assert.deepEqual(statesIn(proposal), ['open', 'accepted']);
    assert.match(
      asked.notes.join('\n'),
      /b\.txt was not changed because its path now leads to a different file/,
    );
  });

  it('lists what was kept, and compares it on demand', async () => {
    const proposal = await proposeIn(['a.txt']);
    await acceptAll(proposal);
    await type('a.txt', ', by hand');
    const { showWarningMessage } = vscode.window;
    Object.assign(vscode.window, {
      async showWarningMessage() {
        lists.choose = pathOf('a.txt');
        return 'Show Edits…';
      },
    });
    await revert();
    const input = await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.input);
    Object.assign(vscode.window, { showWarningMessage });
    assert.ok(lists.offered.includes(`${pathOf('a.txt')}: changed since it was accepted`));
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.modified.toString(), uriOf('a.txt').toString());
    const without = await vscode.workspace.openTextDocument(input.original);
    assert.equal(without.getText(), 'text of a.txt\n');
  });
});
