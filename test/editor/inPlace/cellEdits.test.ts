import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { linesOfDocument } from '../../../src/editor/workspace/selectedCode.ts';
import { openNotebook } from '../notebooks.ts';
import { aroundProposals, scripted, uriOf } from '../proposals/proposing.ts';
import { setForUser, startStream, streamOf, until, writeDelta } from '../scripted.ts';

const list = () => scripted.inPlace.list();

function theEdit() {
  const [edit] = list();
  assert.ok(edit);
  return edit;
}

/** The question as the model gets it. */
const asked = (request: number): string =>
  JSON.parse(scripted.requests[request]?.body ?? '{}').messages.at(-1).content;

/** Edits of lines of a cell, by the command of a problem there. */
const editLines = (uri: vscode.Uri, line: number, task = 'edit') =>
  vscode.commands.executeCommand(
    'k3.editHere',
    { uri, range: new vscode.Range(line, 0, line, 5), diagnostics: [] },
    task,
  );

async function change(uri: vscode.Uri, edit: (changes: vscode.WorkspaceEdit) => void): Promise<void> {
  const changes = new vscode.WorkspaceEdit();
  edit(changes);
  assert.ok(await vscode.workspace.applyEdit(changes), String(uri));
}

describe('An edit in a cell of a notebook', () => {
  aroundProposals();
  const { showInputBox, showWarningMessage } = vscode.window;
  /** What is in inputs when they are opened. */
  let values: (string | undefined)[];
  /** What was said, with the buttons. */
  let said: string[][];
  /** The button that the user selects. */
  let choose: string | undefined;

  beforeEach(() => {
    [values, said, choose] = [[], [], undefined];
    Object.assign(vscode.window, {
      async showWarningMessage(...all: string[]) {
        said.push(all);
        const chosen = choose;
        choose = undefined;
        return chosen;
      },
    });
  });
  afterEach(() => {
    Object.assign(vscode.window, { showInputBox, showWarningMessage });
    for (const edit of list()) scripted.inPlace.end(edit);
  });

  /** @param typing what happens in an input, and what is entered there; undefined if it is closed */
  const willType = (typing: (input: vscode.InputBoxOptions) => unknown) =>
    Object.assign(vscode.window, {
      async showInputBox(input: vscode.InputBoxOptions) {
        values.push(input.value);
        return typing(input);
      },
    });
  const willAnswer = () => scripted.will(streamOf([{ answer: 'No.' }, { finish: 'stop' }]));

  async function openCell(...cells: readonly string[]) {
    const notebook = await openNotebook(uriOf('n.ipynb'), ...cells);
    return { notebook, uri: notebook.cellAt(0).document.uri };
  }

  /** Shows the notebook with the cursor in its first cell. */
  async function edited(...cells: readonly string[]) {
    const { notebook, uri } = await openCell(...cells);
    await vscode.window.showNotebookDocument(notebook);
    await vscode.commands.executeCommand('notebook.cell.edit');
    const editor = await until(() => {
      const { activeTextEditor } = vscode.window;
      return activeTextEditor?.document === notebook.cellAt(0).document ? activeTextEditor : undefined;
    });
    return { notebook, uri, editor };
  }

  it('asks in an input, because the editor shows no threads there', async () => {
    const { uri } = await edited('a = 1');
    const texts = ['', 'Louder.'];
    willType(() => texts.shift());
    willAnswer();
    await vscode.commands.executeCommand('k3.editHere');
    assert.deepEqual(list(), []);
    await vscode.commands.executeCommand('k3.editHere');
    await until(() => scripted.requests.length === 1 || undefined);
    assert.deepEqual([theEdit().steps[0]?.words, theEdit().uri.fragment], ['Louder.', uri.fragment]);
    assert.match(scripted.requests[0]?.body ?? '', /Louder\..*a = 1/s);
  });

  for (const [what, command, task, reply] of [
    ['fixes a problem', 'k3.editHere', 'fix', undefined],
    ['resolves a conflict', 'k3.resolveConflict', 'resolve', undefined],
    ['asks in an input for an edit of given lines', 'k3.editHere', 'edit', 'Louder.'],
  ] as const)
    it(`${what} in the chat, and leaves the cursor where it is`, async () => {
      const { uri, editor } = await edited('<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> b\nlast');
      const cursor = new vscode.Selection(5, 2, 5, 2);
      editor.selection = cursor;
      const { executeCommand } = vscode.commands;
      const commands: string[] = [];
      willType(() => reply);
      Object.assign(vscode.commands, {
        executeCommand(name: string, ...args: unknown[]) {
          commands.push([name, ...(name === 'setContext' ? args : [])].join(' '));
          return executeCommand(name, ...args);
        },
      });
      willAnswer();
      try {
        const target = { uri, line: 1, range: new vscode.Range(1, 0, 1, 5), diagnostics: ['line 2: Why?'] };
        await vscode.commands.executeCommand(command, target, task);
      } finally {
        Object.assign(vscode.commands, { executeCommand });
      }
      assert.equal(values.length, reply === undefined ? 0 : 1);
      assert.deepEqual([theEdit().steps[0]?.task, theEdit().steps[0]?.words], [task, reply ?? '']);
      await until(() => scripted.requests.length === 1);
      assert.ok(commands.includes('k3.focusChat'), commands.join());
      assert.ok(!commands.includes('setContext k3.canEndEdit true'), 'Escape leaves the cell');
      assert.ok(editor.selection.isEqual(cursor), JSON.stringify(editor.selection));
    });

  it('is about the same lines when others are added above them while words are typed', async () => {
    const { uri } = await openCell('a = 1\nb = 2');
    willType(async () => {
      await change(uri, (changes) => changes.insert(uri, new vscode.Position(0, 0), 'x = 0\ny = 0\n'));
      return 'Louder.';
    });
    willAnswer();
    await editLines(uri, 1);
    await until(() => scripted.requests.length === 1);
    assert.match(asked(0), /^Louder\..*line 4 .*```\w*\nb = 2\n```$/s);
  });

  it('closes its input when the cell is deleted, and nothing is asked', async () => {
    const { notebook, uri } = await openCell('a = 1', 'b = 2');
    Object.assign(vscode.window, {
      async showInputBox(_: unknown, token: vscode.CancellationToken) {
        const closed = new Promise((resolve) => void token.onCancellationRequested(resolve));
        const cell = new vscode.NotebookRange(0, 1);
        await change(uri, (changes) => changes.set(notebook.uri, [vscode.NotebookEdit.deleteCells(cell)]));
        return closed;
      },
    });
    await editLines(uri, 0);
    assert.deepEqual([list(), scripted.requests], [[], []]);
  });

  it('has the words in its next input when they were not sent, also for other lines of the cell', async () => {
    const { uri } = await openCell('a = 1\nb = 2\nc = 3\nd = 4');
    try {
      await setForUser('k3', 'route', 'nowhere');
      willType(() => 'Louder.');
      await editLines(uri, 0);
      await until(() => said.length === 1);
      assert.equal(theEdit().steps[0]?.state.kind, 'refused');
    } finally {
      await setForUser('k3', 'route', 'scripted');
    }
    willType(() => undefined);
    await editLines(uri, 0);
    await editLines(uri, 3);
    willAnswer();
    willType(({ value }) => `${value} In French.`);
    await editLines(uri, 3);
    await until(() => scripted.requests.length === 1);
    assert.deepEqual(values, ['', 'Louder.', 'Louder.', 'Louder.']);
    assert.match(asked(0), /^Louder\. In French\..*line 4 /s);
    willType(() => undefined);
    await editLines(uri, 3);
    assert.equal(values.at(-1), '');
  });

  it('has what was typed in its next input when this one was closed, as by another one', async () => {
    const { uri } = await openCell('a = 1');
    willType(({ validateInput }) => void validateInput?.('Lou'));
    await editLines(uri, 0);
    willType(({ value, validateInput }) => {
      validateInput?.('');
      return value === 'Lou' ? '' : undefined;
    });
    await editLines(uri, 0);
    await editLines(uri, 0);
    assert.deepEqual([values, list()], [['', 'Lou', ''], []]);
  });

  it('is asked again by the button of the notification that says why it was not sent', async () => {
    const { uri } = await openCell('a = 1');
    await setForUser('k3', 'route', 'nowhere');
    const { showWarningMessage: say } = vscode.window;
    Object.assign(vscode.window, {
      async showWarningMessage(...all: string[]) {
        await setForUser('k3', 'route', 'scripted');
        return Reflect.apply(say, undefined, all);
      },
    });
    willAnswer();
    choose = 'Try Again';
    try {
      await editLines(uri, 0, 'fix');
      await until(() => scripted.requests.length === 1);
    } finally {
      await setForUser('k3', 'route', 'scripted');
    }
    assert.deepEqual([theEdit().steps.map(({ task }) => task), said.length], [['fix'], 1]);
  });

  it('ends when its cell is deleted, and its answer is stopped', async () => {
    const { notebook, uri } = await openCell('a = 1', 'b = 2');
    await vscode.window.showNotebookDocument(notebook);
    const edit = await scripted.inPlace.open(linesOfDocument(notebook.cellAt(0).document, 0, 0), 0);
    let isOpen = false;
    scripted.will((response) => {
      startStream(response);
      writeDelta(response, { reasoning: 'First.' });
      isOpen = true;
    });
    await scripted.inPlace.ask(edit, { task: 'edit', words: 'Louder.', diagnostics: [] });
    await until(() => isOpen);
    const cell = new vscode.NotebookRange(0, 1);
    await change(uri, (changes) => changes.set(notebook.uri, [vscode.NotebookEdit.deleteCells(cell)]));
    await until(() => list().length === 0);
    const id = scripted.inPlace.conversationOf(edit);
    await until(() => scripted.conversations.get(id ?? '')?.exchanges[0]?.attempts[0]?.outcome === 'stopped');
  });
});
