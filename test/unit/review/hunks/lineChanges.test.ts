import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toLineChanges } from '../../../../src/review/hunks/lineChanges.ts';

const insert = (offset: number, inserted: string) => ({ offset, removed: 0, inserted });
const remove = (offset: number, removed: number) => ({ offset, removed, inserted: '' });

describe('A change of lines', () => {
  it('is below the line at whose end Enter was pressed', () => {
    assert.deepEqual(toLineChanges([insert(1, '\nx')], 'a\nb\n'), [insert(2, 'x\n')]);
    assert.deepEqual(toLineChanges([insert(1, '\r\nx')], 'a\r\nb\r\n'), [insert(3, 'x\r\n')]);
  });

  it('is below the line from whose end to the end of the next one text was deleted', () => {
    assert.deepEqual(toLineChanges([remove(1, 2)], 'a\nb\nc\n'), [remove(2, 2)]);
  });

  it('stays where complete lines are inserted or deleted, also among empty lines', () => {
    for (const one of [insert(1, '\n'), remove(1, 1), insert(2, 'x\n')])
      assert.deepEqual(toLineChanges([one], '\n\n\n'), [one]);
  });

  it('stays where it divides a line, or the line end behind it is changed as well', () => {
    assert.deepEqual(toLineChanges([insert(1, '\nx')], 'ab\n'), [insert(1, '\nx')]);
    const two = [remove(1, 1), insert(1, '\nx')];
    assert.deepEqual(toLineChanges(two, 'a\nb\n'), two);
  });

  it('is the last one first, each counted after those', () => {
    const changes = [insert(1, '\nx'), insert(3, '\ny')];
    assert.deepEqual(toLineChanges(changes, 'a\nb\nc\n'), [insert(4, 'y\n'), insert(2, 'x\n')]);
  });
});
