import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rankPaths } from '../../../../src/editor/context/pathRanking.ts';

const paths = [
  'src/',
  'src/clock.ts',
  'src/deep/timetable.ts',
  'README.md',
  'test/clockwork/a.ts',
  'lib/oclock.ts',
  'src/Clock.test.ts',
];
const ranked = (letters: string, open: readonly string[] = [], most = 10) =>
  rankPaths(
    paths.map((path) => ({ path, open: open.includes(path) })),
    letters,
    most,
  ).map(({ path }) => path);

describe('Ranked paths', () => {
  it('start with those whose name starts with the letters, ignoring case', () => {
    assert.deepEqual(ranked('clock'), [
      'src/Clock.test.ts',
      'src/clock.ts',
      'lib/oclock.ts',
      'test/clockwork/a.ts',
    ]);
  });

  it('start with open files among those that match equally well', () => {
    assert.equal(ranked('clock', ['src/clock.ts'])[0], 'src/clock.ts');
    assert.equal(ranked('', ['src/deep/timetable.ts'])[0], 'src/deep/timetable.ts');
  });

  it('include folders', () => assert.equal(ranked('src')[0], 'src/'));

  it('contain the letters in this order', () => {
    assert.deepEqual(ranked('tmtb'), ['src/deep/timetable.ts']);
    assert.deepEqual(ranked('zzz'), []);
  });

  it('are limited in number', () => assert.equal(ranked('', [], 3).length, 3));
});
