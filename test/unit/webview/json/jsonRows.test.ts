import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type JsonNode, readJsonText } from '../../../../src/panel/jsonText.ts';
import { createJsonTree, type JsonTree, rowStepOf, windowOf } from '../../../../src/webview/json/jsonRows.ts';

function rootOf(text: string): JsonNode {
  const read = readJsonText(text);
  assert.ok(read.ok);
  return read.root;
}

const treeOf = (value: unknown) => createJsonTree(rootOf(JSON.stringify(value)));

function rowsOf(tree: JsonTree) {
  return Array.from({ length: tree.rowCount() }, (_, index) => {
    const row = tree.row(index);
    assert.ok(row);
    return { ...row, pointer: tree.pointerOf(row.value) };
  });
}

const boat = { name: 'Argo', parts: [{ size: { length: 1 } }, {}], 'a/b~': true };

describe('The tree of a structured answer', () => {
  it('expands two levels at first', () => {
    assert.deepEqual(
      rowsOf(treeOf(boat)).map(({ pointer, level, open }) => [pointer, level, open]),
      [
        ['', 1, true],
        ['/name', 2, undefined],
        ['/parts', 2, true],
        ['/parts/0', 3, false],
        ['/parts/1', 3, undefined],
        ['/a~1b~0', 2, undefined],
      ],
    );
  });

  it('has the position and the number of siblings of each value', () => {
    assert.deepEqual(
      rowsOf(treeOf(boat)).map(({ position, siblings }) => `${position}/${siblings}`),
      ['1/1', '1/3', '2/3', '1/2', '2/2', '3/3'],
    );
  });

  it('finds the row of a value or of its nearest visible ancestor', () => {
    const tree = treeOf(boat);
    const shownAt = (pointer: string) =>
      tree.pointerOf(tree.row(tree.rowOf(tree.find(pointer)))?.value ?? -1);
    assert.equal(shownAt('/parts/0/size/length'), '/parts/0');
    assert.equal(shownAt('/a~1b~0'), '/a~1b~0');
    assert.equal(shownAt('/gone'), '');
    assert.equal(shownAt('/parts/7/size'), '/parts');
    tree.setOpen(tree.find('/parts'), false);
    assert.equal(shownAt('/parts/0/size/length'), '/parts');
    tree.setOpen(tree.find(''), false);
    assert.equal(shownAt('/a~1b~0'), '');
  });

  it('finds the last of two values with the same key, which is the one that counts', () => {
    const tree = createJsonTree(rootOf('{"a": 1, "a": {"b": 2}}'));
    assert.equal(tree.row(tree.find('/a'))?.position, 2);
    assert.equal(tree.pointerOf(tree.find('/a/b')), '/a/b');
  });

  it('keeps what is expanded below a value that is collapsed and expanded again', () => {
    const tree = treeOf(boat);
    const pointers = () => rowsOf(tree).map(({ pointer }) => pointer);
    tree.setOpen(tree.find('/parts/0'), true);
    const before = pointers();
    assert.ok(before.includes('/parts/0/size'));
    tree.setOpen(tree.find('/parts'), false);
    assert.deepEqual(pointers(), ['', '/name', '/parts', '/a~1b~0']);
    tree.setOpen(tree.find('/parts'), true);
    assert.deepEqual(pointers(), before);
  });

  it('supports the keys of a tree: down, up, first, last, expand, collapse', () => {
    const tree = treeOf(boat);
    const go = (at: number, key: string) => rowStepOf(tree, at, key);
    const valueAt = (at: number) => tree.row(at)?.value;
    assert.deepEqual(go(0, 'ArrowDown'), { kind: 'go', to: 1 });
    assert.deepEqual(go(0, 'ArrowUp'), { kind: 'go', to: 0 });
    assert.deepEqual(go(0, 'End'), { kind: 'go', to: 5 });
    assert.deepEqual(go(5, 'ArrowDown'), { kind: 'go', to: 5 });
    assert.deepEqual(go(5, 'Home'), { kind: 'go', to: 0 });
    assert.deepEqual(go(2, 'ArrowRight'), { kind: 'go', to: 3 });
    assert.deepEqual(go(3, 'ArrowRight'), { kind: 'open', value: valueAt(3) });
    assert.deepEqual(go(3, 'ArrowLeft'), { kind: 'go', to: 2 });
    assert.deepEqual(go(2, 'ArrowLeft'), { kind: 'close', value: valueAt(2) });
    assert.deepEqual(go(3, 'Enter'), { kind: 'open', value: valueAt(3) });
    assert.deepEqual(go(2, ' '), { kind: 'close', value: valueAt(2) });
    assert.equal(go(1, 'ArrowRight'), undefined);
    assert.equal(go(1, 'x'), undefined);
    assert.equal(go(6, 'ArrowDown'), undefined);
  });

  it('shows a window of a large answer that follows the active row', () => {
    assert.equal(windowOf(0, 299, 1000, 300), 0);
    assert.equal(windowOf(0, 300, 1000, 300), 20);
    assert.equal(windowOf(0, 999, 1000, 300), 700);
    assert.equal(windowOf(700, 0, 1000, 300), 0);
    assert.equal(windowOf(50, 10, 40, 300), 0);
    assert.equal(treeOf(Array.from({ length: 100_000 }, () => 1)).rowCount(), 100_001);
  });

  it('needs as many values for a key in a large answer as in a small one', () => {
    assert.equal(readsOfKeys(40_000), readsOfKeys(500));
  });
});

/** How many values are read for each key of a tree, and for 50 errors, once it was drawn. */
function readsOfKeys(rows: number): number {
  let reads = 0;
  const counted = (node: JsonNode): JsonNode => {
    const children = node.children.map(counted);
    return {
      ...node,
      get children() {
        reads++;
        return children;
      },
    };
  };
  const whole = rootOf(JSON.stringify(Array.from({ length: rows / 4 }, () => ({ a: 1, b: 'x', c: [] }))));
  const tree = createJsonTree(counted(whole));
  const wrong = Array.from({ length: 50 }, (_, index) => tree.find(`/${index}/a`));
  reads = 0;
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter']) {
    const step = rowStepOf(tree, 9, key);
    if (step?.kind === 'open' || step?.kind === 'close') tree.setOpen(step.value, step.kind === 'open');
    for (const value of wrong) tree.rowOf(value);
    for (let index = 0; index < 300; index++) tree.row(index);
  }
  return reads;
}
