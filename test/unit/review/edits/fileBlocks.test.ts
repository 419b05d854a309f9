import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toFileBlocks } from '../../../../src/review/edits/fileBlocks.ts';

const block = (language: string, path: string | undefined, code: string) => ({ language, path, code });
const of = (...blocks: readonly ReturnType<typeof block>[]) =>
  toFileBlocks(blocks).map(({ path, edits, isHeaderPath }) => [path, edits?.length, isHeaderPath]);

describe('A code block with a diff', () => {
  const one = '--- a/x.ts\n+++ b/x.ts\n@@\n-a\n+b\n';
  const two = `${one}--- a/y.ts\n+++ b/y.ts\n@@\n-c\n+d\n`;

  it('belongs to the file in its info string, or else to the one in its header', () => {
    assert.deepEqual(of(block('diff', 'src/x.ts', one)), [['src/x.ts', 1, false]]);
    assert.deepEqual(of(block('patch', undefined, one)), [['x.ts', 1, true]]);
    assert.deepEqual(of(block('diff', undefined, '-a\n+b\n')), [[undefined, 1, false]]);
  });

  it('belongs to the file in its info string, also if it deletes and creates that', () => {
    const diff = '--- a/x.ts\n+++ /dev/null\n@@\n-a\n--- /dev/null\n+++ b/x.ts\n@@\n+b\n';
    assert.deepEqual(of(block('diff', 'src/x.ts', diff)), [
      ['src/x.ts', 1, false],
      ['src/x.ts', 1, false],
    ]);
  });

  it('belongs to the file whose name its info string and its header have, with spaces', () => {
    const spaced = {
      ...block('diff', 'x.ts', one.replaceAll('x.ts', 'src/my x.ts')),
      longerPaths: ['src/my x.ts'],
    };
    assert.deepEqual(
      toFileBlocks([spaced, { ...spaced, code: one }]).map(({ path, longerPaths }) => [path, longerPaths]),
      [
        ['src/my x.ts', undefined],
        ['x.ts', ['src/my x.ts']],
      ],
    );
  });

  it('belongs to each of the files in its headers', () => {
    assert.deepEqual(of(block('diff', 'x.ts', two)), [
      ['x.ts', 1, true],
      ['y.ts', 1, true],
    ]);
  });

  it('belongs to one of both files in its header, the first one if that is there', () => {
    const code = one.replace('a/x.ts', 'a/x.ts.orig');
    assert.deepEqual(
      toFileBlocks([block('diff', undefined, code)]).map(({ path, longerPaths }) => [path, longerPaths]),
      [['x.ts', ['x.ts.orig']]],
    );
    assert.deepEqual(of(block('diff', 'src/x.ts', code)), [['src/x.ts', 1, false]]);
  });

  it('belongs to the file in its info string up to the first header', () => {
    assert.deepEqual(of(block('diff', 'src/x.ts', `@@\n-a\n+b\n${one.replaceAll('x.ts', 'y.ts')}`)), [
      ['src/x.ts', 1, false],
      ['y.ts', 1, true],
    ]);
  });

  it('changes nothing without signs', () => {
    assert.deepEqual(of(block('diff', 'x.ts', 'a\n')), [['x.ts', 0, false]]);
  });

  it('is read only if its language says so', () => {
    assert.deepEqual(of(block('ts', 'x.ts', one)), [['x.ts', undefined, false]]);
  });
});
