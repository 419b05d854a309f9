import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createContextChoices } from '../../../src/editor/composer/contextChoices.ts';
import { toSymbolIcon } from '../../../src/editor/composer/symbolIcons.ts';
import type { ContextChoice } from '../../../src/panel/context.ts';

const choices = createContextChoices({
  lastEditor: { get: () => undefined, dispose: () => undefined },
  terminals: { describe: () => undefined },
  isLeftOut: () => false,
  log: { warn: (message) => assert.fail(message) },
}).createSearch(() => 'one');

const search = (letters: string) =>
  new Promise<readonly ContextChoice[]>((resolve) => choices.search(letters, resolve));

describe('The suggestions for @', () => {
  after(() => choices.dispose());

  it('have the problems only while there are some', async () => {
    const labels = async (letters: string) => (await search(letters)).map(({ label }) => label);
    for (const letters of ['', 'prob']) assert.ok(!(await labels(letters)).includes('problems'), letters);
    const problems = vscode.languages.createDiagnosticCollection('k3-test');
    const wrong = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'Wrong');
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    problems.set(vscode.Uri.joinPath(folder.uri, 'wrong.txt'), [wrong]);
    try {
      for (const letters of ['', 'prob']) assert.ok((await labels(letters)).includes('problems'), letters);
    } finally {
      problems.dispose();
    }
  });

  it('have an icon of their own for each common kind of symbol', () => {
    const { Function: aFunction, Class, Interface, Enum, Variable, Key } = vscode.SymbolKind;
    assert.deepEqual(
      [aFunction, Class, Interface, Enum, Variable, Key].map(toSymbolIcon),
      ['method', 'class', 'interface', 'enum', 'variable', 'misc'].map((kind) => `symbol-${kind}`),
    );
  });
});
