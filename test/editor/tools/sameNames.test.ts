/** A workspace with two folders that have the same name. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { originsOf } from '../../../src/conversation/question.ts';
import { renewQuestion } from '../../../src/editor/chatView/renewedQuestion.ts';
import { findTarget } from '../../../src/editor/proposals/proposalFiles.ts';
import { toProposedFiles } from '../../../src/editor/proposals/proposedFiles.ts';
import { toReviewQuestion } from '../../../src/editor/proposals/sentReviewQuestion.ts';
import { toPath } from '../../../src/editor/workspace/selectedCode.ts';
import { toFileProposal } from '../../../src/review/proposals/proposal.ts';
import type { UnderReview } from '../../../src/review/proposals/proposalSet.ts';
import { openNotebook } from '../notebooks.ts';
import { aroundTools, call, made, pathOf, textOf } from './toolsWorkspace.ts';

describe('A workspace whose folders have the same name', () => {
  aroundTools();
  let folders: readonly vscode.WorkspaceFolder[];
  let restore: () => void = () => undefined;
  const uriIn = (which: number, path: string) => {
    const folder = folders[which];
    assert.ok(folder);
    return vscode.Uri.joinPath(folder.uri, path);
  };

  before(async () => {
    const texts = { one: { 'both.txt': 'of one' }, two: { 'both.txt': 'of two', 'only.txt': 'only in two' } };
    for (const [name, files] of Object.entries(texts)) {
      await mkdir(join(made, name, 'app'), { recursive: true });
      for (const [file, text] of Object.entries(files)) await writeFile(join(made, name, 'app', file), text);
    }
    folders = ['one', 'two'].map((name, index) => ({
      uri: vscode.Uri.file(join(made, name, 'app')),
      name: 'app',
      index,
    }));
    restore = openAll(folders);
  });
  after(() => restore());

  it('has files read that only a later one has, and a path that leads to several is refused with their addresses', async () => {
    assert.match(await textOf('read_file', { path: 'app/only.txt' }), /only in two/);
    const refused = await call('read_file', { path: 'app/both.txt' });
    assert.equal(refused.failed, true);
    const addresses = [0, 1].map((which) => uriIn(which, 'both.txt').toString());
    for (const address of addresses) assert.ok(refused.text.includes(address), refused.text);
    assert.match(await textOf('read_file', { path: addresses[1] }), /of two/);
  });

  it('is searched in one of its folders by a pattern that begins with the name of that', async () => {
    assert.equal(await textOf('find_files', { pattern: 'app/only*' }), 'app/only.txt');
    assert.equal(
      await textOf('search_text', { text: 'only in', include: 'app/**/*.txt' }),
      'app/only.txt:1: only in two',
    );
  });

  it('has the changes of an answer in the folder of the file that was asked about', async () => {
    const origin = { uri: uriIn(1, 'only.txt').toString(), startLine: 0, endLine: 0, text: 'only in two' };
    assert.equal((await findTarget('app/both.txt', { origin })).text, 'of two');
    assert.equal((await findTarget('app/only.txt', { origin: undefined })).text, 'only in two');
    const address = uriIn(1, 'both.txt').toString();
    assert.equal(
      (await findTarget(address, { origin: undefined })).text,
      'of two',
      'the address that tools ask for',
    );
    assert.equal(
      (await findTarget('app/new.txt', { origin })).uri.toString(),
      uriIn(1, 'new.txt').toString(),
    );
  });

  it('has the changes of an answer in the file that the message had, and so did its folder', async () => {
    const contexts = [[uriIn(1, 'both.txt')], [uriIn(1, '')], [uriIn(0, 'both.txt')], []];
    const texts = contexts.map(async (uris) => {
      const context = uris.map((uri) => ({ uri: uri.toString() }));
      return (await findTarget('app/both.txt', { origin: undefined, context })).text;
    });
    assert.deepEqual(await Promise.all(texts), ['of two', 'of two', 'of one', 'of one']);
  });

  it('has each file of a review that is sent under a name of its own, by which the answer finds it', async () => {
    const uris = [uriIn(0, 'both.txt'), uriIn(1, 'both.txt'), uriIn(1, 'only.txt')];
    const reviewed = await Promise.all(
      uris.map(async (uri, at): Promise<UnderReview> => {
        const before = (await vscode.workspace.openTextDocument(uri)).getText();
        const [label, after] = [toPath({ uri }), `new ${before}`];
        const made = {
          uri: uri.toString(),
          label,
          isNew: false,
          before,
          after,
          asked: undefined,
          unplaced: [],
        };
        const file = toFileProposal(made);
        const ids = { id: `p${at}`, turnId: 't', conversationId: 'c', createdAt: at };
        return { proposal: { ...ids, files: [file], trouble: undefined, revises: undefined }, file };
      }),
    );
    const remarks = uris.map((uri, at) => ({
      ...{ id: `r${at}`, uri: uri.toString(), hunk: undefined, quote: '' },
      ...{ startLine: 0, endLine: 0, text: 'Why?' },
    }));
    const question = await toReviewQuestion(reviewed, remarks, async () => true);
    assert.ok(question);
    const origins = originsOf(question);
    const paths = origins.map(({ path = '' }) => path);
    assert.deepEqual(paths, ['one/app/both.txt', 'two/app/both.txt', 'app/only.txt']);
    for (const [at, path] of paths.entries()) {
      for (const heading of [
        `Remark ${at + 1}, on`,
        'propose it again unless a remark changes it, on',
        'The code as it is now,',
      ])
        assert.ok(question.text.includes(`${heading} ${path}, line 1`), question.text);
      assert.equal((await findTarget(path, question)).uri.toString(), uris[at]?.toString());
    }
    const again = await renewQuestion(question, [], { ofTurn: () => [] });
    assert.equal(again.text, question.text);
    assert.deepEqual(originsOf(again), origins);
  });
});

describe('A workspace with one folder, whose others were removed', () => {
  aroundTools();

  it('has its files read and changed by the paths that the model saw before, which begin with the name of the folder', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const path = `${folder.name}/${pathOf('one.txt')}`;
    assert.match(await textOf('read_file', { path }), /two/);
    const list = (await textOf('list_files', { path: folder.name })).split('\n');
    assert.ok(list.includes(`${pathOf('')}`), list.join());
    const edits = [{ find: 'two', replace: 'TWO' }];
    const answer = JSON.stringify({ explanation: '', files: [{ path, edits }] });
    const { files } = await toProposedFiles(answer, { text: '', images: [], origin: undefined });
    assert.deepEqual(
      files.map(({ uri, hunks, unplaced }) => [uri, hunks.length, unplaced.length]),
      [[vscode.Uri.joinPath(folder.uri, pathOf('one.txt')).toString(), 1, 0]],
    );
    const created = await toProposedFiles(
      JSON.stringify({ explanation: '', files: [{ path, edits: [{ find: '', replace: 'new' }] }] }),
      { text: '', images: [], origin: undefined },
    );
    assert.ok(created.files[0]?.isNew && created.files[0].uri.includes(`/${folder.name}/${path}`));
  });

  it('has the cells of its notebooks read and changed by such paths, too', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, pathOf('cells.ipynb'));
    const notebook = await openNotebook(uri, 'a = 1', 'b = 2');
    const path = `${folder.name}/${pathOf('cells.ipynb')}`;
    assert.match(await textOf('read_file', { path: `${path}#2` }), /b = 2/);
    assert.match((await call('read_file', { path: `${path}#9` })).text, /cells\.ipynb has 2 cells\.$/);
    const edits = [{ find: 'b = 2', replace: 'b = 3' }];
    const answer = JSON.stringify({ explanation: '', files: [{ path: `${path}#2`, edits }] });
    const { files } = await toProposedFiles(answer, { text: '', images: [], origin: undefined });
    assert.deepEqual(
      files.map((file) => [file.uri, file.hunks.length]),
      [[notebook.cellAt(1).document.uri.toString(), 1]],
    );
  });
});

/** Replaces part of `vscode.workspace`, because the editor restarts when its folders change. Returns the undo. */
function openAll(folders: readonly vscode.WorkspaceFolder[]): () => void {
  const { workspace } = vscode;
  const folderOf = (uri: vscode.Uri) => folders.find((one) => `${uri.path}/`.startsWith(`${one.uri.path}/`));
  const replaced = {
    workspaceFolders: { get: () => folders },
    getWorkspaceFolder: { value: folderOf },
    asRelativePath: {
      value: (at: vscode.Uri | string) => {
        const uri = typeof at === 'string' ? vscode.Uri.file(at) : at;
        const folder = folderOf(uri);
        return folder === undefined ? uri.path : `${folder.name}${uri.path.slice(folder.uri.path.length)}`;
      },
    },
  };
  const names = ['workspaceFolders', 'getWorkspaceFolder', 'asRelativePath'] as const;
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(workspace, name)] as const);
  for (const name of names) Object.defineProperty(workspace, name, { configurable: true, ...replaced[name] });
  return () => {
    for (const [name, descriptor] of before)
      if (descriptor !== undefined) Object.defineProperty(workspace, name, descriptor);
  };
}
