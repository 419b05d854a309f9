import assert from 'node:assert/strict';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createShownSymbols, type ShownSymbols } from '../../../src/editor/workspace/shownSymbols.ts';
import { createDeferred } from '../../../src/service/deferred.ts';
import { eventually } from '../../support/eventually.ts';
import { removeFolder } from '../../support/removeFolder.ts';

const CODE = 'export class Invoice {\n  total() {}\n}\nexport function formatPrice(total) {}\n';

describe('Symbols that the chat shows', () => {
  let made: string;
  let outside: string;
  let symbols: ShownSymbols;
  let asked: string[];
  /** What the provider of the test knows: name, container, path, line. */
  let known: readonly (readonly [string, string, string, number])[];
  let answer: () => Promise<unknown>;
  let provider: vscode.Disposable;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    outside = await mkdtemp(join(tmpdir(), 'k3-outside-'));
    made = join(folder.uri.fsPath, 'shown-symbols');
    await mkdir(join(made, 'node_modules'), { recursive: true });
    for (const path of ['shop.txt', 'other.txt', 'node_modules/lib.txt'])
      await writeFile(join(made, path), CODE);
    await writeFile(join(outside, 'secret.txt'), CODE);
    await symlink(join(outside, 'secret.txt'), join(made, 'leads-out.txt'));
    provider = vscode.languages.registerWorkspaceSymbolProvider({
      async provideWorkspaceSymbols(query) {
        asked.push(query);
        await answer();
        // As language servers do, it finds more than was asked for.
        return known.map(([name, container, path, line]) => {
          const at = new vscode.Range(line, 0, line, 40);
          const place = new vscode.Location(vscode.Uri.file(resolve(made, path)), at);
          return new vscode.SymbolInformation(name, vscode.SymbolKind.Function, container, place);
        });
      },
    });
  });

  beforeEach(() => {
    asked = [];
    answer = async () => undefined;
    known = [
      ['Invoice', '', 'shop.txt', 0],
      ['total()', 'Invoice', 'shop.txt', 1],
      ['formatPrice()', '', 'shop.txt', 3],
      ['formatPriceOf', '', 'shop.txt', 3],
    ];
    symbols = createShownSymbols();
  });

  afterEach(async () => {
    symbols.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(async () => {
    provider.dispose();
    await removeFolder(made);
    await removeFolder(outside);
  });

  const selected = () => {
    const editor = vscode.window.activeTextEditor;
    return editor && `${editor.selection.start.line} ${editor.document.getText(editor.selection)}`;
  };

  it('exist if the editor knows exactly this name, in its container', async () => {
    const names = ['formatPrice', 'Invoice', 'Invoice.total', 'Order.total', 'format', 'formatprice'];
    assert.deepEqual(await symbols.filterKnown(names), ['formatPrice', 'Invoice', 'Invoice.total']);
    assert.deepEqual(asked.slice(0, 3), ['formatPrice', 'Invoice', 'total']);
  });

  it('don’t exist if they lead out of the workspace, or nowhere', async () => {
    known = [
      ['leadsOut', '', 'leads-out.txt', 0],
      ['isOutside', '', join(outside, 'secret.txt'), 0],
      ['isGone', '', 'gone.txt', 0],
      ['isFolder', '', 'node_modules', 0],
    ];
    assert.deepEqual(await symbols.filterKnown(['leadsOut', 'isOutside', 'isGone', 'isFolder']), []);
  });

  it('are asked about once, until a file changes', async () => {
    assert.deepEqual(await symbols.filterKnown(['isNew', 'Invoice']), ['Invoice']);
    // The files of this test can still be reported as new.
    await eventually(async () => {
      const before = asked.length;
      assert.deepEqual(await symbols.filterKnown(['Invoice', 'isNew']), ['Invoice']);
      assert.equal(asked.length, before);
    });
    known = [['isNew', '', 'shop.txt', 0]];
    await writeFile(join(made, 'other.txt'), `${CODE}// changed\n`);
    await eventually(async () =>
      assert.deepEqual(await symbols.filterKnown(['isNew', 'Invoice']), ['isNew']),
    );
  });

  it('open with the name selected', async () => {
    await symbols.open('formatPrice');
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, join(made, 'shop.txt'));
    assert.equal(selected(), '3 formatPrice');
    await symbols.open('Invoice.total');
    assert.equal(selected(), '1 total');
  });

  it('open the one in the code of the user rather than in a library', async () => {
    known = [
      ['formatPrice', '', 'node_modules/lib.txt', 3],
      ['formatPrice', '', 'other.txt', 3],
    ];
    await symbols.open('formatPrice');
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, join(made, 'other.txt'));
    known = known.slice(0, 1);
    await symbols.open('formatPrice');
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, join(made, 'node_modules/lib.txt'));
  });

  it('are chosen from when there are several, each place once', async () => {
    known = [
      ['formatPrice', '', 'shop.txt', 3],
      ['formatPrice', '', 'shop.txt', 3],
      ['formatPrice', '', 'other.txt', 3],
    ];
    const offered: string[] = [];
    const { showQuickPick } = vscode.window;
    const second = async (items: readonly vscode.QuickPickItem[]) => {
      offered.push(...items.map(({ label }) => label));
      return items.find(({ label }) => label.includes('other'));
    };
    Object.assign(vscode.window, { showQuickPick: second });
    try {
      await symbols.open('formatPrice');
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    assert.deepEqual(offered.sort(), ['shown-symbols/other.txt:4', 'shown-symbols/shop.txt:4']);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, join(made, 'other.txt'));
    assert.equal(selected(), '3 formatPrice');
  });

  it('open nothing when the symbol was renamed or its file deleted since it was shown', async () => {
    assert.deepEqual(await symbols.filterKnown(['formatPrice']), ['formatPrice']);
    known = [['formatCost', '', 'shop.txt', 3]];
    await symbols.open('formatPrice');
    assert.equal(vscode.window.activeTextEditor, undefined);
    known = [['formatPrice', '', 'gone.txt', 3]];
    await symbols.open('formatPrice');
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('don’t exist when the provider fails', async () => {
    answer = async () => Promise.reject(new Error('The provider of the test fails.'));
    assert.deepEqual(await symbols.filterKnown(['Invoice']), []);
    await symbols.open('Invoice');
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('are given up when the provider is slow, which is not asked again before it has answered', async () => {
    symbols.dispose();
    symbols = createShownSymbols(300);
    const slow = createDeferred<void>();
    answer = () => slow.promise;
    const names = ['Invoice', 'formatPrice', 'one', 'two'];
    assert.deepEqual(await symbols.filterKnown(names), []);
    assert.deepEqual(await symbols.filterKnown(names), []);
    assert.deepEqual(asked, ['Invoice']);
    slow.resolve();
    await eventually(async () =>
      assert.deepEqual(await symbols.filterKnown(names), ['Invoice', 'formatPrice']),
    );
  });

  it('are asked about again when a request was never answered', async () => {
    symbols.dispose();
    symbols = createShownSymbols(50, 200);
    answer = () => new Promise(() => undefined);
    assert.deepEqual(await symbols.filterKnown(['Invoice']), []);
    answer = async () => undefined;
    await eventually(async () => assert.deepEqual(await symbols.filterKnown(['Invoice']), ['Invoice']));
  });

  it('are asked about one after the other, also by two panels', async () => {
    let running = 0;
    let most = 0;
    answer = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
    };
    const names = ['Invoice', 'one', 'two'];
    const both = await Promise.all([symbols.filterKnown(names), symbols.filterKnown(names)]);
    assert.deepEqual(both, [['Invoice'], ['Invoice']]);
    assert.equal(most, 1);
  });
});
