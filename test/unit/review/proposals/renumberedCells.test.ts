import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toCellsNow } from '../../../../src/review/proposals/renumberedCells.ts';

const uriOf = (number: number, path = '/a.ipynb', scheme = 'c2No') =>
  `vscode-notebook-cell:${path}#W${number}s${scheme}`;

/** The cells of a notebook that was opened a moment ago. */
const opened = (...texts: readonly string[]) => texts.map((text, at) => ({ uri: uriOf(at), text }));
/** A cell with hunks: its number in its URI, its place from 1, and its text. */
const file = (number: number, place: number, text: string) => ({
  uri: uriOf(number),
  label: `a.ipynb#${place}`,
  text,
});

describe('Cells with hunks whose notebook is opened again', () => {
  const placesOf = (files: Parameters<typeof toCellsNow>[0], cells: ReturnType<typeof opened>) => {
    const now = toCellsNow(files, cells);
    return files.map(({ uri }) => cells.findIndex((cell) => cell.uri === now.get(uri)) + 1);
  };

  it('are at their places, also of cells with the same text', () => {
    const files = [file(1, 3, 'a'), file(0, 2, 'a'), file(2, 1, 'b')];
    assert.deepEqual(placesOf(files, opened('b', 'a', 'a')), [3, 2, 1]);
    assert.deepEqual(placesOf([file(0, 1, 'a\r\nb')], opened('a\nb')), [1]);
  });

  it('are where their text is if another program has moved it, or the last changes were not saved', () => {
    assert.deepEqual(placesOf([file(0, 2, 'a'), file(1, 3, 'b')], opened('a', 'b')), [1, 2]);
    assert.deepEqual(placesOf([file(0, 1, 'a')], opened('x', 'y', 'a')), [3]);
  });

  it('are at their places if their text has changed, unless that is the place of another one', () => {
    assert.deepEqual(placesOf([file(0, 2, 'a')], opened('x', 'changed')), [2]);
    assert.deepEqual(placesOf([file(0, 2, 'a'), file(1, 3, 'b')], opened('x', 'b')), [0, 2]);
    assert.deepEqual(placesOf([file(0, 9, 'a')], opened('x', 'y')), [0]);
    assert.deepEqual(placesOf([file(0, 9, 'a')], opened('a', 'a')), [0]);
  });

  it('are only those of this notebook, and not of an untitled one that has its path', () => {
    const others = [
      { ...file(0, 1, 'a'), uri: uriOf(0, '/b.ipynb') },
      { ...file(0, 1, 'a'), uri: uriOf(0, '/a.ipynb', 'dW50aXRsZWQ%3D') },
      { ...file(0, 1, 'a'), uri: 'file:///a.ipynb' },
    ];
    assert.equal(toCellsNow(others, opened('a')).size, 0);
    assert.equal(toCellsNow([file(0, 1, 'a')], []).size, 0);
    assert.deepEqual(
      [...toCellsNow([file(5, 1, 'a'), file(5, 2, 'b')], opened('a', 'b'))],
      [[uriOf(5), uriOf(0)]],
    );
  });
});
