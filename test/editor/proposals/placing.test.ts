import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Proposal } from '../../../src/review/proposals/proposal.ts';
import { closeEditors, saveFiles } from '../editors.ts';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';

const INSERTIONS = { before: 'one\ntwo\nthree\n', after: 'one\nX\ntwo\nY\nthree\n' };

let scripted: Scripted;
let folder: vscode.Uri;

/** Registers the hooks of a `describe`. Hooks at the top level would run for the tests of all files. */
function aroundEach(): void {
  beforeEach(async () => {
    scripted = await startScripted();
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    folder = vscode.Uri.joinPath(root.uri, `placing-${Date.now()}`);
    await vscode.workspace.fs.createDirectory(folder);
  });

  afterEach(async () => {
    // Auto save would save the files later, to a deleted folder.
    await saveFiles();
    await closeEditors();
    await scripted.close();
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });
}

const uriOf = (name: string) => vscode.Uri.joinPath(folder, name);
const pathOf = (name: string) => vscode.workspace.asRelativePath(uriOf(name));

/** Writes a file, and opens it without an editor. */
async function open(name: string, text: string): Promise<vscode.TextDocument> {
  await vscode.workspace.fs.writeFile(uriOf(name), Buffer.from(text));
  return vscode.workspace.openTextDocument(uriOf(name));
}

/** The same, in an editor, which undo needs. */
async function show(name: string, text: string): Promise<vscode.TextDocument> {
  const document = await open(name, text);
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

async function useCrlf({ uri }: vscode.TextDocument): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, [vscode.TextEdit.setEndOfLine(vscode.EndOfLine.CRLF)]);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Asks about a file, and returns the proposal of the answer. */
async function propose(answer: string, about: vscode.TextDocument): Promise<Proposal> {
  scripted.will(streamOf([{ answer }, { finish: 'stop' }]));
  const { conversations, proposals } = scripted;
  const origin = { uri: about.uri.toString(), startLine: 0, endLine: 0, text: about.getText() };
  const question = { text: 'Change it.', images: [], origin, purpose: 'proposal' as const };
  const sent = await conversations.ask(conversations.current().id, question);
  assert.ok(sent.ok);
  const turn = await ended(conversations, sent.turnId);
  return until(() => proposals.ofTurn(turn.id)[0]);
}

const edit = (path: string, find: string, replace: string) =>
  JSON.stringify({ explanation: 'So.', files: [{ path, edits: [{ find, replace }] }] });

const states = ({ id }: Proposal) =>
  scripted.proposals.get(id)?.files.map(({ hunks }) => hunks.map(({ state }) => state));

const acceptAll = ({ id, files }: Proposal) =>
  vscode.commands.executeCommand('k3.acceptAll', { proposalId: id, uri: files[0]?.uri });

describe('Accepting all hunks of a file', () => {
  aroundEach();

  it('finishes a review with insertions above and below one line', async () => {
    const document = await show('near.txt', INSERTIONS.before);
    const proposal = await propose(edit(pathOf('near.txt'), INSERTIONS.before, INSERTIONS.after), document);
    for (const _ of ['once', 'again']) {
      await acceptAll(proposal);
      await until(() => states(proposal)?.[0]?.every((state) => state === 'accepted') || undefined);
      assert.equal(document.getText(), INSERTIONS.after);
    }
    await vscode.commands.executeCommand('undo');
    await until(() => states(proposal)?.[0]?.every((state) => state === 'open') || undefined);
    assert.equal(document.getText(), INSERTIONS.before);
  });

  for (const [name, text, find] of [
    ['an empty file', '', ''],
    ['a file of one line', 'a', 'a'],
  ] as const) {
    it(`finishes the review of ${name} in a document with CRLF`, async () => {
      const document = await open('crlf.txt', text);
      await useCrlf(document);
      const proposal = await propose(edit(pathOf('crlf.txt'), find, 'a\nb\nc'), document);
      assert.equal(proposal.files[0]?.after, 'a\r\nb\r\nc');
      for (const _ of ['once', 'again']) {
        await acceptAll(proposal);
        await until(() => states(proposal)?.[0]?.every((state) => state === 'accepted') || undefined);
        assert.equal(document.getText(), 'a\r\nb\r\nc');
      }
    });
  }
});

describe('A hunk of lines with white space at their ends', () => {
  aroundEach();

  it('can be accepted also when that is trimmed because the file is saved', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('trimTrailingWhitespace', true, vscode.ConfigurationTarget.Global);
    try {
      const document = await open('ends.txt', 'one\ntwo  \nthree\nfour \n\t\nfive\n');
      const edits = ['two', 'four'].map((find) => ({ find, replace: find.toUpperCase() }));
      const files = [{ path: pathOf('ends.txt'), edits }];
      const proposal = await propose(JSON.stringify({ explanation: '', files }), document);
      const uri = document.uri.toString();
      await vscode.commands.executeCommand('k3.acceptHunk', { proposalId: proposal.id, uri, hunkId: '0' });
      await document.save();
      assert.equal(document.getText(), 'one\nTWO\nthree\nfour\n\nfive\n');
      assert.deepEqual(states(proposal), [['accepted', 'open']]);
      await acceptAll(proposal);
      assert.match(document.getText(), /^one\nTWO\nthree\nFOUR *\n\nfive\n$/);
    } finally {
      await settings.update('trimTrailingWhitespace', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});

describe('A hunk that deletes one of two blank lines', () => {
  aroundEach();

  it('stays accepted when a blank line is typed and that is undone', async () => {
    const document = await show('blank.txt', '\n}\n');
    const proposal = await propose(edit(pathOf('blank.txt'), '\n}', '}'), document);
    const type = async (line: number) => {
      const change = new vscode.WorkspaceEdit();
      change.insert(document.uri, new vscode.Position(line, 0), '\n');
      assert.ok(await vscode.workspace.applyEdit(change));
    };
    await type(1);
    await acceptAll(proposal);
    assert.deepEqual([document.getText(), states(proposal)], ['\n}\n', [['accepted']]]);
    await type(1);
    await vscode.commands.executeCommand('undo');
    assert.deepEqual([document.getText(), states(proposal)], ['\n}\n', [['accepted']]]);
    await vscode.commands.executeCommand('undo');
    assert.deepEqual([document.getText(), states(proposal)], ['\n\n}\n', [['open']]]);
    await vscode.commands.executeCommand('redo');
    assert.deepEqual([document.getText(), states(proposal)], ['\n}\n', [['accepted']]]);
  });
});

describe('A diff in an answer', () => {
  aroundEach();

  it('changes each of the files in its headers, also if it is in several blocks', async () => {
    const [a, b] = [await open('a.txt', 'one\ntwo\n'), await open('b.txt', 'three\nfour\n')];
    const [first, second] = [a, b].map(({ uri }) => vscode.workspace.asRelativePath(uri));
    const partOf = (path: string | undefined, lines: string) => `--- a/${path}\n+++ b/${path}\n@@\n${lines}`;
    for (const answer of [
      `\`\`\`diff\n${partOf(first, '-two\n+TWO\n')}${partOf(second, '-three\n+THREE\n')}\`\`\`\n`,
      `\`\`\`diff\n${partOf(first, '-two\n+TWO\n')}\`\`\`\n\n\`\`\`diff\n${partOf(second, '-three\n+THREE\n')}\`\`\`\n`,
    ]) {
      const proposal = await propose(answer, a);
      assert.deepEqual(
        proposal.files.map(({ label, after, unplaced }) => [label, after, unplaced]),
        [
          [first, 'one\nTWO\n', []],
          [second, 'THREE\nfour\n', []],
        ],
      );
    }
  });

  it('changes the file in question if the name in its header does not exist', async () => {
    const document = await open('a.txt', 'one\ntwo\n');
    const proposal = await propose('```diff\n--- before.txt\n+++ after.txt\n@@\n-two\n+TWO\n```\n', document);
    assert.deepEqual(
      proposal.files.map(({ label, after }) => [label, after]),
      [[pathOf('a.txt'), 'one\nTWO\n']],
    );
  });

  it('creates or changes the file of the second name in its header if there is none of the first', async () => {
    const document = await open('a.txt', 'one\ntwo\n');
    const [a, b] = [pathOf('a.txt'), pathOf('b.txt')];
    for (const [names, lines, after] of [
      [`--- a/${a}.orig\n+++ b/${a}\n`, '@@ -2 +2 @@\n-two\n+TWO\n', [a, 'one\nTWO\n']],
      [`--- a/${a}\n+++ b/${b}\n`, '@@ -2 +2 @@\n-two\n+TWO\n', [a, 'one\nTWO\n']],
      [`--- a/${b}.orig\n+++ b/${b}\n`, '@@ -0,0 +1 @@\n+new\n', [b, 'new\n']],
      ['--- a/dev/null\n+++ b/'.concat(b, '\n'), '@@ -0,0 +1 @@\n+new\n', [b, 'new\n']],
    ] as const) {
      const proposal = await propose(`\`\`\`diff\n${names}${lines}\`\`\`\n`, document);
      assert.deepEqual(
        proposal.files.map(({ label, after }) => [label, after]),
        [after],
      );
    }
    const other = `--- a/${a}\n+++ b/${a}\n@@ -1 +1 @@\n-one\n+ONE\n`;
    const none = `--- a/${b}.orig\n+++ b/${b}\n@@ -2 +2 @@\n-two\n+TWO\n`;
    const proposal = await propose(`\`\`\`diff\n${none}${other}\`\`\`\n`, document);
    assert.deepEqual(
      proposal.files.map(({ label, unplaced }) => [label, ...unplaced.map(({ reason }) => reason)]),
      [[b, 'file-missing'], [a]],
    );
  });
});
