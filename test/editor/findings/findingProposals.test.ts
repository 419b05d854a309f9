/** Proposals that the user makes of findings and of code blocks, while hunks in the same file are under review. */
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createCodeBlockActions } from '../../../src/editor/proposals/codeBlockActions.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { closeEditors, saveFiles } from '../editors.ts';
import { type LeftOut, leaveOut } from '../leftOut.ts';
import { type Asking, watchModals } from '../modals.ts';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';

const CODE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

describe('A proposal that the user makes, beside hunks under review', () => {
  let scripted: Scripted;
  let folder: string;
  let document: vscode.TextDocument;
  let asking: Asking;
  /** Opens an editor with the proposal. */
  let reviews: LeftOut;
  beforeEach(async () => {
    scripted = await startScripted();
    asking = watchModals();
    reviews = leaveOut('k3.reviewProposal');
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    // Files outside the workspace may be read if they are in an editor, which costs more than all else.
    folder = await mkdtemp(join(root.uri.fsPath, 'findings-'));
    await writeFile(join(folder, 'code.txt'), CODE);
    document = await vscode.workspace.openTextDocument(join(folder, 'code.txt'));
  });
  afterEach(async () => {
    asking.restore();
    reviews.restore();
    await scripted.close();
    // Auto save would save the file later, to a deleted folder.
    await saveFiles();
    await closeEditors();
    await removeFolder(folder);
  });

  const findingAt = (word: string, replace: string, line: number) => ({
    file: vscode.workspace.asRelativePath(document.uri),
    startLine: line,
    endLine: line,
    severity: 'warning',
    claim: `${word} is a word.`,
    evidence: word,
    edit: { find: word, replace },
  });

  async function answered(): Promise<string> {
    const turn = await until(() => scripted.conversations.current().exchanges.at(-1)?.attempts.at(-1));
    await ended(scripted.conversations, turn.id);
    return turn.id;
  }

  /** Reviews the file, and returns the ids of the findings, as they are in the answer. */
  async function review(...findings: readonly object[]): Promise<readonly string[]> {
    scripted.will(streamOf([{ answer: JSON.stringify({ summary: '', findings }) }, { finish: 'stop' }]));
    await vscode.commands.executeCommand('k3.reviewFile', document.uri);
    const turnId = await answered();
    await until(() => scripted.findings.placementsOf(turnId));
    return scripted.findings.list().map(({ id }) => id);
  }

  const propose = (id: string | undefined) => vscode.commands.executeCommand('k3.proposeFinding', id);
  /** The new text of each hunk under review. */
  const shown = () =>
    scripted.proposals
      .ofFile(document.uri.toString())
      .flatMap(({ file }) => file.hunks)
      .filter(({ state }) => state === 'open')
      .map(({ hunk }) => hunk.after.trim());

  it('stands beside that of another finding at other lines, without a question', async () => {
    const [first, second] = await review(findingAt('two', '2', 2), findingAt('six', '6', 6));
    await propose(first);
    await propose(second);
    assert.deepEqual(asking.titles, []);
    assert.deepEqual(shown().sort(), ['2', '6']);
    assert.deepEqual(
      reviews.calls,
      scripted.proposals.ofFile(document.uri.toString()).map(({ proposal: { id } }) => [{ proposalId: id }]),
    );
  });

  it('changes the lines of its finding, of several with the same text', async () => {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(CODE.length), CODE);
    await vscode.workspace.applyEdit(edit);
    const [first, second] = await review(findingAt('two', '2', 9), findingAt('six', '6', 6));
    await propose(first);
    await propose(second);
    const found = scripted.proposals.ofFile(document.uri.toString()).flatMap(({ file }) => file.hunks);
    assert.deepEqual(
      found.map(({ hunk, state }) => [hunk.line + 1, hunk.after.trim(), state]),
      [
        [9, '2', 'open'],
        [6, '6', 'open'],
      ],
    );
  });

  it('takes its finding away when it is accepted, although its quotation is still there, until that is undone', async () => {
    const more = { find: 'two', replace: 'two\n2' };
    const [first, second] = await review(
      { ...findingAt('two', '', 2), edit: more },
      findingAt('six', '6', 6),
    );
    const left = () => [
      scripted.findings.list().map(({ id }) => id),
      vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'K3 review').length,
    ];
    await propose(first);
    assert.deepEqual(left(), [[first, second], 2]);
    await vscode.commands.executeCommand('k3.acceptAll', reviews.calls[0]?.[0]);
    assert.equal(document.getText(), CODE.replace('two', 'two\n2'));
    assert.deepEqual(left(), [[second], 1]);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.deepEqual(left(), [[first, second], 2]);
    await vscode.commands.executeCommand('redo');
    assert.deepEqual(left(), [[second], 1]);
  });

  it('asks before it replaces hunks in its lines, and leaves those of other proposals alone', async () => {
    const [first, second, third] = await review(
      findingAt('two', '2', 2),
      findingAt('two', 'zwei', 2),
      findingAt('six', '6', 6),
    );
    await propose(first);
    await propose(third);
    await propose(second);
    assert.match(asking.titles.join(), /^Replace the proposal for .*code\.txt that you are reviewing\?$/);
    assert.match(asking.details[0] ?? '', /^1 of its hunks is still open\.$/, 'only the one in its lines');
    assert.deepEqual(asking.focused, ['Keep Proposal']);
    assert.deepEqual(shown().sort(), ['2', '6']);
    asking.answer = 'Replace';
    await propose(second);
    assert.deepEqual(shown().sort(), ['6', 'zwei']);
  });

  it('of a code block follows the same rule', async () => {
    const [first] = await review(findingAt('two', '2', 2));
    await propose(first);
    const { conversations, proposals } = scripted;
    const lines = (line: number) => ({
      uri: document.uri.toString(),
      startLine: line,
      endLine: line,
      text: `${CODE.split('\n')[line]}\n`,
    });
    const { id } = conversations.current();
    const blocks = createCodeBlockActions({
      conversations,
      proposals,
      renames: { since: () => ({ uriNow: async (uri) => uri, withFilesNow: async (question) => question }) },
      lastEditor: { get: () => undefined } as never,
    });
    for (const [line, text] of [
      [5, '6\n'],
      [1, 'zwei\n'],
    ] as const) {
      scripted.will(streamOf([{ answer: 'So.' }, { finish: 'stop' }]));
      const sent = await conversations.ask(id, { text: 'And?', images: [], origin: lines(line) });
      assert.ok(sent.ok);
      await ended(conversations, sent.turnId);
      const exchangeId = conversations.current().exchanges.at(-1)?.id ?? '';
      await blocks.perform('apply', id, { exchangeId, text, info: 'txt' });
    }
    assert.equal(asking.titles.length, 1);
    assert.deepEqual(shown().sort(), ['2', '6']);
  });
});
