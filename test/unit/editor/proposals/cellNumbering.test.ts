/** Cells of a notebook whose comments are kept, in the next window. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, describe, it } from 'mocha';
import { EventEmitter, ExtensionKind, extensions, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createCellNumbering, fileAddressOf } = await withEditorStub(
  () => import('../../../../src/editor/proposals/cellNumbering.ts'),
);

const uriOf = (number: number, path = '/a.ipynb') => `vscode-notebook-cell:${path}#W${number}sZmlsZQ%3D%3D`;

function notebookOf(path: string, ...cells: readonly (readonly [number: number, text: string])[]) {
  const documents = cells.map(([number, text]) => ({
    document: {
      uri: { scheme: 'vscode-notebook-cell', toString: () => uriOf(number, path) },
      getText: () => text,
    },
  }));
  return { uri: { toString: () => `file://${path}` }, getCells: () => documents };
}

const hashOf = (text: string) => createHash('sha1').update(text).digest('base64');

describe('The notebook of a cell in a remote window', () => {
  restoreAfterEach(extensions, Uri);

  it('is a file of the machine on which K3 Chat runs only if that is the remote one', () => {
    const uriWith = (parts: object): object => ({
      ...parts,
      with: (others: object) => uriWith({ ...parts, ...others }),
      toString: () => JSON.stringify(Object.values(parts)),
    });
    const fragment = `W0s${Buffer.from('vscode-remote').toString('base64')}`;
    const cell = { scheme: 'vscode-notebook-cell', authority: 'there', path: '/a.ipynb', fragment };
    Object.assign(Uri, {
      parse: () => uriWith(cell),
      file: (path: string) => uriWith({ scheme: 'file', path }),
    });
    const addressIn = (extensionKind: number) => {
      Object.assign(extensions, { getExtension: () => ({ extensionKind }) });
      return JSON.parse(fileAddressOf('vscode-notebook-cell://there/a.ipynb'));
    };
    assert.deepEqual(addressIn(ExtensionKind.Workspace), ['file', '/a.ipynb']);
    assert.deepEqual(addressIn(ExtensionKind.UI), ['vscode-remote', 'there', '/a.ipynb', '']);
  });
});

describe('Cells with comments', () => {
  restoreAfterEach(workspace);
  let stored: Map<string, unknown>;
  let closing: EventEmitter<unknown>;
  let moved: (readonly [string, string])[];
  let followed: string[];
  let marked: { readonly uri: string; readonly label: string; readonly text: string }[];
  beforeEach(() => {
    [stored, closing, moved, followed, marked] = [new Map(), new EventEmitter(), [], [], []];
    Object.assign(workspace, { onDidCloseNotebookDocument: closing.event });
  });

  /** A new window that shows notebooks. */
  function start(...open: ReturnType<typeof notebookOf>[]) {
    Object.assign(workspace, { notebookDocuments: open });
    moved = [];
    const cells = createCellNumbering(
      () => [],
      (now) => moved.push(...now),
      {
        state: {
          get: (name: string) => stored.get(name),
          update: async (name: string, value: unknown) => void stored.set(name, value),
        } as never,
        isFollowed: (uri) => followed.includes(uri),
        marked: () => marked,
        log: { warn: assert.fail },
      },
    );
    for (const notebook of open) cells.number(notebook.getCells()[0]?.document as never);
    return cells;
  }

  const moves = () => moved.filter(([from, to]) => from !== to);

  it('are the same ones after a reload, which counts the cells anew, whether or not the notebook is open then', () => {
    for (const isClosed of [false, true]) {
      followed = [uriOf(0), uriOf(1)];
      const before = notebookOf('/a.ipynb', [2, 'x = 0'], [0, 'a = 1'], [1, 'a = 1']);
      const cells = start(before);
      if (isClosed) {
        closing.fire(before);
        Object.assign(workspace, { notebookDocuments: [] });
      }
      cells.dispose();
      // Before the others follow, such as findings.
      followed = [];
      const other = notebookOf('/b.ipynb', [0, 'b']);
      start(other).dispose();
      const now = notebookOf('/a.ipynb', [0, 'x = 0'], [1, 'a = 1'], [2, 'a = 1']);
      const after = start(other, now);
      assert.deepEqual(moves(), [
        [uriOf(0), uriOf(1)],
        [uriOf(1), uriOf(2)],
      ]);
      after.dispose();
      // They have their new addresses from now on.
      start(now).dispose();
      assert.deepEqual(moves(), []);
    }
  });

  it('are the same ones after the window was killed, or in another one, as the comments were stored', () => {
    followed = [uriOf(0), uriOf(1)];
    marked = [
      { uri: uriOf(0), label: '#2', text: hashOf('a = 1') },
      { uri: uriOf(1), label: '#3', text: hashOf('b = 2') },
    ];
    start(notebookOf('/a.ipynb', [0, 'x = 0'], [1, 'a = 1'], [2, 'b = 2']));
    assert.deepEqual(moves(), [
      [uriOf(0), uriOf(1)],
      [uriOf(1), uriOf(2)],
    ]);
  });

  it('are the same ones also if another window has comments on them, and has changed their text', () => {
    const before = notebookOf('/a.ipynb', [2, 'x = 0'], [0, 'a = 1'], [1, 'b = 2']);
    const cells = start(before);
    closing.fire(before);
    const now = notebookOf('/a.ipynb', [0, 'x = 0'], [1, 'a = 2'], [2, 'b = 2']);
    Object.assign(workspace, { notebookDocuments: [now] });
    marked = [{ uri: uriOf(7), label: '#2', text: hashOf('a = 2') }];
    cells.number(now.getCells()[0]?.document as never);
    assert.equal(new Map(moves()).get(uriOf(0)), uriOf(1));
    assert.equal(new Map(moves()).get(uriOf(7)), uriOf(1));
  });

  it('are not kept without comments', () => {
    start(notebookOf('/a.ipynb', [0, 'a = 1'])).dispose();
    assert.deepEqual(
      [...stored.values()].flatMap((one) => Object.keys(one as object)),
      [],
    );
  });
});
