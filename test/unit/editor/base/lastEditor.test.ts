import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { activeTab, TabInputText, TabInputTextDiff, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { editorInFront } = await withEditorStub(() => import('../../../../src/editor/base/lastEditor.ts'));

const toEditor = (uri: string, viewColumn?: number) => ({
  document: { uri: { scheme: uri.split(':', 1)[0], toString: () => uri } },
  viewColumn,
});

describe('The editor in front', () => {
  const group = window.tabGroups.activeTabGroup;
  const box = toEditor('comment:/commentinput-1-1.md');
  const [a, b, bBeside] = [toEditor('file:///a', 1), toEditor('file:///b', 1), toEditor('file:///b', 2)];

  afterEach(() => {
    Reflect.deleteProperty(window, 'activeTextEditor');
    Reflect.deleteProperty(group, 'viewColumn');
    Object.assign(window, { visibleTextEditors: [] });
    activeTab.input = undefined;
  });

  function show(active: object | undefined, visible: readonly object[], input: unknown): void {
    Object.assign(window, { activeTextEditor: active, visibleTextEditors: visible });
    activeTab.input = input;
  }

  it('is the active one', () => {
    for (const active of [a, undefined]) {
      show(active, [a, b], Object.assign(new TabInputText(), { uri: 'file:///b' }));
      assert.equal(editorInFront(), active);
    }
  });

  it('is the one around the box of a comment, in the column of the box', () => {
    for (const [viewColumn, around] of [
      [1, b],
      [2, bBeside],
    ] as const) {
      Object.assign(group, { viewColumn });
      show(box, [a, bBeside, b, box], Object.assign(new TabInputText(), { uri: 'file:///b' }));
      assert.equal(editorInFront(), around);
    }
  });

  it('is the changed side of a diff around the box, not an editor of the same file beside it', () => {
    const changed = toEditor('file:///b');
    Object.assign(group, { viewColumn: 1 });
    const input = Object.assign(new TabInputTextDiff(), { original: 'k3:/b', modified: 'file:///b' });
    show(box, [bBeside, toEditor('k3:/b'), changed, box], input);
    assert.equal(editorInFront(), changed);
  });

  it('is none around a box in an editor that isn’t a text editor', () => {
    show(box, [a, b, box], {});
    assert.equal(editorInFront(), undefined);
  });
});
