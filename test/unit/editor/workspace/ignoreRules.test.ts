import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createIgnoreMatcher } from '../../../../src/editor/workspace/ignoreRules.ts';
import { startCpu } from '../../../support/growth.ts';

describe('Ignore rules', () => {
  const ignoredBy = createIgnoreMatcher(
    [
      { folder: '/w', rules: 'dist/\n*.log\n!keep.log\n/only-here\n# a comment\nbuild\n' },
      { folder: '/w/packages/a', rules: '!loud.log\nlocal\n' },
      { folder: '/w/dist', rules: '!inside.ts\n' },
    ],
    false,
  );

  const cases: readonly (readonly [string, string | undefined])[] = [
    ['/w/src/a.ts', undefined],
    ['/w/a.log', '/w/a.log'],
    ['/w/keep.log', undefined],
    ['/w/dist/a.js', '/w/dist/'],
    ['/w/packages/a/dist/deep/a.js', '/w/packages/a/dist/'],
    ['/w/dist/inside.ts', '/w/dist/'],
    ['/w/only-here', '/w/only-here'],
    ['/w/src/only-here', undefined],
    ['/w/packages/a/loud.log', undefined],
    ['/w/packages/b/loud.log', '/w/packages/b/loud.log'],
    ['/w/packages/a/local', '/w/packages/a/local'],
    ['/w/packages/b/local', undefined],
    ['/w/build/x/y.ts', '/w/build/'],
    ['/elsewhere/a.log', undefined],
  ];
  for (const [path, by] of cases) {
    it(by === undefined ? `don't match ${path}` : `match ${path} by ${by}`, () =>
      assert.equal(ignoredBy(path), by),
    );
  }

  it('ignore case on case-insensitive disks', () => {
    const files = [{ folder: '/w', rules: 'dist/' }];
    assert.equal(createIgnoreMatcher(files, true)('/w/Dist/a'), '/w/Dist/');
    assert.equal(createIgnoreMatcher(files, false)('/w/Dist/a'), undefined);
  });

  it('end soon, whatever a repository has written to take long, and match at least what Git does', () => {
    const deep = 'a/'.repeat(150);
    const slow = `${'a/**/'.repeat(20)}b`;
    const worked = startCpu();
    const files = [{ folder: '/w', rules: `${slow}\n` }];
    assert.equal(createIgnoreMatcher(files, false)(`/w/${deep}c`), undefined);
    assert.equal(createIgnoreMatcher(files, false)(`/w/${deep}b`), `/w/${deep}b`);
    const again = [{ folder: '/w', rules: `b\n!${slow}\n` }];
    assert.equal(createIgnoreMatcher(again, false)(`/w/${deep}b`), `/w/${deep}b`);
    const bottomless = 'a/'.repeat(2000);
    assert.equal(createIgnoreMatcher(files, false)(`/w/${bottomless}c`), `/w/${bottomless}c`);
    assert.ok(worked() < 2000, `${worked()} ms`);
  });

  it('match nothing when there are none', () => {
    assert.equal(createIgnoreMatcher([], false)('/w/a.log'), undefined);
  });
});
