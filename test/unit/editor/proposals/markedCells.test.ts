/** Comments on cells that have other URIs in another window. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Remark } from '../../../../src/review/keptRemarks.ts';
import { EventEmitter, window, workspace } from '../../../support/editorStub.ts';
import { removeFolderSync } from '../../../support/removeFolder.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { sharedWindows } from '../../../support/sharedWindows.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createRemarks } = await withEditorStub(() => import('../../../../src/editor/proposals/remarks.ts'));

type Cell = readonly [number: number, text: string];

const uriOf = (number: number) => `vscode-notebook-cell:/a.ipynb#W${number}sZmlsZQ%3D%3D`;

const notebookOf = (cells: readonly Cell[]) => ({
  getCells: () =>
    cells.map(([number, text]) => ({
      document: { uri: { toString: () => uriOf(number) }, getText: () => text },
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
      const focus = new EventEmitter<{ readonly focused: boolean }>();
      const show = () =>
        Object.assign(workspace, { notebookDocuments: [notebookOf(cells)], textDocuments: [] });
      Object.assign(window, { onDidChangeWindowState: focus.event });
      show();
      const claims = { of: () => 'free', release: () => undefined, finish: () => undefined };
      const remarks = createRemarks(open(), { warn: assert.fail }, claims as never, {
        follow: () => undefined,
      });
      const places = () => remarks.list().map(({ id, uri }) => `${id} ${uri}`);
      return {
        places,
        put(one: Remark) {
          show();
          remarks.put(one);
        },
        change(...next: Cell[]) {
          cells = next;
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
});
