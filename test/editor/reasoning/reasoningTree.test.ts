import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createReasoningTree, type ReasoningTree } from '../../../src/editor/reasoning/reasoningTree.ts';
import { type Scripted, startScripted, streamOf } from '../scripted.ts';

describe('The reasoning tree, while other conversations change', () => {
  let scripted: Scripted;
  let tree: ReasoningTree;
  beforeEach(async () => {
    scripted = await startScripted();
    tree = createReasoningTree({ conversations: scripted.conversations });
  });
  afterEach(async () => {
    tree.dispose();
    await scripted.close();
  });

  it('keeps the marks of steps', async () => {
    const { conversations } = scripted;
    const stream = () => streamOf([{ reasoning: 'A guard.' }, { answer: 'Add it.', finish: 'stop' }]);
    scripted.will(stream(), stream());
    await scripted.ask('How?');
    const other = conversations.current().id;
    conversations.create();
    const { id } = await scripted.ask('Why?');
    const iconOf = () => {
      const { iconPath } = tree.getTreeItem(tree.node(id, 0)) as vscode.TreeItem;
      return iconPath instanceof vscode.ThemeIcon ? iconPath.id : undefined;
    };
    tree.cite({ steps: [{ turnId: id, step: 0, strength: 'strong' }], at: 0, show: false });
    assert.equal(iconOf(), 'circle-filled');
    let refreshed = 0;
    tree.onDidChangeTreeData?.(() => refreshed++);
    conversations.delete(other);
    conversations.restore(other);
    assert.deepEqual([iconOf(), refreshed], ['circle-filled', 0]);
  });
});
