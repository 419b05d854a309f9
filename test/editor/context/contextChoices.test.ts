import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createContextChoices } from '../../../src/editor/context/contextChoices.ts';
import { toSymbolIcon } from '../../../src/editor/context/symbolIcons.ts';
import type { ContextChoice } from '../../../src/panel/context.ts';
import { eventually } from '../../support/eventually.ts';

const warnings: string[] = [];

const createSearch = (editor?: vscode.TextEditor) =>
  createContextChoices({
    lastEditor: { get: () => editor, dispose: () => undefined },
    terminals: { describe: () => undefined },
    isLeftOut: () => false,
    log: { warn: (message) => void warnings.push(message) },
  }).createSearch(() => 'one');

const choices = createSearch();

const search = (letters: string) =>
  new Promise<readonly ContextChoice[]>((resolve) => choices.search(letters, resolve));

describe('The suggestions for @', () => {
  after(() => choices.dispose());
  afterEach(() => assert.deepEqual(warnings.splice(0), []));

  it('have the problems only while there are some', async () => {
    const labels = async (letters: string) => (await search(letters)).map(({ label }) => label);
    const [folder = assert.fail()] = vscode.workspace.workspaceFolders ?? [];
    const wrong = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'Wrong');
    const { getDiagnostics } = vscode.languages;
    // Another test, or the editor, may have left some.
    const setProblems = (...problems: [vscode.Uri, vscode.Diagnostic[]][]) =>
      Object.assign(vscode.languages, { getDiagnostics: () => problems });
    try {
      setProblems();
      for (const letters of ['', 'prob']) assert.ok(!(await labels(letters)).includes('problems'), letters);
      setProblems([vscode.Uri.joinPath(folder.uri, 'wrong.txt'), [wrong]]);
      for (const letters of ['', 'prob']) assert.ok((await labels(letters)).includes('problems'), letters);
    } finally {
      Object.assign(vscode.languages, { getDiagnostics });
    }
  });

  it('name the lines of the selection that are added, without one at whose start it ends', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'one\ntwo\nthree\n' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    const own = createSearch(editor);
    try {
      const found = await new Promise<readonly ContextChoice[]>((resolve) => own.search('selec', resolve));
      assert.match(found.find(({ label }) => label === 'selection')?.description ?? '', /:1-2$/);
    } finally {
      own.dispose();
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('have no documents of K3, such as a reasoning that is open: they are in the conversation already', async () => {
    const registered = vscode.workspace.registerTextDocumentContentProvider('k3-test', {
      provideTextDocumentContent: () => 'Let me look.',
    });
    const { tabGroups, showTextDocument } = vscode.window;
    const before = tabGroups.all.flatMap(({ tabs }) => tabs);
    try {
      const uri = vscode.Uri.from({ scheme: 'k3-test', path: '/Reasoning – zqTrees.md' });
      await showTextDocument(await vscode.workspace.openTextDocument(uri));
      for (const letters of ['', 'zqTrees']) {
        const labels = (await search(letters)).map(({ label }) => label);
        assert.ok(!labels.some((label) => label.includes('zqTrees')), `${letters}: ${labels.join()}`);
      }
    } finally {
      const opened = tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => !before.includes(tab));
      await tabGroups.close(opened);
      registered.dispose();
    }
  });

  it('come with the symbols if nothing else is found: an Enter that was pressed before takes one', async () => {
    const [folder = assert.fail()] = vscode.workspace.workspaceFolders ?? [];
    const place = new vscode.Location(vscode.Uri.joinPath(folder.uri, 'a.txt'), new vscode.Position(0, 0));
    const symbols = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: (letters) =>
        letters === 'zqSymbol'
          ? [new vscode.SymbolInformation('zqSymbol', vscode.SymbolKind.Class, '', place)]
          : [],
    });
    try {
      for (const [letters, expected] of [
        ['zqSymbol', ['zqSymbol']],
        ['zqNothing', []],
      ] as const)
        assert.deepEqual(
          (await search(letters)).map(({ label }) => label),
          expected,
        );
    } finally {
      symbols.dispose();
    }
  });

  it('leave out a symbol whose language would say only later where it is, and keep the others', async () => {
    const [folder = assert.fail()] = vscode.workspace.workspaceFolders ?? [];
    const uri = vscode.Uri.joinPath(folder.uri, 'zq.ts');
    const toSymbol = (name: string, range?: vscode.Range) =>
      new vscode.SymbolInformation(
        name,
        vscode.SymbolKind.Class,
        '',
        new vscode.Location(uri, range as vscode.Range),
      );
    const symbols = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: (letters) =>
        letters === 'zqPlace'
          ? [toSymbol('zqPlaceLater'), toSymbol('zqPlace', new vscode.Range(0, 0, 0, 1))]
          : [],
    });
    try {
      assert.deepEqual(
        (await search('zqPlace')).map(({ label }) => label),
        ['zqPlace'],
      );
    } finally {
      symbols.dispose();
    }
  });

  it('are the keywords and files that were found if the search for symbols fails', async () => {
    const { executeCommand } = vscode.commands;
    Object.assign(vscode.commands, { executeCommand: () => Promise.reject(new Error('no symbols')) });
    try {
      const labels = (await search('changes')).map(({ label }) => label);
      assert.equal(labels[0], 'changes');
      // What is found is shown before the symbols are.
      await eventually(() => assert.ok(warnings.length > 0));
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
    assert.deepEqual(warnings.splice(0), ['the search for symbols behind @ failed: Error: no symbols']);
  });

  it('have an icon of their own for each common kind of symbol', () => {
    const { Function: aFunction, Class, Interface, Enum, Variable, Key } = vscode.SymbolKind;
    assert.deepEqual(
      [aFunction, Class, Interface, Enum, Variable, Key].map(toSymbolIcon),
      ['method', 'class', 'interface', 'enum', 'variable', 'misc'].map((kind) => `symbol-${kind}`),
    );
  });
});
