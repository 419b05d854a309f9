import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { selectChanges } from '../../../../src/review/hunks/selectedChanges.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);
const toText = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');

describe('The changes that a selection in a diff editor touches', () => {
  const original = toText(lines(40));
  const modified = toText(
    lines(40).flatMap((line, at) => (at === 5 ? ['five', 'and a half'] : at === 30 ? [] : [line])),
  );
  const select = (side: 'original' | 'modified', startLine: number, endLine = startLine) =>
    selectChanges(original, modified, { side, startLine, endLine });

  it('are those in or beside its lines', () => {
    assert.deepEqual(select('modified', 6), {
      diff: '@@ -3,7 +3,8 @@\n line 2\n line 3\n line 4\n-line 5\n+five\n+and a half\n line 6\n line 7\n line 8\n',
      startLine: 2,
      endLine: 9,
    });
    assert.deepEqual(select('modified', 9), select('modified', 6));
    assert.equal(select('modified', 10), undefined);
  });

  it('are the same when the line ends differ, as those of a commit and of a file on Windows', () => {
    const [before, now] = [original, modified].map((text) => text.replaceAll('\n', '\r\n'));
    for (const texts of [[original, now] as const, [before, modified] as const, [before, now] as const])
      assert.deepEqual(
        selectChanges(texts[0] ?? '', texts[1] ?? '', { side: 'modified', startLine: 6, endLine: 6 }),
        select('modified', 6),
      );
  });

  it('are found on both sides', () => {
    const deleted =
      '@@ -28,7 +29,6 @@\n line 27\n line 28\n line 29\n-line 30\n line 31\n line 32\n line 33\n';
    assert.equal(select('original', 30)?.diff, deleted);
    assert.equal(select('modified', 31)?.diff, deleted);
    assert.equal(select('original', 20), undefined);
  });

  it('are several when it reaches over them', () => {
    const all = select('original', 0, 39);
    assert.equal(all?.diff.match(/^@@/gm)?.length, 2);
    assert.deepEqual([all?.startLine, all?.endLine], [2, 33]);
  });

  it('are none in equal texts', () => {
    assert.equal(
      selectChanges(original, original, { side: 'modified', startLine: 0, endLine: 39 }),
      undefined,
    );
  });

  it('may leave an empty text, or begin with one', () => {
    assert.deepEqual(selectChanges('a\n', '', { side: 'original', startLine: 0, endLine: 0 }), {
      diff: '@@ -1,1 +0,0 @@\n-a\n',
      startLine: 0,
      endLine: 0,
    });
    assert.equal(
      selectChanges('', 'a\n', { side: 'modified', startLine: 0, endLine: 0 })?.diff,
      '@@ -0,0 +1,1 @@\n+a\n',
    );
  });
});
