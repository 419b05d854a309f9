import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toFileBlocks } from '../../../src/review/fileBlocks.ts';
import { readSearchBlock } from '../../../src/review/searchBlocks.ts';

const one = '<<<<<<< SEARCH\nlet a;\n=======\nlet b;\n>>>>>>> REPLACE\n';
const edit = { find: 'let a;\n', replace: 'let b;\n' };

describe('A code block with lines to search for and lines that replace them', () => {
  it('has an edit for each of them', () => {
    assert.deepEqual(readSearchBlock(one), { title: undefined, edits: [edit] });
    assert.deepEqual(readSearchBlock(`${one}\n${one}`)?.edits, [edit, edit]);
    assert.deepEqual(readSearchBlock(one.replace(/([<=>])\1{6}/g, '$1$1$1$1$1'))?.edits, [edit]);
  });

  it('can create a file, or delete lines', () => {
    assert.deepEqual(readSearchBlock('<<<<<<< SEARCH\n=======\na\n\n>>>>>>> REPLACE\n')?.edits, [
      { find: '', replace: 'a\n\n' },
    ]);
    assert.deepEqual(readSearchBlock('<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE')?.edits, [
      { find: 'a\n', replace: '' },
    ]);
  });

  it('is code if it has anything else, isn’t complete, or doesn’t say where the parts end', () => {
    for (const code of [
      '',
      'let a;\n',
      `${one}let c;\n`,
      `let c;\nlet d;\n${one}`,
      '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n',
      '<<<<<<< SEARCH\nTitle\n=======\n=======\nOther\n>>>>>>> REPLACE\n',
      ...Array.from(one.trimEnd(), (_, end) => one.slice(0, end)),
    ])
      assert.equal(readSearchBlock(code), undefined, code);
  });

  it('belongs to the file in its info string, or else to the one above the first edit', () => {
    const block = { language: 'ts', path: undefined, code: `src/a.ts\n${one}` };
    for (const [path, found, isHeaderPath] of [
      [undefined, 'src/a.ts', true],
      ['b.ts', 'b.ts', false],
    ] as const)
      assert.deepEqual(toFileBlocks([{ ...block, path }]), [
        { ...block, path: found, edits: [edit], isHeaderPath },
      ]);
    const [unnamed] = toFileBlocks([{ ...block, code: `Change this:\n${one}` }]);
    assert.deepEqual([unnamed?.path, unnamed?.edits], [undefined, [edit]]);
    assert.deepEqual(toFileBlocks([{ ...block, language: 'diff' }])[0]?.edits, [edit]);
  });
});
