import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Question } from '../../../src/conversation/question.ts';
import { toQuestion } from '../../../src/editor/code/codeQuestions.ts';
import { createProposals } from '../../../src/editor/proposals/proposalList.ts';
import { linesOfDocument } from '../../../src/editor/workspace/selectedCode.ts';
import type { Proposal } from '../../../src/review/proposals/proposal.ts';
import { EMPTY_STORE } from '../../support/review/emptyStore.ts';
import { findCodeLens, runCommand } from '../actions.ts';
import { openNotebook, toNotebook } from '../notebooks.ts';
import { renameOnDisk } from '../renameOnDisk.ts';
import { streamOf, until } from '../scripted.ts';
import { aroundProposals, edits, openHidden, pathOf, scripted, sentReview, uriOf } from './proposing.ts';

const { workspace } = vscode;

/** Asks for a change of all of a cell, does something while the answer runs, and returns its proposal. */
async function proposeWhile(
  question: Question,
  answer: string,
  meanwhile: () => Promise<unknown>,
): Promise<Proposal> {
  const { conversations, proposals } = scripted;
  scripted.will(async (response, body) => {
    await meanwhile();
    await streamOf([{ answer }, { finish: 'stop' }])(response, body);
  });
  const sent = await conversations.ask(conversations.current().id, question);
  assert.ok(sent.ok);
  return until(() => proposals.ofTurn(sent.turnId)[0]);
}

/** An answer that replaces lines in files. */
const inFiles = (...files: readonly (readonly [path: string, find: string, replace: string])[]) =>
  JSON.stringify({
    explanation: '',
    files: files.map(([path, find, replace]) => ({ path, edits: [{ find, replace }] })),
  });

/** A question about all of a cell. */
const about = ({ document }: vscode.NotebookCell): Question =>
  toQuestion({
    task: 'edit',
    code: linesOfDocument(document, 0, document.lineCount - 1),
    instruction: 'Change it.',
    diagnostics: [],
  });

async function rename(from: string, to: string): Promise<void> {
  const moving = new vscode.WorkspaceEdit();
  moving.renameFile(uriOf(from), uriOf(to));
  await workspace.applyEdit(moving);
  // The extension has asked for it before, and knows its cells then.
  await workspace.openNotebookDocument(uriOf(to));
}

/** Adds a cell above all others. */
async function addCell(notebook: vscode.NotebookDocument, text: string): Promise<void> {
  const count = notebook.cellCount;
  const editing = new vscode.WorkspaceEdit();
  const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python');
  editing.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, [cell])]);
  await workspace.applyEdit(editing);
  await until(() => notebook.cellCount > count);
}

/** The labels of the files, with the lines that are inserted, and whether a file is created. */
const hunksOf = ({ id }: Proposal) =>
  scripted.proposals
    .get(id)
    ?.files.map(({ label, hunks, isNew }) => [label, hunks.map(({ hunk }) => hunk.after), isNew]);

describe('A notebook whose cell an answer changes', () => {
  aroundProposals();

  it('can be named by any path that leads to it', async () => {
    const notebook = await openNotebook(uriOf('a.ipynb'), 'a = 1', 'b = 2');
    for (const path of [uriOf('a.ipynb').fsPath, pathOf('none/../a.ipynb')]) {
      const answer = inFiles([`${path}#2`, 'b = 2', 'b = 3']);
      const proposal = await proposeWhile(about(notebook.cellAt(0)), answer, async () => undefined);
      assert.deepEqual(hunksOf(proposal), [[`${pathOf('a.ipynb')}#2`, ['b = 3'], false]], path);
    }
  });

  it('keeps the place of the change when it is renamed while the answer runs', async () => {
    const notebook = await openNotebook(uriOf('a.ipynb'), 'a = 1', 'b = 2');
    await vscode.window.showNotebookDocument(notebook);
    const answer = inFiles(
      [`${pathOf('a.ipynb')}#2`, 'b = 2', 'b = 3'],
      [pathOf('code.txt'), 'two\n', 'TWO\n'],
    );
    const proposal = await proposeWhile(about(notebook.cellAt(1)), answer, () =>
      rename('a.ipynb', 'b.ipynb'),
    );
    assert.deepEqual(hunksOf(proposal), [
      [`${pathOf('b.ipynb')}#2`, ['b = 3'], false],
      [pathOf('code.txt'), ['TWO\n'], false],
    ]);
  });

  it('keeps the place also if the answer ends before the editor has opened the renamed notebook', async () => {
    const notebook = await openNotebook(uriOf('i.ipynb'), 'a = 1', 'b = 2');
    await vscode.window.showNotebookDocument(notebook);
    const { openNotebookDocument } = workspace;
    let opens = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      opens = resolve;
    });
    Object.assign(workspace, {
      async openNotebookDocument(uri: vscode.Uri) {
        await opened;
        return Reflect.apply(openNotebookDocument, workspace, [uri]);
      },
    });
    const { conversations } = scripted;
    const listening = conversations.onDidChange((change) => {
      if (change.type === 'turn' && change.turn.outcome !== undefined) setTimeout(opens, 100);
    });
    const answer = inFiles([`${pathOf('i.ipynb')}#2`, 'b = 2', 'b = 3'], [pathOf('code.txt'), 'two', 'TWO']);
    const proposal = await proposeWhile(about(notebook.cellAt(1)), answer, async () => {
      const moving = new vscode.WorkspaceEdit();
      moving.renameFile(uriOf('i.ipynb'), uriOf('j.ipynb'));
      await workspace.applyEdit(moving);
    }).finally(() => {
      listening.dispose();
      Object.assign(workspace, { openNotebookDocument });
    });
    assert.deepEqual(hunksOf(proposal)?.[0], [`${pathOf('j.ipynb')}#2`, ['b = 3'], false]);
  });

  it('keeps the place when a cell is added above it while the answer runs', async () => {
    const notebook = await openNotebook(uriOf('c.ipynb'), 'a = 1', 'b = 2');
    const answer = inFiles(
      [`${pathOf('c.ipynb')}#2`, 'b = 2', 'b = 3'],
      [pathOf('code.txt'), 'two\n', 'TWO\n'],
    );
    const proposal = await proposeWhile(about(notebook.cellAt(1)), answer, () => addCell(notebook, 'x = 0'));
    assert.deepEqual(hunksOf(proposal), [
      [`${pathOf('c.ipynb')}#3`, ['b = 3'], false],
      [pathOf('code.txt'), ['TWO\n'], false],
    ]);
  });

  it('keeps the places of the changes of several cells when one is added above them', async () => {
    const notebook = await openNotebook(uriOf('d.ipynb'), 'a = 1', 'b = 2', 'c = 3');
    const [first, second] = [1, 2].map((at) => about(notebook.cellAt(at)));
    assert.ok(first && second?.origin);
    const answer = inFiles(
      [`${pathOf('d.ipynb')}#2`, 'b = 2', 'b = 5'],
      [`${pathOf('d.ipynb')}#3`, 'c = 3', 'c = 6'],
    );
    const proposal = await proposeWhile({ ...first, more: [second.origin] }, answer, () =>
      addCell(notebook, 'x = 0'),
    );
    assert.deepEqual(hunksOf(proposal), [
      [`${pathOf('d.ipynb')}#3`, ['b = 5'], false],
      [`${pathOf('d.ipynb')}#4`, ['c = 6'], false],
    ]);
  });
});

describe('A file that another program renames while an answer that changes it runs', () => {
  aroundProposals();

  it('gets the changes under its new name', async () => {
    // A text that no test before has: of two files with the same text that are gone, nobody knows which one was renamed.
    const code = await openHidden('tides.txt', 'ebb\ntwo\nflood\n');
    const question = toQuestion({
      task: 'edit',
      code: linesOfDocument(code, 1, 3),
      instruction: 'Change it.',
      diagnostics: [],
    });
    const answer = edits(pathOf('tides.txt'), ['two\n', 'TWO\n']);
    const watcher = workspace.createFileSystemWatcher('**/moved.txt');
    const reported = new Promise((resolve) => void watcher.onDidCreate(resolve));
    const proposal = await proposeWhile(question, answer, async () => {
      await renameOnDisk(uriOf('tides.txt'), uriOf('moved.txt'));
      // A busy machine reports it late.
      await reported;
    }).finally(() => watcher.dispose());
    assert.deepEqual(hunksOf(proposal), [[pathOf('moved.txt'), ['TWO\n'], false]]);
  });
});

/** Opens an untitled document that would be saved under this name, and types a text. */
async function openUntitled(name: string, text: string): Promise<vscode.TextDocument> {
  const one = await workspace.openTextDocument(uriOf(name).with({ scheme: 'untitled' }));
  const editor = await vscode.window.showTextDocument(one);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
  return one;
}

describe('A file that has the name of one that was renamed', () => {
  aroundProposals();

  it('does not get the changes of an answer about the other one, also if that was an untitled document', async () => {
    const first = await openUntitled('first.txt', 'one\ntwo\n');
    const question = toQuestion({
      task: 'edit',
      code: linesOfDocument(first, 0, 1),
      instruction: 'Change it.',
      diagnostics: [],
    });
    const answer = edits(question.origin?.path ?? '', ['two', 'TWO']);
    const proposal = await proposeWhile(question, answer, async () => {
      assert.equal(await first.save(), true);
      await until(() => first.isClosed);
      const moving = new vscode.WorkspaceEdit();
      moving.renameFile(uriOf('first.txt'), uriOf('last.txt'));
      await workspace.applyEdit(moving);
      await openUntitled('first.txt', 'one\ntwo\n');
    });
    assert.deepEqual(hunksOf(proposal), [[pathOf('last.txt'), ['TWO\n'], false]]);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('gets the changes of an answer about it, also if it is an untitled document', async () => {
    const saved = await openUntitled('saved.txt', 'one\ntwo\n');
    assert.equal(await saved.save(), true);
    await until(() => saved.isClosed);
    await workspace.fs.delete(uriOf('saved.txt'));
    const fresh = await openUntitled('saved.txt', 'one\nother\n');
    const question = toQuestion({
      task: 'edit',
      code: linesOfDocument(fresh, 0, 1),
      instruction: 'Change it.',
      diagnostics: [],
    });
    const answer = edits(question.origin?.path ?? '', ['other', 'OTHER']);
    const proposal = await proposeWhile(question, answer, async () => undefined);
    assert.equal(proposal.files[0]?.uri, fresh.uri.toString());
    assert.deepEqual(proposal.files[0]?.unplaced, []);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});

describe('Another cell of a notebook that an answer names', () => {
  aroundProposals();

  it('gets the change, and no file of that name is created', async () => {
    const notebook = await openNotebook(uriOf('m.ipynb'), 'a = 1', 'b = 2');
    const [first, second] = [1, 2].map((cell) => `${pathOf('m.ipynb')}#${cell}`);
    assert.ok(first && second);
    const answer = inFiles([first, 'a = 1', 'a = 3'], [second, 'b = 2', 'b = 3']);
    const proposal = await proposeWhile(about(notebook.cellAt(1)), answer, async () => undefined);
    assert.deepEqual(hunksOf(proposal), [
      [first, ['a = 3'], false],
      [second, ['b = 3'], false],
    ]);
  });
});

describe('Two notebooks with hunks that are renamed at the same time', () => {
  aroundProposals();

  it('take their hunks along, each to its new name', async () => {
    const notebooks = await Promise.all(
      ['e.ipynb', 'f.ipynb'].map((name) => openNotebook(uriOf(name), `a = '${name}'`)),
    );
    const made: Proposal[] = [];
    for (const notebook of notebooks) {
      await vscode.window.showNotebookDocument(notebook, { preview: false });
      const cell = notebook.cellAt(0);
      const path = `${workspace.asRelativePath(notebook.uri)}#1`;
      const text = cell.document.getText();
      made.push(await proposeWhile(about(cell), edits(path, [text, `${text} + b`]), async () => undefined));
    }
    let announced = 0;
    const bothAnnounced = workspace.onWillRenameFiles((event) => {
      announced++;
      event.waitUntil(until(() => announced === 2).then(() => undefined));
    });
    await Promise.all([rename('e.ipynb', 'g.ipynb'), rename('f.ipynb', 'h.ipynb')]).finally(() =>
      bothAnnounced.dispose(),
    );
    await until(() =>
      made.every(
        (one) =>
          !hunksOf(one)?.[0]?.[0]
            ?.toString()
            .match(/[ef]\.ipynb/),
      ),
    );
    assert.deepEqual(made.map(hunksOf), [
      [[`${pathOf('g.ipynb')}#1`, ["a = 'e.ipynb' + b"], false]],
      [[`${pathOf('h.ipynb')}#1`, ["a = 'f.ipynb' + b"], false]],
    ]);
  });
});

describe('A notebook that is in front, with a selected cell that has no editor', () => {
  aroundProposals();

  /** A cell of Markdown between two others, for which there are hunks; beside it, another file is open. */
  async function propose(name: string) {
    const markdown = { cell_type: 'markdown', source: ['# b'], metadata: {} };
    const content = JSON.parse(String(toNotebook('a = 1', 'c = 1'))) as { readonly cells: object[] };
    content.cells.splice(1, 0, markdown);
    await workspace.fs.writeFile(uriOf(name), Buffer.from(JSON.stringify(content)));
    const notebook = await workspace.openNotebookDocument(uriOf(name));
    const [first, last] = [1, 3].map((cell) => `${pathOf(name)}#${cell}`);
    assert.ok(first && last);
    const answer = inFiles([first, 'a = 1', 'a = 2'], [last, 'c = 1', 'c = 2']);
    const proposal = await proposeWhile(about(notebook.cellAt(0)), answer, async () => undefined);
    await vscode.window.showTextDocument(await openHidden('beside.txt', 'beside\n'), vscode.ViewColumn.Two);
    const selections = [new vscode.NotebookRange(1, 2)];
    await vscode.window.showNotebookDocument(notebook, { viewColumn: vscode.ViewColumn.One, selections });
    await until(() => vscode.window.activeTextEditor === undefined);
    const states = () =>
      scripted.proposals.get(proposal.id)?.files.flatMap(({ hunks }) => hunks.map(({ state }) => state));
    return { notebook, states };
  }

  for (const [command, state] of [
    ['k3.acceptAll', 'accepted'],
    ['k3.rejectAll', 'rejected'],
  ] as const)
    it(`has all hunks of its cells ${state} by ${command}`, async () => {
      const { states } = await propose(`${state}.ipynb`);
      await vscode.commands.executeCommand(command);
      await until(() => states()?.every((one) => one === state));
    });

  for (const [command, place, cell] of [
    ['k3.nextHunk', 'below', 2],
    ['k3.previousHunk', 'above', 0],
  ] as const)
    it(`goes to the hunk ${place} that cell by ${command}`, async () => {
      const { notebook } = await propose(`${place}.ipynb`);
      await vscode.commands.executeCommand(command);
      const uri = vscode.window.activeTextEditor?.document.uri.toString();
      assert.equal(uri, notebook.cellAt(cell).document.uri.toString());
    });
});

describe('A cell with hunks', () => {
  aroundProposals();

  it('is shown by Next Hunk also if it is Markdown that the editor renders', async () => {
    const cell = { cell_type: 'markdown', source: ['# Title\n', 'one'], metadata: {} };
    const content = JSON.parse(String(toNotebook('a = 1'))) as { readonly cells: object[] };
    content.cells.push(cell);
    await workspace.fs.writeFile(uriOf('q.ipynb'), Buffer.from(JSON.stringify(content)));
    const notebook = await workspace.openNotebookDocument(uriOf('q.ipynb'));
    await vscode.window.showNotebookDocument(notebook);
    const answer = inFiles([`${pathOf('q.ipynb')}#2`, 'one', 'two']);
    await proposeWhile(about(notebook.cellAt(0)), answer, async () => undefined);
    await vscode.commands.executeCommand('k3.nextHunk');
    const editor = vscode.window.activeTextEditor ?? assert.fail();
    assert.equal(editor.document.uri.toString(), notebook.cellAt(1).document.uri.toString());
    await until(() => editor.selection.active.line === 1);
    await vscode.commands.executeCommand('k3.acceptHunk');
    assert.equal(editor.document.getText(), '# Title\ntwo');
  });

  it('has the new lines of each in a hover, which “Show Changes” above it opens', async () => {
    const notebook = await openNotebook(uriOf('p.ipynb'), 'a = 1\nb = 2\nc = 3');
    await vscode.window.showNotebookDocument(notebook);
    const answer = edits(`${pathOf('p.ipynb')}#1`, ['a = 1', 'a = 4'], ['c = 3', 'c = <b>5</b>']);
    await proposeWhile(about(notebook.cellAt(0)), answer, async () => undefined);
    const { uri } = notebook.cellAt(0).document;
    const textAt = async (line: number) => {
      const at = new vscode.Position(line, 0);
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        uri,
        at,
      );
      return hovers.flatMap(({ contents }) =>
        contents.slice(0, 1).map((one) => (one as vscode.MarkdownString).value.replace(/<[^>]*>/g, '')),
      );
    };
    assert.deepEqual(await Promise.all([0, 1, 2].map(textAt)), [
      ['+ a = 4'],
      [],
      ['+ c = &lt;b&gt;5&lt;/b&gt;'],
    ]);
    const { executeCommand } = vscode.commands;
    const commands: string[] = [];
    const lens = await findCodeLens(uri, 'Show Changes', 1);
    Object.assign(vscode.commands, {
      executeCommand(name: string, ...args: unknown[]) {
        commands.push(name);
        return executeCommand(name, ...args);
      },
    });
    try {
      await runCommand(lens.command ?? assert.fail());
      await vscode.commands.executeCommand('k3.acceptHunk', ...(lens.command?.arguments ?? []));
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
    assert.deepEqual(
      commands.filter((one) => one.startsWith('editor.')),
      ['editor.action.showHover', 'editor.action.hideHover'],
    );
    const { document: shown, selection } = vscode.window.activeTextEditor ?? assert.fail();
    assert.deepEqual([shown.uri.toString(), selection.active.line], [uri.toString(), 2]);
  });

  it('has a comment on a hunk from an input, because the editor opens no box there', async () => {
    const notebook = await openNotebook(uriOf('j.ipynb'), 'a = 1');
    const answer = edits(`${pathOf('j.ipynb')}#1`, ['a = 1', 'a = 2']);
    const proposal = await proposeWhile(about(notebook.cellAt(0)), answer, async () => undefined);
    const { showInputBox } = vscode.window;
    Object.assign(vscode.window, { showInputBox: async () => 'Why a?' });
    try {
      const uri = notebook.cellAt(0).document.uri.toString();
      await vscode.commands.executeCommand('k3.commentHunk', { proposalId: proposal.id, uri, hunkId: '0' });
    } finally {
      Object.assign(vscode.window, { showInputBox });
    }
    const review = await sentReview();
    assert.match(review, /Why a\?/);
  });

  it('has a comment on a hunk whose notebook was renamed while it was typed', async () => {
    const notebook = await openNotebook(uriOf('m.ipynb'), 'a = 1');
    await vscode.window.showNotebookDocument(notebook);
    const answer = edits(`${pathOf('m.ipynb')}#1`, ['a = 1', 'a = 2']);
    const proposal = await proposeWhile(about(notebook.cellAt(0)), answer, async () => undefined);
    const { showInputBox } = vscode.window;
    const uriNow = () => scripted.proposals.get(proposal.id)?.files[0]?.uri ?? '';
    const uri = uriNow();
    const typing = async () => {
      await rename('m.ipynb', 'o.ipynb');
      await until(() => uriNow() !== uri);
      return 'Why a?';
    };
    Object.assign(vscode.window, { showInputBox: typing });
    try {
      await vscode.commands.executeCommand('k3.commentHunk', { proposalId: proposal.id, uri, hunkId: '0' });
    } finally {
      Object.assign(vscode.window, { showInputBox });
    }
    assert.match(await sentReview(), /o\.ipynb#1.*Why a\?/s);
  });

  it('has a comment on a line that has moved, and whose notebook was renamed, while it was typed', async () => {
    const notebook = await openNotebook(uriOf('q.ipynb'), 'a = 1\nb = 2\nc = 3');
    const { document } = notebook.cellAt(0);
    const answer = edits(`${pathOf('q.ipynb')}#1`, ['a = 1', 'a = 2']);
    const proposal = await proposeWhile(about(notebook.cellAt(0)), answer, async () => undefined);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(2, 0, 2, 0);
    const { showInputBox } = vscode.window;
    const uriNow = () => scripted.proposals.get(proposal.id)?.files[0]?.uri;
    const typing = async () => {
      const inserting = new vscode.WorkspaceEdit();
      inserting.insert(document.uri, new vscode.Position(0, 0), 'x = 0\n');
      assert.ok(await workspace.applyEdit(inserting));
      await notebook.save();
      await rename('q.ipynb', 'r.ipynb');
      await until(() => uriNow() !== document.uri.toString());
      return 'Why c?';
    };
    Object.assign(vscode.window, { showInputBox: typing });
    try {
      await vscode.commands.executeCommand('k3.commentLine');
    } finally {
      Object.assign(vscode.window, { showInputBox });
    }
    assert.match(await sentReview(), /r\.ipynb#1, line 4.*c = 3.*Why c\?/s);
  });

  it('has the number that it has in its notebook, also after one was added above it', async () => {
    const notebook = await openNotebook(uriOf('k.ipynb'), 'a = 1', 'b = 2');
    const path = `${pathOf('k.ipynb')}#2`;
    const question = about(notebook.cellAt(1));
    const proposal = await proposeWhile(question, edits(path, ['b = 2', 'b = 3']), async () => undefined);
    assert.equal(hunksOf(proposal)?.[0]?.[0], path);
    await addCell(notebook, 'x = 0');
    await until(() => hunksOf(proposal)?.[0]?.[0] === `${pathOf('k.ipynb')}#3`);
  });

  it('has a path in the workspace if an earlier version has stored one of this machine', async () => {
    const notebook = await openNotebook(uriOf('l.ipynb'), 'a = 1');
    const path = `${pathOf('l.ipynb')}#1`;
    const question = about(notebook.cellAt(0));
    const made = await proposeWhile(question, edits(path, ['a = 1', 'a = 2']), async () => undefined);
    const stored: Proposal = {
      ...made,
      files: made.files.map((file) => ({ ...file, label: uriOf('l.ipynb').fsPath })),
      trouble: { kind: 'lines-changed', label: uriOf('l.ipynb').fsPath },
    };
    const list = createProposals({
      store: { ...EMPTY_STORE, load: () => [stored] },
      listed: () => new Set([stored.conversationId]),
      onDidList: () => new vscode.Disposable(() => undefined),
    });
    const { files, trouble } = list.get(stored.id) ?? assert.fail();
    list.dispose();
    assert.deepEqual([files[0]?.label, trouble], [path, { kind: 'lines-changed', label: pathOf('l.ipynb') }]);
  });
});
