import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { placeEdits } from '../../../../src/review/edits/editPlacement.ts';
import { isBinaryDiff, readDiff, toEditsOfDiff } from '../../../../src/review/edits/unifiedDiff.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';

const apply = (text: string, diff: string) => placeEdits(text, toEditsOfDiff(diff));

describe('A unified diff', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -40,3 +40,3 @@\n a\n-b\n+B\n c\n';

  it('says of a file that isn’t text only that it has changed', () => {
    const header = 'diff --git a/x b/x\nindex 1..2 100644\n';
    assert.ok(isBinaryDiff(`${header}Binary files a/x and b/x differ\n`));
    assert.ok(!isBinaryDiff(`${header}--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+Binary files a and b differ\n`));
    assert.ok(!isBinaryDiff(''));
  });

  it('is applied where its lines occur, whatever line number it has', () => {
    assert.equal(apply('a\nb\nc\n', diff).after, 'a\nB\nc\n');
    assert.equal(apply('a\r\nb\r\nc\r\n', diff).after, 'a\r\nB\r\nc\r\n');
  });

  it('is not applied when a line differs or its lines occur several times', () => {
    assert.equal(apply('a\nx\nc\n', diff).unplaced[0]?.reason, 'not-there');
    assert.equal(apply('a\nb\nc\na\nb\nc\n', diff).unplaced[0]?.reason, 'several');
  });

  it('is one edit when it has no header', () => {
    assert.deepEqual(toEditsOfDiff(' a\n-b\n+B\n'), [{ find: 'a\nb\n', replace: 'a\nB\n' }]);
    assert.equal(apply('a\n', '-twoo\n+TWO\n').unplaced[0]?.reason, 'not-there');
  });

  it('does not throw when it is malformed', () => {
    for (const text of ['@@ -1,9 +1 @@\n-a', '', '@@', '---', '--- a\n+++ b', 'diff --git', '\\'])
      assert.doesNotThrow(() => toEditsOfDiff(text), text);
  });

  it('keeps deleted and added lines that look like the header of a file', () => {
    assert.equal(apply('a\ncount\n', ' a\n-count\n+++count;\n').after, 'a\n++count;\n');
    assert.equal(apply('a\n', ' a\n+diff --git a/x b/x\n').after, 'a\ndiff --git a/x b/x\n');
    assert.equal(apply('a\n-- old\nb\n', ' a\n--- old\n b\n').after, 'a\nb\n');
    assert.equal(apply('a\n-- old\nb\n', ' a\n--- old\n+++ new\n b\n').after, 'a\n++ new\nb\n');
    assert.equal(apply('-- old\nb\n', '@@ -1,2 +1,2 @@\n--- old\n+++ new\n b\n').after, '++ new\nb\n');
    assert.equal(
      apply('a\n-- old\nb\nc\n', '@@ -1,2 +1,2 @@\n a\n--- old\n+++ new\n@@ -3,2 +3 @@\n b\n-c\n').after,
      'a\n++ new\nb\n',
    );
    assert.deepEqual(toEditsOfDiff('--- old\n+++ new\n'), [{ find: '-- old\n', replace: '++ new\n' }]);
  });

  it('has one edit for each hunk header, whatever the header counts', () => {
    for (const header of [
      '@@',
      '@@ ... @@',
      '@@ -1,9 +1,9 @@',
      '@@ -1,1 +1,1 @@ function f()',
      '@@ -x +y @@',
    ]) {
      const { after, unplaced } = apply(
        'a\nb\nc\nd\ne\nf\n',
        `--- a/x\n+++ b/x\n${header}\n a\n-b\n+B\n${header}\n e\n-f\n+F\n`,
      );
      assert.equal(after, 'a\nB\nc\nd\ne\nF\n', header);
      assert.deepEqual(unplaced, []);
    }
  });

  it('can have blank lines between its hunks', () => {
    assert.equal(apply('a\nb\nc\nd\n', '@@ @@\n a\n-b\n+B\n\n@@ @@\n-d\n+D\n\n').after, 'a\nB\nc\nD\n');
    assert.equal(apply('b\n\nb\n', '@@ -1,2 +1,2 @@\n-b\n+B\n\n').after, 'B\n\nb\n');
  });

  it('can have unchanged lines without the space before them', () => {
    assert.equal(apply('a\n\nb\n', 'a\n\n-b\n+B\n').after, 'a\n\nB\n');
  });

  it('ignores the notes about a missing line end, and the lines of Git above a header', () => {
    assert.equal(
      apply(
        'a\nb',
        'diff --git a/x b/x\nindex 12..34 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n',
      ).after,
      'a\nB',
    );
  });
});

describe('A unified diff of several files', () => {
  it('is split at the headers, with or without hunk headers', () => {
    const hunks = [' a\n-b\n+B\n', '-c\n+C\n'];
    for (const [one = '', two = ''] of [hunks, hunks.map((lines) => `@@ -1,7 +1,7 @@\n${lines}`)])
      assert.deepEqual(readDiff(`--- a/src/x.ts\n+++ b/src/x.ts\n${one}--- a/y.ts\n+++ b/y.ts\n${two}`), [
        { path: 'src/x.ts', edits: [{ find: 'a\nb\n', replace: 'a\nB\n' }] },
        { path: 'y.ts', edits: [{ find: 'c\n', replace: 'C\n' }] },
      ]);
  });

  it('has a new file, and the lines of a deleted one', () => {
    assert.deepEqual(
      readDiff(
        'diff --git a/n.ts b/n.ts\nnew file mode 100644\n--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1 @@\n+new\n--- a/o.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n',
      ),
      [
        { path: 'n.ts', edits: [{ find: '', replace: 'new\n' }] },
        {
          path: 'o.ts',
          edits: [{ find: 'old\n', replace: '' }],
          renaming: { find: 'o.ts', replace: '' },
          isCounted: true,
        },
      ],
    );
  });

  it('has what it renames and deletes, also without a line of text', () => {
    const rename = (from: string, to: string, rest = '') =>
      `diff --git a/${from} b/${to}\nsimilarity index 90%\nrename from ${from}\nrename to ${to}\n${rest}`;
    const diff = [
      rename('src/a b.ts', 'src/c d.ts'),
      rename('x.ts', 'y.ts', '--- a/x.ts\n+++ b/y.ts\n@@ -1 +1 @@\n-a\n+b\n'),
      'diff --git a/z.ts b/z.ts\ndeleted file mode 100644\nindex 5716ca5..0000000\n',
      'diff --git a/run b/run\nold mode 100644\nnew mode 100755\n',
    ];
    assert.deepEqual(readDiff(diff.join('')), [
      { path: 'src/a b.ts', edits: [], renaming: { find: 'src/a b.ts', replace: 'src/c d.ts' } },
      {
        path: 'x.ts',
        edits: [{ find: 'a\n', replace: 'b\n' }],
        renaming: { find: 'x.ts', replace: 'y.ts' },
      },
      { path: 'z.ts', edits: [], renaming: { find: 'z.ts', replace: '' } },
      { path: 'run', edits: [], others: [{ find: 'old mode 100644', replace: 'new mode 100755' }] },
    ]);
  });

  it('has that a new file is a program, and of a link or a repository no text, which would be that of a file', () => {
    const create = (mode: string, end = '') =>
      `diff --git a/run b/run\nnew file mode ${mode}\nindex 0000000..1a2b3c4\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+new\n${end}`;
    const edits = [{ find: '', replace: 'new\n' }];
    const others = (mode: string) => [{ find: '', replace: `new file mode ${mode}` }];
    assert.deepEqual(readDiff(create('100644')), [{ path: 'run', edits }]);
    assert.deepEqual(readDiff(create('100755')), [{ path: 'run', edits, others: others('100755') }]);
    for (const mode of ['120000', '160000'])
      assert.deepEqual(readDiff(create(mode, '\\ No newline at end of file\n')), [
        { path: 'run', edits: [], others: others(mode) },
      ]);
    const deleting = `diff --git a/run b/run\ndeleted file mode 100644\n--- a/run\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n`;
    const [, ...created] = readDiff(deleting + create('120000'));
    assert.deepEqual(created, [{ path: 'run', edits: [], others: others('120000') }]);
    assert.deepEqual(readDiff(deleting + create('100755'))[1], {
      path: 'run',
      edits,
      others: others('100755'),
    });
  });

  it('has what it copies, and what isn’t text', () => {
    const copy =
      'diff --git a/x.ts b/y.ts\nsimilarity index 90%\ncopy from x.ts\ncopy to y.ts\n--- a/x.ts\n+++ b/y.ts\n@@ -1 +1 @@\n-a\n+b\n';
    const binary = 'Binary files a/a.png and b/a.png differ';
    const diff = [
      'diff --git a/a.png b/a.png\nindex 1a2..2b3 100644\n',
      `${binary}\n`,
      'diff --git a/b.png b/b.png\nindex 1a2..2b3 100644\nGIT binary patch\nliteral 4\nLcmZQzWMT#Y01f~L\n\n',
    ];
    assert.deepEqual(readDiff(diff.join('')), [
      { path: 'a.png', edits: [], others: [{ find: '', replace: binary }] },
      { path: 'b.png', edits: [], others: [{ find: '', replace: 'GIT binary patch' }] },
    ]);
    const edits = [{ find: 'a\n', replace: 'b\n' }];
    const others = [{ find: 'x.ts', replace: 'y.ts' }];
    assert.deepEqual(readDiff(copy), [{ path: 'y.ts', edits, others }]);
    assert.deepEqual(readDiff(copy.replace('+++ b/y.ts', '+++ b/x.ts')), [
      { path: 'y.ts', edits: [], others },
      { path: 'x.ts', edits },
    ]);
  });

  it('has what is above and below a deletion apart, also if Git’s header says it first', () => {
    const [deleting, creating] = [
      '--- a/x.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
      '--- /dev/null\n+++ b/x.ts\n@@ -0,0 +1 @@\n+b\n',
    ];
    const deletion = {
      path: 'x.ts',
      edits: [{ find: 'a\n', replace: '' }],
      renaming: { find: 'x.ts', replace: '' },
      isCounted: true,
    };
    const creation = { path: 'x.ts', edits: [{ find: '', replace: 'b\n' }] };
    const head = 'diff --git a/x.ts b/x.ts\n';
    for (const diff of [
      `${deleting}${creating}`,
      `${head}deleted file mode 100644\n${deleting}${head}new file mode 100644\n${creating}`,
    ])
      assert.deepEqual(readDiff(diff), [deletion, creation]);
    assert.deepEqual(readDiff(`${creating}${deleting}`), [creation, deletion]);
  });

  it('says whether a deletion is one hunk with as many lines as its header counts', () => {
    const head = '--- a/x.ts\n+++ /dev/null\n';
    for (const [hunks, isCounted] of [
      ['@@ -1,2 +0,0 @@\n-a\n-b\n', true],
      ['@@ -1,2 +0,0 @@\n-a\n\n', true],
      ['@@ -1,5 +0,0 @@\n-a\n', undefined],
      ['-a\n', undefined],
      ['@@ -1 +0,0 @@\n-a\n@@ -3 +0,0 @@\n-c\n', undefined],
    ] as const)
      assert.equal(readDiff(`${head}${hunks}`)[0]?.isCounted, isCounted, hunks);
    assert.equal(readDiff('--- a/x.ts\n+++ b/x.ts\n@@ -1 +0,0 @@\n-a\n')[0]?.isCounted, undefined);
  });

  it('has a new file and a deleted one also if blank lines have lost their signs', () => {
    const created = { find: '', replace: 'A\n\nC\n' };
    for (const header of ['@@ -0,0 +1,3 @@\n', '@@\n', ''])
      assert.deepEqual(
        readDiff(`--- /dev/null\n+++ b/x.ts\n${header}+A\n\n+C\n`)[0]?.edits,
        [created],
        header,
      );
    assert.deepEqual(toEditsOfDiff('@@ -0,0 +1,3 @@\n+A\n\n+C\n'), [created]);
    for (const header of ['@@ -1,3 +0,0 @@\n', ''])
      assert.deepEqual(
        readDiff(`--- a/x.ts\n+++ /dev/null\n${header}-A\n\n-C\n`)[0]?.edits,
        [{ find: 'A\n\nC\n', replace: '' }],
        header,
      );
    assert.deepEqual(
      readDiff('--- /dev/null\n+++ b/x.ts\n@@ -0,0 +1,2 @@\n+A\n\n\n')[0]?.edits,
      [{ find: '', replace: 'A\n\n' }],
      'as many as its header counts',
    );
    assert.deepEqual(
      toEditsOfDiff('@@ -1,2 +1 @@\n \n-b\n'),
      [{ find: '\nb\n', replace: '\n' }],
      'a blank line of a file that is neither',
    );
    assert.deepEqual(
      readDiff('--- /dev/null\n+++ b/x.ts\n@@\n a\n+b\n')[0]?.edits,
      [{ find: 'a\n', replace: 'a\nb\n' }],
      'unchanged lines',
    );
  });

  it('has the edits of a file together if its header is repeated', () => {
    const head = '--- x.ts\n+++ x.ts\n';
    assert.deepEqual(readDiff(`${head}@@\n-a\n+A\n${head}@@\n-b\n+B\n`), [
      {
        path: 'x.ts',
        edits: [
          { find: 'a\n', replace: 'A\n' },
          { find: 'b\n', replace: 'B\n' },
        ],
      },
    ]);
  });

  it('knows a name with spaces in a header of Git', () => {
    const name = 'my b/file.txt';
    for (const header of [`a/${name} b/${name}`, `"a/${name}" "b/${name}"`, `${name} ${name}`]) {
      const head = `diff --git ${header}\n`;
      const lines = `--- a/${name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n`;
      assert.deepEqual(
        readDiff(`${head}deleted file mode 100644\n${lines}`).map(({ path }) => path),
        [name],
        header,
      );
      assert.deepEqual(readDiff(`${head}old mode 100644\nnew mode 100755\n`)[0]?.path, name, header);
    }
    assert.deepEqual(readDiff('diff --git xyx\nold mode 100644\nnew mode 100755\n'), []);
  });

  it('knows a name whose special characters Git writes as octal numbers or with a backslash', () => {
    const mode = 'old mode 100644\nnew mode 100755\n';
    for (const [written, name] of [
      ['gr\\303\\266\\303\\237e.txt', 'größe.txt'],
      ['a \\"b\\"\\t\\\\.txt', 'a "b"\t\\.txt'],
    ] as const) {
      const [old, fresh] = [`"a/${written}"`, `"b/${written}"`];
      const changed = `--- ${old}\n+++ ${fresh}\n@@ -1 +1 @@\n-a\n+b\n`;
      const renamed = `similarity index 100%\nrename from "${written}"\nrename to "${written}"\n`;
      for (const diff of [changed, `diff --git ${old} ${fresh}\n${mode}${changed}`])
        assert.deepEqual([...new Set(readDiff(diff).map(({ path }) => path))], [name], diff);
      assert.deepEqual(readDiff(`diff --git ${old} b/x\n${renamed}`), [
        { path: name, edits: [], renaming: { find: name, replace: name } },
      ]);
    }
  });

  it('knows a name with a date behind it without a tab', () => {
    const head = '--- my x.ts 2023-04-10 12:34:56.000000000 +0800\n+++ my x.ts 2023-04-10 12:35:00\n';
    assert.equal(readDiff(`${head}@@\n-a\n+b\n`)[0]?.path, 'my x.ts');
  });

  it('has a new file without text', () => {
    const created = { path: 'x/__init__.py', edits: [{ find: '', replace: '' }] };
    const git = 'diff --git a/x/__init__.py b/x/__init__.py\nnew file mode 100644\nindex 0000000..e69de29\n';
    const head = '--- /dev/null\n+++ b/x/__init__.py\n';
    const other = '--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n';
    const change = { path: 'y', edits: [{ find: 'a\n', replace: 'b\n' }] };
    for (const diff of [git, head, git + head, `${head}@@ -0,0 +0,0 @@\n\n`]) {
      assert.deepEqual(readDiff(diff), [created], diff);
      assert.deepEqual(readDiff(diff + other), [created, change], diff);
    }
    // Text that has lost its signs isn't dropped, and has no place.
    assert.deepEqual(readDiff(`${head}@@ -0,0 +1 @@\na\n`)[0]?.edits, [{ find: 'a\n', replace: 'a\n' }]);
    for (const diff of [`${head}@@ -0,0 +1 @@\n`, `${git}Binary files /dev/null and b/x differ\n`])
      assert.deepEqual(readDiff(diff)[0]?.edits, [], diff);
    assert.deepEqual(readDiff(`${git + head}+a\n`)[0]?.edits, [{ find: '', replace: 'a\n' }]);
  });

  it('has only the files of one that Git has written as a mail', () => {
    const mail =
      'From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.com>\nSubject: [PATCH] Change x\n\n- Change x\n---\n x | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n';
    const diff = 'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
    const change = { path: 'x', edits: [{ find: 'a\n', replace: 'b\n' }] };
    const end = '-- \n2.43.0\n\n';
    assert.deepEqual(readDiff(`${mail}${diff}${end}`), [change]);
    const other = { ...change, path: 'y' };
    const second = `${mail}${diff}`.replaceAll('x', 'y');
    const cover = mail.replace('Change x', 'Two changes');
    for (const text of [
      `${mail}${diff}${end}${second}${end}`,
      `${mail}${diff}${second}`,
      `\n${cover}${end}${mail}${diff}${end}${second}`,
      `${diff}${end}${second}--\n2.39.3 (Apple Git-146)`,
    ])
      assert.deepEqual(readDiff(text), [change, other], text);
  });

  it('has both names of a header if nothing says that the file is renamed', () => {
    const change = '@@ -1 +1 @@\n-a\n+b\n';
    const names = (diff: string) => readDiff(diff).map(({ path, otherPath }) => [path, otherPath]);
    assert.deepEqual(names(`--- a/x.orig\n+++ b/x\n${change}`), [['x.orig', 'x']]);
    assert.deepEqual(names(`--- x.orig\n+++ x\n${change}`), [['x.orig', 'x']]);
    assert.deepEqual(names(`--- a/dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n`), [['dev/null', 'x']]);
    const git = 'diff --git a/x b/y\nsimilarity index 90%\n';
    for (const said of ['rename from x\nrename to y\n', 'copy from x\ncopy to y\n'])
      assert.equal(names(`${git}${said}--- a/x\n+++ b/y\n${change}`)[0]?.[1], undefined, said);
  });

  it('keeps a folder that is really named a', () => {
    for (const path of ['a/x.ts', 'a/lib/x.ts']) {
      assert.equal(readDiff(`--- ${path}\n+++ ${path}\n@@\n-a\n`)[0]?.path, path);
      assert.equal(readDiff(`diff --git ${path} ${path}\ndeleted file mode 100644\n`)[0]?.path, path);
    }
  });

  it('can have sentences above it', () => {
    const [file, ...more] = readDiff('The change:\n\n--- a/x\t2026-01-01\n+++ b/x\t2026-01-02\n@@\n-a\n+b\n');
    assert.deepEqual([file?.path, more], ['x', []]);
  });
});

describe('A diff with many blank lines at its end', () => {
  it('is read in time in proportion to their number', () => {
    for (const head of ['--- /dev/null\n+++ b/y\n@@ -0,0 +1,4 @@\n+a\n', '@@ -1,2 +1,3 @@\n a\n+b\n'])
      assert.ok(
        growthOf(
          (length) => head + '\n'.repeat(length),
          (diff) => readDiff(diff),
          1000,
        ) < LINEAR,
        head,
      );
  });
});

describe('A diff with many lines that look like headers, or many files', () => {
  it('is read in time in proportion to their number', () => {
    const pairs = (length: number) => `@@ -1,99999 +1,99999 @@\n${'--- q\n+++ r\n'.repeat(length)}`;
    const files = (length: number) =>
      Array.from({ length }, (_, at) => `--- a/${at}\n+++ b/${at}\n-a\n+b\n`).join('');
    for (const [diff, length] of [
      [pairs, 4000],
      [files, 1000],
    ] as const)
      assert.ok(growthOf(diff, (text) => readDiff(text), length) < LINEAR);
  });
});

describe('A diff with a long line', () => {
  it('is read in time in proportion to its length', () => {
    for (const part of ['\t', '\t\u2028', ' ', '"', 'index 0'])
      assert.ok(
        growthOf(
          (length) => `--- a${part.repeat(length)}\u2028b\n+++ b${part.repeat(length)}x\n@@ @@\n-a\n+b\n`,
          (diff) => readDiff(diff),
          8000,
        ) < LINEAR,
        JSON.stringify(part),
      );
  });
});
