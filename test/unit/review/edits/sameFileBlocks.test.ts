import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toFileBlocks } from '../../../../src/review/edits/fileBlocks.ts';
import { chooseBlocks } from '../../../../src/review/edits/sameFileBlocks.ts';

const DIFF = 'diff';
const block = (code: string, language = 'ts') => ({ language, path: 'a.ts', code });
const diff = (line: string) => block(`-${line}\n+${line}!\n`, DIFF);

/** The first characters of the blocks that are used, and of those that are left. */
function choose(blocks: readonly ReturnType<typeof block>[], text: string, asked?: string) {
  const chosen = chooseBlocks(toFileBlocks(blocks), text, asked);
  return chosen && [chosen.used, chosen.left].map((some) => some.map(({ code }) => code.trim()).join());
}

describe('Several blocks for one file', () => {
  it('are all used if they are edits, and once if they have the same code', () => {
    assert.deepEqual(choose([diff('a'), diff('b')], 'a\nb\n'), ['-a\n+a!,-b\n+b!', '']);
    for (const text of ['', 'x\n']) assert.deepEqual(choose([block('a\n'), block('a\n')], text), ['a', '']);
  });

  it('are the text of a new file: the last one is, with edits below it', () => {
    assert.deepEqual(choose([block('a\n'), block('b\n')], ''), ['b', 'a']);
    assert.deepEqual(choose([diff('x'), block('a\n'), diff('a')], ''), ['a,-a\n+a!', '-x\n+x!']);
  });

  it('are used in a file that is there if they say where they belong', () => {
    assert.deepEqual(choose([block('a\n'), diff('b'), block('c\n')], 'b\n', 'b\n'), ['-b\n+b!', 'a,c']);
    assert.deepEqual(choose([block('a\n'), block('b\n')], 'b\n'), ['', 'a,b']);
  });

  it('replace the lines in question if they have half of them, the last one of several', () => {
    const lines = 'function f() {\n  one();\n  two();\n}\n';
    const [first, second] = [lines.replace('one', 'uno'), lines.replace('two', 'dos')];
    const usage = 'f();\n';
    for (const [blocks, used] of [
      [[first, usage], first],
      [[usage, first], first],
      [[first, second, usage], second],
    ] as const)
      assert.equal(
        choose(
          blocks.map((code) => block(code)),
          lines,
          lines,
        )?.[0],
        used.trim(),
      );
    assert.equal(choose([block(usage), block('g();\n')], lines, lines), undefined);
    assert.equal(choose([block(usage), block('g();\n')], lines, '}\n'), undefined);
  });
});
