import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rankPaths } from '../../../../src/editor/workspace/pathRanking.ts';

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

describe('The paths that letters may mean', () => {
  it('begin with those whose name begins with them, in either case', () => {
    assert.deepEqual(ranked('clock'), [
      'src/Clock.test.ts',
      'src/clock.ts',
      'lib/oclock.ts',
      'test/clockwork/a.ts',
    ]);
  });

  it('begin with the open ones among those that fit as well', () => {
    assert.equal(ranked('clock', ['src/clock.ts'])[0], 'src/clock.ts');
    assert.equal(ranked('', ['src/deep/timetable.ts'])[0], 'src/deep/timetable.ts');
  });

  it('have folders among them', () => assert.equal(ranked('src')[0], 'src/'));

  it('have the letters in this order at least', () => {
    assert.deepEqual(ranked('tmtb'), ['src/deep/timetable.ts']);
    assert.deepEqual(ranked('zzz'), []);
  });

  it('are no more than fit', () => assert.equal(ranked('', [], 3).length, 3));
});
