import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readJsonText } from '../../../../src/panel/jsonText.ts';
import { createExpandedValues } from '../../../../src/webview/json/expandedValues.ts';
import { createJsonTree } from '../../../../src/webview/json/jsonRows.ts';

function treeOf(value: unknown) {
  const read = readJsonText(JSON.stringify(value));
  assert.ok(read.ok);
  return createJsonTree(read.root);
}

/** The pointers of the values that are expanded. */
const openIn = (tree: ReturnType<typeof treeOf>) =>
  Array.from({ length: tree.rowCount() }, (_, index) => tree.row(index)).flatMap((row) =>
    row?.open === true ? [tree.pointerOf(row.value)] : [],
  );

describe('What is expanded in a structured answer', () => {
  const deep = { a: { b: { c: { d: 1 } } } };

  it('is expanded and collapsed in the tree of a longer text, too', () => {
    const expanded = createExpandedValues();
    const first = treeOf({ a: [1], b: [2] });
    expanded.set(first, first.find('/b'), false);
    const longer = treeOf({ x: [0], a: [1], b: [2], c: [3] });
    expanded.restore(longer);
    assert.deepEqual(openIn(longer), ['', '/x', '/a', '/c']);
  });

  it('is nothing of a text that lacks the value', () => {
    const expanded = createExpandedValues();
    const first = treeOf({ a: { b: [1] } });
    expanded.set(first, first.find('/a/b'), false);
    const other = treeOf({ a: [1] });
    expanded.restore(other);
    assert.deepEqual(openIn(other), ['', '/a']);
  });

  it('is everything around a value that is shown, what the user collapsed only if it is always shown', () => {
    const expanded = createExpandedValues();
    const tree = treeOf(deep);
    expanded.set(tree, tree.find('/a'), false);
    expanded.showValue(tree, tree.find('/a/b/c/d'), false);
    assert.deepEqual(openIn(tree), ['']);
    expanded.showValue(tree, tree.find('/a/b/c/d'), true);
    assert.deepEqual(openIn(tree), ['', '/a', '/a/b', '/a/b/c']);
  });
});
