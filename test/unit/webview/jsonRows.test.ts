import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readJsonText } from '../../../src/panel/jsonText.ts';
import {
  ancestorsOf,
  isOpenAtFirst,
  nearestRow,
  stepOf,
  toRows,
  windowOf,
} from '../../../src/webview/jsonRows.ts';

function rowsOf(value: unknown, open?: (pointer: string, level: number) => boolean) {
  const read = readJsonText(JSON.stringify(value));
  assert.ok(read.ok);
  return toRows(read.root, open ?? ((_, level) => isOpenAtFirst(level)));
}

const boat = { name: 'Argo', parts: [{ size: { length: 1 } }, {}], 'a/b~': true };

describe('The tree of a structured answer', () => {
  it('expands two levels at first', () => {
    assert.deepEqual(
      rowsOf(boat).map(({ pointer, level, open }) => [pointer, level, open]),
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
      rowsOf(boat).map(({ position, siblings }) => `${position}/${siblings}`),
      ['1/1', '1/3', '2/3', '1/2', '2/2', '3/3'],
    );
  });

  it('finds the row of a value or of its nearest visible ancestor', () => {
    const rows = rowsOf(boat);
    assert.equal(rows[nearestRow(rows, '/parts/0/size/length')]?.pointer, '/parts/0');
    assert.equal(rows[nearestRow(rows, '/a~1b~0')]?.pointer, '/a~1b~0');
    assert.equal(rows[nearestRow(rows, '/gone')]?.pointer, '');
    assert.equal(nearestRow([], ''), -1);
    assert.deepEqual(ancestorsOf('/parts/0/size'), ['', '/parts', '/parts/0']);
    assert.deepEqual(ancestorsOf(''), []);
  });

  it('supports the keys of a tree: down, up, first, last, expand, collapse', () => {
    const rows = rowsOf(boat);
    const go = (at: number, key: string) => stepOf(rows, at, key);
    assert.deepEqual(go(0, 'ArrowDown'), { kind: 'go', to: 1 });
    assert.deepEqual(go(0, 'ArrowUp'), { kind: 'go', to: 0 });
    assert.deepEqual(go(0, 'End'), { kind: 'go', to: 5 });
    assert.deepEqual(go(5, 'ArrowDown'), { kind: 'go', to: 5 });
    assert.deepEqual(go(5, 'Home'), { kind: 'go', to: 0 });
    assert.deepEqual(go(2, 'ArrowRight'), { kind: 'go', to: 3 });
    assert.deepEqual(go(3, 'ArrowRight'), { kind: 'open', pointer: '/parts/0' });
    assert.deepEqual(go(3, 'ArrowLeft'), { kind: 'go', to: 2 });
    assert.deepEqual(go(2, 'ArrowLeft'), { kind: 'close', pointer: '/parts' });
    assert.deepEqual(go(3, 'Enter'), { kind: 'open', pointer: '/parts/0' });
    assert.deepEqual(go(2, ' '), { kind: 'close', pointer: '/parts' });
    assert.equal(go(1, 'ArrowRight'), undefined);
    assert.equal(go(1, 'x'), undefined);
  });

  it('shows a window of a large answer that follows the active row', () => {
    assert.equal(windowOf(0, 299, 1000, 300), 0);
    assert.equal(windowOf(0, 300, 1000, 300), 20);
    assert.equal(windowOf(0, 999, 1000, 300), 700);
    assert.equal(windowOf(700, 0, 1000, 300), 0);
    assert.equal(windowOf(50, 10, 40, 300), 0);
    const rows = rowsOf(Array.from({ length: 100_000 }, () => 1));
    assert.equal(rows.length, 100_001);
  });
});
