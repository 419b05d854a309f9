import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toItemText } from '../../../src/conversation/context/context.ts';
import {
  readFileContext,
  refreshContext,
  toSelectionContext,
} from '../../../src/editor/context/contextItems.ts';
import { readProblemsContext } from '../../../src/editor/context/contextReports.ts';
import { readSymbolContext } from '../../../src/editor/context/contextSymbols.ts';
import { findProblems } from '../../../src/editor/workspace/editorProblems.ts';
import { until } from '../scripted.ts';

const allows = async () => true;

async function openText(content: string, language = 'typescript'): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  return vscode.window.showTextDocument(document);
}

function textOf(taken: Awaited<ReturnType<typeof readFileContext>>): string {
  assert.ok(taken.ok, JSON.stringify(taken));
  return toItemText(taken.item);
}

describe('Context', () => {
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('has the text of an untitled document', async () => {
    const { document } = await openText('let a;\r\nlet b;\n');
    assert.match(
      textOf(await readFileContext(document.uri)),
      /^File Untitled-\d+:\n```typescript\nlet a;\nlet b;\n```$/,
    );
  });

  it('has the complete lines of a selection, or a part of one line', async () => {
    const editor = await openText('one\n  two\n  three\nfour\n');
    editor.selection = new vscode.Selection(1, 3, 3, 0);
    assert.match(
      textOf(toSelectionContext(editor)),
      /\(lines 2-3\):\n```typescript\n {2}two\n {2}three\n```$/,
    );
    editor.selection = new vscode.Selection(1, 2, 1, 4);
    assert.match(textOf(toSelectionContext(editor)), /\(line 2\):\n```typescript\ntw\n```$/);
    editor.selection = new vscode.Selection(1, 2, 1, 2);
    assert.deepEqual(toSelectionContext(editor).ok, false);
  });

  it('names the lines of all selections, also after they moved', async () => {
    const editor = await openText('one\ntwo\nthree\nfour\n');
    const named = ({ label }: { readonly label: string }) => label.replace(/^Untitled-\d+/, '');
    editor.selections = [new vscode.Selection(3, 0, 3, 4), new vscode.Selection(0, 0, 2, 0)];
    const taken = toSelectionContext(editor);
    assert.ok(taken.ok);
    assert.equal(named(taken.item), ':1-2, 4');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'new\n'));
    assert.equal(named(await refreshContext(taken.item, allows)), ':2-3, 5');
    editor.selections = [0, 1, 2, 3, 4].map((line) => new vscode.Selection(line, 0, line, 3));
    const many = toSelectionContext(editor);
    assert.equal(many.ok && named(many.item), ':1, 2, 3, …');
  });

  it('is found again after it moved, and keeps the earlier text after a change', async () => {
    const editor = await openText('one\ntwo\nthree\n');
    editor.selection = new vscode.Selection(1, 0, 2, 5);
    const taken = toSelectionContext(editor);
    assert.ok(taken.ok);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'new\n'));
    const moved = await refreshContext(taken.item, allows);
    assert.deepEqual(moved.parts[0]?.range, { startLine: 2, endLine: 3 });
    await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), 'changed '));
    const older = await refreshContext(taken.item, allows);
    assert.equal(older.older, true);
    assert.match(
      toItemText(older),
      /as it was when it was added; it has changed since\):\n```typescript\ntwo\nthree/,
    );
  });

  it('is the same object while nothing has changed', async () => {
    const { document } = await openText('let a;\n');
    const taken = await readFileContext(document.uri);
    assert.ok(taken.ok);
    assert.equal(await refreshContext(taken.item, allows), taken.item);
  });

  it('keeps the earlier text when the file may no longer be read', async () => {
    const { document } = await openText('let a;\n');
    const taken = await readFileContext(document.uri);
    assert.ok(taken.ok);
    assert.equal((await refreshContext(taken.item, async () => false)).older, true);
  });

  it('keeps the earlier text when its open file is no text any more, and such a file is not added', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
    const file = vscode.Uri.joinPath(folder, 'no-text.ts');
    await vscode.workspace.fs.writeFile(file, Buffer.from('let a;\n'));
    const { document } = await vscode.window.showTextDocument(file);
    const taken = await readFileContext(file);
    assert.ok(taken.ok);
    await vscode.workspace.fs.writeFile(file, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 3]));
    await until(() => document.getText().includes('\0'));
    const older = await refreshContext(taken.item, allows);
    assert.equal(older.older, true);
    assert.match(toItemText(older), /let a;/);
    const { ok, why = '' } = { why: '', ...(await readFileContext(file)) };
    assert.equal(ok, false);
    assert.match(why, /no-text\.ts/);
    await vscode.workspace.fs.delete(file);
  });

  it('has the cells of a notebook, or a single cell', async () => {
    const cells = [
      new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, '# Title', 'markdown'),
      new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'print(1)', 'python'),
    ];
    const notebook = await vscode.workspace.openNotebookDocument(
      'jupyter-notebook',
      new vscode.NotebookData(cells),
    );
    const text = textOf(await readFileContext(notebook.uri));
    assert.match(text, /#1:\n```markdown\n# Title\n```\n\nFile .*#2:\n```python\nprint\(1\)\n```$/);
    const [, code] = notebook.getCells();
    assert.ok(code);
    assert.match(
      textOf(await readFileContext(code.document.uri)),
      /^File .*#2:\n```python\nprint\(1\)\n```$/,
    );
  });

  it('has the text of a virtual document of another extension', async () => {
    const scheme = 'k3-test-virtual';
    const provided = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: () => 'virtual\n',
    });
    const text = textOf(await readFileContext(vscode.Uri.parse(`${scheme}:/a.txt`)));
    assert.match(text, /a\.txt:\n```\w*\nvirtual\n```$/);
    provided.dispose();
  });

  it('has a symbol with its lines', async () => {
    const { document } = await openText('function a() {\n  return 1;\n}\n');
    const text = textOf(await readSymbolContext(document.uri, 'a', { startLine: 0, endLine: 0 }));
    assert.match(text, /^Symbol in Untitled-\d+ \(line/);
  });

  it('has the problems of a file, the most severe first, without those of K3', async () => {
    const { document } = await openText('let a;\n');
    const problems = vscode.languages.createDiagnosticCollection('k3-test');
    const range = new vscode.Range(0, 4, 0, 5);
    const warning = new vscode.Diagnostic(range, 'Unused', vscode.DiagnosticSeverity.Warning);
    const error = new vscode.Diagnostic(range, 'Not\n  assigned', vscode.DiagnosticSeverity.Error);
    error.code = { value: 'TS1', target: document.uri };
    error.source = 'ts';
    const ours = new vscode.Diagnostic(range, 'Truncated', vscode.DiagnosticSeverity.Error);
    ours.source = 'K3';
    problems.set(document.uri, [warning, ours, error]);
    const messages = findProblems(document.uri).map(([, { message }]) => message);
    assert.deepEqual(
      messages.filter((message) => message === 'Truncated'),
      [],
    );
    const lines = textOf(await readProblemsContext(document.uri)).split('\n');
    assert.match(lines[2] ?? '', /^Untitled-\d+:1:5: error TS1 \(ts\): Not assigned$/);
    assert.match(lines[3] ?? '', /: warning: Unused$/);
    problems.dispose();
    assert.equal((await readProblemsContext(vscode.Uri.parse('untitled:none'))).ok, false);
  });

  it('is refused with a reason when the file is missing', async () => {
    const missing = vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/'),
      'missing.ts',
    );
    assert.deepEqual(await readFileContext(missing), {
      ok: false,
      why: 'missing.ts can’t be read and was not added.',
    });
  });
});
