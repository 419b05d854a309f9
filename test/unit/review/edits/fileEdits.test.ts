import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readCodeBlocks } from '../../../../src/review/answers/codeBlocks.ts';
import { placeEdits } from '../../../../src/review/edits/editPlacement.ts';
import { isOfDiff, toFileBlocks } from '../../../../src/review/edits/fileBlocks.ts';
import { toFileEdits } from '../../../../src/review/edits/fileEdits.ts';

const TEXT = 'one\ntwo\nthree\n';
const DELETING = '--- a/x\n+++ /dev/null\n';
const ALL = `${DELETING}@@ -1,3 +0,0 @@\n-one\n-two\n-three\n`;
const CREATING = '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+NEW\n';
const REFUSED = [
  ['NEW\n', 'file-exists'],
  ['', 'whole-file'],
];

/** The text after the diffs of an answer, each in a block of its own, and what wasn't placed. */
function apply(
  text: string | undefined,
  ...diffs: readonly string[]
): readonly [string, readonly (readonly string[])[]] {
  const answer = diffs.map((diff) => `\`\`\`diff\n${diff}\`\`\`\n`).join('\nand\n\n');
  const made = toFileEdits(toFileBlocks(readCodeBlocks(answer)).filter(isOfDiff), text);
  const { after, unplaced } = placeEdits(text ?? '', made.edits);
  return [after, [...unplaced, ...made.unplaced].map(({ edit, reason }) => [edit.replace, reason])];
}

describe('A file that an answer deletes and creates again', () => {
  it('gets the new text, from one diff or from two', () => {
    assert.deepEqual(apply(TEXT, ALL + CREATING), ['NEW\n', []]);
    assert.deepEqual(apply(TEXT, ALL, CREATING), ['NEW\n', []]);
    assert.deepEqual(apply(TEXT.replaceAll('\n', '\r\n'), ALL, CREATING), ['NEW\r\n', []]);
    assert.deepEqual(apply(TEXT.trimEnd(), ALL + CREATING), ['NEW', []]);
  });

  it('gets it from several hunks, or with blank lines without signs', () => {
    const two = `${DELETING}@@ -1 +0,0 @@\n-one\n@@ -2,2 +0,0 @@\n-two\n-three\n`;
    assert.deepEqual(apply(TEXT, two + CREATING), ['NEW\n', []]);
    assert.deepEqual(apply(TEXT, `${ALL + CREATING}@@ -0,0 +2 @@\n+MORE\n`), ['NEW\nMORE\n', []]);
    assert.deepEqual(apply(TEXT, ALL + CREATING + CREATING.replace('NEW', 'MORE')), ['NEW\nMORE\n', []]);
    const blank = '@@ -0,0 +1,3 @@\n+A\n\n+C\n';
    const created = `--- /dev/null\n+++ b/x\n${blank}`;
    assert.deepEqual(apply('a\n\nc\n', `${DELETING}-a\n\n-c\n${created}`), ['A\n\nC\n', []]);
  });

  it('gets it without the deleted lines, which Git can leave out', () => {
    const head = 'diff --git a/x b/x\n';
    const diff = `${head}deleted file mode 100644\n${head}new file mode 100644\n${CREATING}`;
    assert.deepEqual(apply(TEXT, diff), ['NEW\n', []]);
  });

  it('stays as it is if some or all lines of the new text have lost their signs', () => {
    for (const lines of ['+NEW\n two\n three\n', '+NEW\ntwo\n', 'NEW\ntwo\n', ' NEW\n'])
      for (const diffs of [
        [`${ALL}--- /dev/null\n+++ b/x\n@@ -0,0 +1,3 @@\n${lines}`],
        [ALL, `--- /dev/null\n+++ b/x\n@@ -0,0 +1,3 @@\n${lines}`],
      ])
        assert.deepEqual(
          [apply(TEXT, ...diffs)[0], apply(TEXT, ...diffs)[1].map(([, reason]) => reason)],
          [TEXT, ['file-exists', 'whole-file']],
        );
  });

  it('stays as it is if the diff below its deletion changes lines, and nothing says that it is new', () => {
    const changed = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n';
    for (const diffs of [[ALL + changed], [ALL, changed]])
      assert.deepEqual(apply(TEXT, ...diffs), [
        TEXT,
        [
          ['ONE\ntwo\n', 'overlaps'],
          ['', 'whole-file'],
        ],
      ]);
  });

  it('is only deleted as long as the new text is not there', () => {
    const created = '--- /dev/null\n+++ b/x\n';
    for (const cut of ['', created, `${created}@@ -0,0 +1,3 @@\n`])
      assert.deepEqual(apply(TEXT, ALL + cut), ['', [['', 'whole-file']]], cut);
    assert.equal(apply(TEXT, ALL, created)[1].at(-1)?.[1], 'whole-file');
  });

  it('gets it in place of some lines if their header counts no more', () => {
    const some = `${DELETING}@@ -1,2 +0,0 @@\n-one\n-two\n`;
    assert.deepEqual(apply(TEXT, some + CREATING), ['NEW\nthree\n', []]);
  });

  it('stays as it is if the deleted lines are only some of those that the header counts, or of the file', () => {
    for (const some of ['@@ -1,3 +0,0 @@\n-one\n', '-one\n', '@@\n-one\n', '@@ -1,3 +0,0 @@\n-one\n-...\n'])
      for (const diffs of [[DELETING + some + CREATING], [DELETING + some, CREATING]])
        assert.deepEqual(apply(TEXT, ...diffs), [TEXT, REFUSED], some);
    const two = `${DELETING}@@ -1 +0,0 @@\n-one\n@@ -3 +0,0 @@\n-three\n`;
    assert.deepEqual(apply(TEXT, two + CREATING), [TEXT, REFUSED]);
  });
});

describe('A file that an answer changes in several ways', () => {
  const CHANGING = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n';
  const CHANGING_NEW = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-NEW\n+NEWER\n';
  const GONE = [['', 'whole-file']];
  /** In one block, and with a block for each. */
  const both = (text: string | undefined, ...diffs: readonly string[]) => {
    const apart = apply(text, ...diffs);
    assert.deepEqual(apply(text, diffs.join('')), apart);
    return apart;
  };

  it('loses its lines if it is changed and then deleted, with the lines before the change or after it', () => {
    for (const all of [ALL, ALL.replace('-one', '-ONE')])
      assert.deepEqual(both(TEXT, CHANGING, all), ['', GONE]);
    assert.deepEqual(both(TEXT, CHANGING, `${DELETING}@@ -1,2 +0,0 @@\n-other\n-lines\n`), [
      'ONE\ntwo\nthree\n',
      [['', 'not-there'], ...GONE],
    ]);
  });

  it('gets its new text if it is changed, deleted, and created again', () => {
    for (const all of [ALL.replace('-one', '-ONE'), 'diff --git a/x b/x\ndeleted file mode 100644\n'])
      assert.deepEqual(both(TEXT, CHANGING, all, CREATING), ['NEW\n', []]);
  });

  it('has a new text as it is changed later', () => {
    assert.deepEqual(both(undefined, CREATING, CHANGING_NEW), ['NEWER\n', []]);
    assert.deepEqual(both('', CREATING, CHANGING_NEW), ['NEWER\n', []]);
    assert.deepEqual(both(TEXT, ALL, CREATING, CHANGING_NEW), ['NEWER\n', []]);
    assert.deepEqual(both(undefined, CREATING, CHANGING), ['NEW\n', [['ONE\ntwo\n', 'not-there']]]);
  });

  it('isn’t created if it is deleted later', () => {
    const deleting = `${DELETING}@@ -1 +0,0 @@\n-NEW\n`;
    assert.deepEqual(both(undefined, CREATING, deleting), ['', GONE]);
    assert.deepEqual(both(undefined, CREATING, deleting, CREATING), ['NEW\n', []]);
  });

  it('is new also if its header counts more lines', () => {
    const some = '--- /dev/null\n+++ b/x\n@@ -0,0 +1,9 @@\n+a\n\n+c\n';
    assert.deepEqual(apply(undefined, some), ['a\n\nc\n', []]);
    assert.deepEqual(apply(undefined, `${some}\n`), ['a\n\nc\n', []]);
    assert.deepEqual(apply(undefined, `${some}@@ -0,0 +4,9 @@\n+d\n`), ['a\n\nc\nd\n', []], 'two hunks');
  });

  it('has all of its edits', () => {
    const change = (from: string, to: string) => `--- a/x\n+++ b/x\n@@\n-${from}\n+${to}\n`;
    assert.deepEqual(apply(TEXT, change('one', 'ONE'), change('three', 'THREE')), ['ONE\ntwo\nTHREE\n', []]);
  });

  it('loses its lines if it is only deleted, and keeps the note that it can’t be', () => {
    assert.deepEqual(apply(TEXT, ALL), ['', [['', 'whole-file']]]);
    assert.deepEqual(apply('', CREATING, ALL)[1], [
      ['', 'not-there'],
      ['', 'whole-file'],
    ]);
  });

  it('is neither new nor written again after it was renamed', () => {
    const renaming = 'diff --git a/x b/y\nrename from x\nrename to y\n';
    assert.deepEqual(apply(TEXT, renaming + CREATING), [
      TEXT,
      [
        ['NEW\n', 'file-exists'],
        ['y', 'whole-file'],
      ],
    ]);
  });
});
