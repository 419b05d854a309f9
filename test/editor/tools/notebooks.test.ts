/** A notebook that is open is its cells for the tools, as it is for the user: its file is older, and has them as JSON. */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openNotebook, toNotebook } from '../notebooks.ts';
import { aroundTools, asked, call, made, pathOf, scripted, textOf } from './toolsWorkspace.ts';

describe('Tools, in a notebook that is open with changes', () => {
  aroundTools();

  let notebook: vscode.NotebookDocument;
  const edit = (find: string, replace: string, cell = '') =>
    call('propose_edit', { path: `${pathOf('n.ipynb')}${cell}`, edits: [{ find, replace }] });
  const proposed = () =>
    scripted.proposals.ofTurn(scripted.conversations.current().exchanges[0]?.attempts[0]?.id ?? '');

  before(async () => {
    notebook = await openNotebook(vscode.Uri.file(join(made, 'n.ipynb')), 'x = 1\ny = 2', 'z = 3');
    await vscode.window.showNotebookDocument(notebook);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(notebook.cellAt(1).document.uri, new vscode.Position(0, 0), 'unsaved = 4\n');
    await vscode.workspace.applyEdit(typing);
    assert.equal(notebook.isDirty, true);
  });

  it('read its cells, each below its path, or one of them', async () => {
    const path = pathOf('n.ipynb');
    assert.equal(
      await textOf('read_file', { path }),
      `1\t[${path}#1]\n2\tx = 1\n3\ty = 2\n4\t[${path}#2]\n5\tunsaved = 4\n6\tz = 3`,
    );
    assert.equal(await textOf('read_file', { path: `${path}#2` }), '1\tunsaved = 4\n2\tz = 3');
  });

  it('refuse a cell that isn’t there, or whose notebook isn’t open, and create no file of its name', async () => {
    const [path, closed] = [pathOf('n.ipynb'), pathOf('closed.ipynb')];
    await writeFile(join(made, 'closed.ipynb'), toNotebook('x = 1'));
    for (const [cell, why] of [
      [`${path}#6`, `${path} has 2 cells.`],
      [`${path}#0`, `${path} has 2 cells.`],
      [
        `${closed}#1`,
        `${closed} is not open as a notebook. Only cells of an open notebook can be read and changed.`,
      ],
    ] as const) {
      assert.deepEqual(await call('read_file', { path: cell }), { text: why, failed: true });
      const edits = [{ find: '', replace: 'x = 2\n' }];
      assert.deepEqual(await call('propose_edit', { path: cell, edits }), { text: why, failed: true });
    }
    assert.deepEqual([proposed(), asked.details], [[], []]);
    await writeFile(join(made, 'closed.ipynb#2'), 'a file\n');
    assert.equal(await textOf('read_file', { path: `${closed}#2` }), '1\ta file');
    await Promise.all(['closed.ipynb', 'closed.ipynb#2'].map((name) => rm(join(made, name))));
  });

  it('find a cell however its path is written, and refuse one that isn’t there', async () => {
    const [path, file] = [pathOf('n.ipynb'), join(made, 'n.ipynb')];
    const addressOf = (number: number) => vscode.Uri.file(`${file}#${number}`).toString();
    for (const cell of [
      `${file}#2`,
      `${pathOf('docs/../n.ipynb')}#2`,
      `${made}/docs/../n.ipynb#2`,
      addressOf(2),
    ])
      assert.equal(await textOf('read_file', { path: cell }), '1\tunsaved = 4\n2\tz = 3', cell);
    for (const cell of [`${file}#9`, `${pathOf('docs/../n.ipynb')}#9`, addressOf(9)]) {
      const why = { text: `${path} has 2 cells.`, failed: true };
      assert.deepEqual(await call('read_file', { path: cell }), why);
      const edits = [{ find: '', replace: 'x = 2\n' }];
      assert.deepEqual(await call('propose_edit', { path: cell, edits }), why);
    }
    assert.deepEqual([proposed(), asked.details], [[], []]);
  });

  it('search its cells', async () => {
    // Other tests have notebooks as well.
    const search = { text: 'unsaved', include: pathOf('n.ipynb') };
    assert.equal(await textOf('search_text', search), `${pathOf('n.ipynb')}#2:1: unsaved = 4`);
    assert.equal(await textOf('search_text', { ...search, text: 'nbformat' }), '[Nothing found.]');
  });

  it('have the problems of its cells, with those of the workspace, too', async () => {
    const problems = vscode.languages.createDiagnosticCollection('test');
    const range = new vscode.Range(0, 0, 0, 1);
    problems.set(notebook.cellAt(1).document.uri, [new vscode.Diagnostic(range, 'Not saved.')]);
    for (const args of [{ path: pathOf('n.ipynb') }, { path: `${pathOf('n.ipynb')}#2` }, {}])
      assert.match(
        await textOf('get_diagnostics', args),
        /n\.ipynb#2:1:1: error: Not saved\./,
        JSON.stringify(args),
      );
    problems.dispose();
  });

  it('propose no change of its file, and name the cells', async () => {
    const { text, failed } = await edit('z = 3', 'z = 4');
    const path = pathOf('n.ipynb');
    assert.equal(
      text,
      `${path}: it is open as a notebook, and only its cells can be changed: ${path}#1 to ${path}#2.`,
    );
    assert.deepEqual([failed, proposed()], [true, []]);
  });

  it('propose a change of a cell, with what isn’t saved', async () => {
    assert.match((await edit('unsaved = 4\nz = 3', 'z = 5', '#2')).text, /^Proposed 1 change/);
    const [proposal] = proposed();
    assert.deepEqual([proposal?.files[0]?.label, asked.details], [`${pathOf('n.ipynb')}#2`, []]);
    await vscode.commands.executeCommand('k3.acceptAll', { proposalId: proposal?.id });
    assert.deepEqual(
      notebook.getCells().map(({ document }) => document.getText()),
      ['x = 1\ny = 2', 'z = 5'],
    );
    await notebook.save();
  });
});
