/** Comments on cells that have other URIs in another window. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Follower } from '../../../../src/editor/proposals/movedFiles.ts';
import type { Remark } from '../../../../src/review/comments/keptRemarks.ts';
import { EventEmitter, window, workspace } from '../../../support/editorStub.ts';
import { removeFolderSync } from '../../../support/removeFolder.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { sharedWindows } from '../../../support/sharedWindows.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createRemarks, createCellNumbering } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/remarks.ts')),
  ...(await import('../../../../src/editor/proposals/cellNumbering.ts')),
}));

type Cell = readonly [number: number, text: string];

const uriOf = (number: number) => `vscode-notebook-cell:/a.ipynb#W${number}sZmlsZQ%3D%3D`;

const notebookOf = (cells: readonly Cell[]) => ({
  uri: { toString: () => 'file:///a.ipynb' },
  getCells: () =>
    cells.map(([number, text]) => ({
      document: {
        uri: { scheme: 'vscode-notebook-cell', toString: () => uriOf(number) },
        getText: () => text,
      },
    })),
});

const remark = (id: string, number: number, quote: string): Remark => ({
  ...{ id, uri: uriOf(number), hunk: undefined, startLine: 0, endLine: 0, quote, text: 'Why?' },
});

describe('A comment on a cell in two windows', () => {
  restoreAfterEach(workspace);
  restoreAfterEach(window);
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'k3-cells-'));
  });
  afterEach(() => removeFolderSync(home));

  /** Begins windows, each with the cells that its notebook has there. */
  function windowsOf() {
    const open = sharedWindows(home);
    return (...first: Cell[]) => {
      let cells: readonly Cell[] = first;
      const [focus, opened, closed] = [
        new EventEmitter<{ readonly focused: boolean }>(),
        new EventEmitter<object>(),
        new EventEmitter<object>(),
      ];
      let notebook = notebookOf(cells);
      const show = () =>
        Object.assign(workspace, {
          notebookDocuments: cells.length > 0 ? [notebook] : [],
          textDocuments: [],
          onDidOpenTextDocument: opened.event,
          onDidCloseNotebookDocument: closed.event,
        });
      Object.assign(window, { onDidChangeWindowState: focus.event });
      show();
      const claims = { of: () => 'free', release: () => undefined, finish: () => undefined };
      let follower: Follower | undefined;
      const state = open();
      const remarks = createRemarks(state, { warn: assert.fail }, claims as never, {
        follow: (one) => {
          follower = one;
        },
      });
      const numbering = createCellNumbering(
        () => [],
        (now) => follower?.moveAtOnce?.(now),
        {
          state,
          isFollowed: (uri) => remarks.list().some((one) => one.uri === uri),
          marked: () => follower?.cells?.() ?? [],
          log: { warn: assert.fail },
        },
      );
      const number = () => {
        for (const { document } of notebook.getCells()) {
          opened.fire(document);
          numbering.number(document as never);
        }
      };
      if (cells.length > 0) number();
      const places = () => remarks.list().map(({ id, uri }) => `${id} ${uri}`);
      return {
        places,
        put(one: Remark) {
          show();
          remarks.put(one);
        },
        remove: (...ids: string[]) => remarks.remove(new Set(ids)),
        change(...next: Cell[]) {
          cells = next;
          notebook = notebookOf(cells);
        },
        close() {
          const before = notebook;
          cells = [];
          show();
          closed.fire(before);
        },
        open(...next: Cell[]) {
          cells = next;
          notebook = notebookOf(cells);
          show();
          number();
          return places();
        },
        end() {
          show();
          remarks.dispose();
          numbering.dispose();
        },
        focus() {
          show();
          focus.fire({ focused: true });
          return places();
        },
      };
    };
  }

  it('is on the same cell where that has another number, and stays there when either window changes it', () => {
    const start = windowsOf();
    const one = start([2, 'x'], [0, 'a'], [1, 'b']);
    const other = start([0, 'x'], [1, 'a'], [2, 'b']);
    one.put(remark('r1', 0, 'a'));
    for (let times = 0; times < 2; times++) assert.deepEqual(other.focus(), [`r1 ${uriOf(1)}`]);
    other.put({ ...remark('r1', 1, 'a'), text: 'Why not?' });
    other.put(remark('r2', 2, 'b'));
    for (let times = 0; times < 2; times++)
      assert.deepEqual(one.focus(), [`r1 ${uriOf(0)}`, `r2 ${uriOf(1)}`]);
    assert.deepEqual(other.focus(), [`r1 ${uriOf(1)}`, `r2 ${uriOf(2)}`]);
  });

  it('stays on its own cell when others are put above that, and its text is changed', () => {
    const start = windowsOf();
    const one = start([0, 'a'], [1, 'b']);
    one.put(remark('r1', 0, 'a'));
    one.change([2, 'x'], [0, 'a = 1'], [1, 'b']);
    assert.deepEqual(one.focus(), [`r1 ${uriOf(0)}`]);
  });

  it('is on its cell when the notebook is opened again, where another cell had its number', () => {
    const start = windowsOf();
    const other = start([0, 'a'], [1, 'b'], [2, 'c']);
    other.close();
    const one = start([0, 'x'], [1, 'y'], [2, 'a'], [3, 'b'], [4, 'c']);
    one.put(remark('r1', 2, 'a'));
    other.focus();
    assert.deepEqual(other.open([0, 'x'], [1, 'y'], [2, 'a'], [3, 'b'], [4, 'c']), [`r1 ${uriOf(2)}`]);
    other.put(remark('r2', 3, 'b'));
    assert.deepEqual(one.focus(), [`r1 ${uriOf(2)}`, `r2 ${uriOf(3)}`]);
  });

  it('is on its cell also if the first one there has its lines elsewhere, or other comments are changed before', () => {
    for (const isChanged of [false, true]) {
      const start = windowsOf();
      const other = start();
      const one = start([1, 'x\na'], [0, 'a'], [2, 'b']);
      one.put(remark('r1', 0, 'a'));
      other.focus();
      if (isChanged) other.put({ ...remark('r2', 0, ''), uri: 'file:///b.txt' });
      assert.equal(other.open([0, 'x\na'], [1, 'a'], [2, 'b'])[0], `r1 ${uriOf(1)}`);
      assert.equal(one.focus()[0], `r1 ${uriOf(0)}`);
      one.remove('r1', 'r2');
    }
  });

  it('is on its cell in the next window, also if cells were put above it and its text was changed', () => {
    for (const isClosed of [false, true]) {
      const start = windowsOf();
      const one = start([0, 'a'], [1, 'b']);
      one.put(remark('r1', 0, 'a'));
      one.change([2, 'a'], [3, 'b'], [0, 'a = 1'], [1, 'b']);
      if (isClosed) one.close();
      one.end();
      const next = start([0, 'a'], [1, 'b'], [2, 'a = 1'], [3, 'b']);
      assert.deepEqual(next.places(), [`r1 ${uriOf(2)}`]);
      next.end();
    }
  });

  it('is on its cell in the next window, also if another one with other numbers was closed last', () => {
    const start = windowsOf();
    const one = start([0, 'a'], [1, 'b'], [2, 'c']);
    const other = start([1, 'x'], [2, 'a'], [0, 'b'], [3, 'c']);
    one.put(remark('r1', 0, 'a'));
    other.focus();
    other.put(remark('r2', 0, 'b'));
    one.focus();
    one.put(remark('r3', 2, 'c'));
    one.end();
    other.end();
    assert.deepEqual(start([0, 'x'], [1, 'a'], [2, 'b'], [3, 'c']).places(), [
      `r1 ${uriOf(1)}`,
      `r2 ${uriOf(2)}`,
      `r3 ${uriOf(3)}`,
    ]);
  });
});
