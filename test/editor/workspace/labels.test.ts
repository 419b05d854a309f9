import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toPath } from '../../../src/editor/workspace/selectedCode.ts';
import { labelOf } from '../../../src/editor/workspace/textSources.ts';

describe('The name of a document in a message', () => {
  it('has no slash before it if the document is the reasoning of an answer', () => {
    const uri = vscode.Uri.from({ scheme: 'k3-reasoning', path: '/Reasoning – Why?.md', query: 'turn=1' });
    assert.equal(labelOf(uri), 'Reasoning – Why?.md');
  });

  it('is the path in the workspace also if its scheme is another one, as of a side of a diff', () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root);
    const inside = vscode.Uri.joinPath(root, 'src/clock.ts');
    for (const scheme of ['git', 'vscode-notebook-cell', 'pr']) {
      const uri = inside.with({ scheme, query: 'ref=HEAD', fragment: 'W0' });
      assert.deepEqual([labelOf(uri), toPath({ uri })], ['src/clock.ts', 'src/clock.ts'], scheme);
    }
    const outside = vscode.Uri.from({ scheme: 'git', path: `${root.path}-other/a.ts` });
    assert.deepEqual([labelOf(outside), toPath({ uri: outside })], [outside.path, outside.path]);
    const typed = vscode.Uri.from({ scheme: 'untitled', path: 'Untitled-1' });
    assert.deepEqual([labelOf(typed), toPath({ uri: typed })], ['Untitled-1', 'Untitled-1']);
  });

  it('is the name of the folder for a folder of the workspace itself, not its path on this machine', () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    assert.deepEqual([labelOf(root.uri), toPath({ uri: root.uri })], [root.name, root.name]);
  });

  it('is the kind of document if that has no path, such as a search editor', () => {
    const uri = vscode.Uri.parse('search-editor:#0.5');
    assert.deepEqual([labelOf(uri), toPath({ uri })], ['search-editor', 'search-editor']);
  });
});
