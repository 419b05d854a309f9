import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { placeEdits } from '../../../../src/review/edits/editPlacement.ts';
import { toCode, toFileBlocks } from '../../../../src/review/edits/fileBlocks.ts';
import { readSearchBlock } from '../../../../src/review/edits/searchBlocks.ts';

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

  it('is code if it begins with anything else', () => {
    for (const code of [
      '',
      'let a;\n',
      `let c;\nlet d;\n${one}`,
      '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n',
    ])
      assert.equal(readSearchBlock(code), undefined, code);
  });

  it('has an edit without a place for what isn’t complete, or is behind other lines', () => {
    const unread = (find: string) => ({ find, replace: '', readings: [] });
    for (const [code, edits] of [
      [`${one}let c;\n${one}`, [edit, unread(`let c;\n${one}`)]],
      ['<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n', [unread('<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n')]],
      [one.replace('>>>>>>> REPLACE\n', one), [unread(one.replace('>>>>>>> REPLACE\n', one))]],
    ] as const) {
      assert.deepEqual(readSearchBlock(code)?.edits, edits, code);
      assert.equal(toCode({ language: 'ts', path: undefined, code }), code);
    }
    for (let end = '<<<<<<< SEARCH'.length; end < one.trimEnd().length; end++) {
      const [cut, ...more] = readSearchBlock(`${one}${one.slice(0, end)}`)?.edits.slice(1) ?? [];
      assert.deepEqual([cut?.readings, more], [[], []], one.slice(0, end));
    }
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

describe('Lines to search for, or lines that replace them, of which one looks like the line between them', () => {
  const block = (...lines: readonly string[]) => `<<<<<<< SEARCH\n${lines.join('\n')}\n>>>>>>> REPLACE\n`;
  const place = (text: string, code: string) => {
    const { after, unplaced } = placeEdits(text, readSearchBlock(code)?.edits ?? []);
    return unplaced.length === 0 ? after : unplaced.map(({ reason }) => reason);
  };
  const [line, long] = ['=======', '========='];

  it('are parted by the line that is as long as the first one', () => {
    const text = 'Old title\n=========\n\nText\n';
    assert.equal(
      place(text, block('Old title', long, line, 'New title', long)),
      'New title\n=========\n\nText\n',
    );
    assert.equal(
      place(text, block('Old title', '=====', 'Title')),
      text.replace('Old title', 'Title'),
      'or the only one',
    );
  });

  it('are parted as the file says', () => {
    const text = 'Heading\n=======\n\nText\n';
    const changed = 'Subject\n=======\n\nText\n';
    assert.equal(place(text, block('Heading', line, line, 'Subject', line)), changed);
    assert.equal(
      place(text.replaceAll('\n', '\r\n'), block('Heading', line, line, 'Subject', line)),
      changed.replaceAll('\n', '\r\n'),
    );
    assert.equal(place('Heading\n\nText\n', block('Heading', line, 'Heading', line)), text);
    assert.equal(place(text, block('Heading', line, line, '# Heading')), '# Heading\n\nText\n');
    assert.equal(place('', block(line, 'Heading', line, '', 'Text')), text);
  });

  it('resolve a merge conflict', () => {
    const conflict = `<<<<<<< HEAD\nours\n${line}\ntheirs\n>>>>>>> other\n`;
    const lines = conflict.trimEnd().split('\n');
    assert.equal(place(`a\n${conflict}b\n`, block(...lines, line, 'both')), 'a\nboth\nb\n');
    assert.equal(place(conflict, block(line, 'theirs', '>>>>>>> other', line)), '<<<<<<< HEAD\nours\n');
  });

  it('have no place where the file doesn’t say it', () => {
    const text = 'Heading\n=======\nOld text\n';
    assert.deepEqual(place(text, block('Heading', line, 'Old words', line, 'New words')), ['unclear']);
    assert.deepEqual(place(`${text}Heading\n`, block('Heading', line, line, 'Subject', line)), ['unclear']);
    assert.deepEqual(place('Other\n', block('Heading', line, line, 'Subject', line)), ['unclear']);
    assert.deepEqual(place('Other\n', block(line, 'Heading', line)), ['file-exists']);
    assert.deepEqual(place(text, block(...Array.from({ length: 9 }, () => line))), ['unclear']);
  });
});
