import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  decodeRemarks,
  placedIn,
  type Remark,
  withChangedText,
  withRenamedFile,
} from '../../../../src/review/comments/keptRemarks.ts';
import { describeWrong } from '../../../../src/validation/decode.ts';

const onFile: Remark = {
  id: 'a',
  uri: 'file:///w/a.ts',
  hunk: undefined,
  startLine: 0,
  endLine: 2,
  quote: 'let a;\n',
  text: 'Use const.',
};
const onHunk: Remark = { ...onFile, id: 'b', hunk: { proposalId: 'p', hunkId: 'h' } };

function read(stored: unknown) {
  const wrong: string[] = [];
  const remarks = decodeRemarks(stored, (field) => wrong.push(describeWrong(field)));
  return { remarks, wrong };
}

describe('Stored comments', () => {
  it('are read as they were written', () => {
    const stored: unknown = JSON.parse(JSON.stringify([onFile, onHunk]));
    assert.deepEqual(read(stored), { remarks: [onFile, onHunk], wrong: [] });
  });

  it('are empty when nothing is stored', () => {
    assert.deepEqual(read(undefined), { remarks: [], wrong: [] });
  });

  it('leave out a comment that is not valid, and keep the others', () => {
    const stored = [
      onFile,
      null,
      { ...onFile, startLine: '1' },
      { ...onFile, hunk: { proposalId: 'p' } },
      onHunk,
    ];
    assert.deepEqual(read(stored), {
      remarks: [onFile, onHunk],
      wrong: ['it should be an object', 'startLine should be a number', 'hunk.hunkId should be text'],
    });
  });

  it('are empty when what is stored is not a list', () => {
    assert.deepEqual(read({ id: 'a' }), { remarks: [], wrong: ['it should be a list'] });
  });
});

describe('Comments on files that are renamed', () => {
  const inFolder: Remark = { ...onFile, id: 'c', uri: 'file:///w/lib/b.ts' };

  it('go along with the file, or with a folder above it', () => {
    const uris = (from: string, to: string) =>
      withRenamedFile([onFile, inFolder], from, to).map(({ uri }) => uri);
    assert.deepEqual(uris('file:///w/a.ts', 'file:///w/c.ts'), ['file:///w/c.ts', inFolder.uri]);
    assert.deepEqual(uris('file:///w/lib', 'file:///w/src'), [onFile.uri, 'file:///w/src/b.ts']);
  });

  it('are the same list when they are on other files', () => {
    const remarks = [onFile, inFolder];
    assert.equal(withRenamedFile(remarks, 'file:///w/li', 'file:///w/src'), remarks);
  });
});

describe('Comments on lines whose file changes', () => {
  const CODE = 'one\ntwo\nthree\nfour\n';
  const uri = 'file:///w/a.ts';
  const on = (startLine: number, quote: string): Remark => ({
    id: 'a',
    uri,
    hunk: undefined,
    startLine,
    endLine: startLine + quote.split('\n').length - 1,
    quote,
    text: 'Why?',
  });
  const linesOf = ([remark]: readonly Remark[]) => [remark?.startLine, remark?.endLine];
  /** A replacement of whole lines, from the first to before the last. */
  const replace = (startLine: number, endLine: number, text: string) => ({
    startLine,
    startCharacter: 0,
    endLine,
    endCharacter: 0,
    text,
  });

  it('move with what is typed above them, and not with what is typed below', () => {
    const above = withChangedText([on(1, 'two\nthree')], uri, [replace(0, 0, 'zero\n')], `zero\n${CODE}`);
    assert.deepEqual(linesOf(above), [2, 3]);
    const remarks = [on(1, 'two\nthree')];
    assert.equal(
      withChangedText(remarks, uri, [replace(3, 3, 'x\n')], 'one\ntwo\nthree\nx\nfour\n'),
      remarks,
    );
    assert.equal(withChangedText(remarks, 'file:///w/b.ts', [replace(0, 0, 'x\n')], `x\n${CODE}`), remarks);
  });

  it('are on the lines in their place when they are edited', () => {
    const longer = withChangedText(
      [on(1, 'two')],
      uri,
      [{ ...replace(1, 1, '\nmore'), endCharacter: 3 }],
      'one\n\nmore\n',
    );
    assert.deepEqual(linesOf(longer), [1, 2]);
    const enter = { ...replace(1, 1, '\n'), endCharacter: 3 };
    assert.deepEqual(linesOf(withChangedText([on(1, 'two')], uri, [enter], 'one\ntwo\n\nthree\n')), [1, 1]);
    const edited = [on(1, 'two')];
    assert.equal(
      withChangedText(edited, uri, [{ ...replace(1, 1, '2'), endCharacter: 3 }], 'one\n2\nthree\nfour\n'),
      edited,
    );
  });

  it('are where their lines were when these are deleted, and on them again when that is undone', () => {
    const gone = withChangedText([on(1, 'two\nthree')], uri, [replace(1, 3, '')], 'one\nfour\n');
    assert.deepEqual(linesOf(gone), [1, 1]);
    assert.deepEqual(linesOf(withChangedText(gone, uri, [replace(1, 1, 'two\nthree\n')], CODE)), [1, 2]);
    const fromBefore = { ...replace(0, 0, '\ntwo\nthree'), endCharacter: 3 };
    assert.deepEqual(linesOf(withChangedText(gone, uri, [fromBefore], CODE)), [1, 2]);
  });

  it('follow lines that are moved, past those that look the same', () => {
    const text = 'two\nthree\nfour\none\ntwo\n';
    const changes = [replace(0, 1, ''), replace(4, 4, 'one\ntwo\n')];
    const moved = withChangedText([on(0, 'one')], uri, changes, text);
    assert.deepEqual(linesOf(moved), [3, 3]);
  });

  it('are not drawn to other lines that look the same', () => {
    const text = 'one\nx\nthree\nx\n';
    const changes = [{ ...replace(1, 1, 'y'), endCharacter: 1 }];
    const remarks = [on(1, 'x')];
    assert.equal(withChangedText(remarks, uri, changes, text.replace('x', 'y')), remarks);
  });

  it('are not drawn to equal lines when another program changes lines above and below, which is one change', () => {
    const text = 'ONE\nx\nthree\nx\nfive\nx\nSEVEN\n';
    for (const line of [1, 3, 5]) {
      const remarks = [on(line, 'x')];
      assert.equal(withChangedText(remarks, uri, [replace(0, 7, text)], text), remarks);
      const longer = `zero\n${text}`;
      const moved = withChangedText(remarks, uri, [replace(0, 7, longer)], longer);
      assert.deepEqual(linesOf(moved), [line + 1, line + 1]);
    }
  });

  it('are found again by their lines when these moved while the file was closed', () => {
    assert.deepEqual(linesOf(placedIn([on(1, 'two\nthree')], uri, `a\nb\n${CODE}`)), [3, 4]);
    const remarks = [on(1, 'two')];
    assert.equal(placedIn(remarks, uri, CODE), remarks);
    assert.equal(placedIn(remarks, uri, 'nothing\n'), remarks);
    assert.equal(placedIn(remarks, uri, 'x\ny\ntwo\ntwo\n'), remarks);
    assert.deepEqual(linesOf(placedIn([on(1, '')], uri, CODE)), [1, 1]);
  });

  it('stay at their lines when only other ones are left that were the same, also after a reload', () => {
    const stored: unknown = JSON.parse(JSON.stringify([{ ...on(1, 'two'), isRepeated: true }]));
    const { remarks } = read(stored);
    assert.equal(placedIn(remarks, uri, 'one\nTWO\nthree\ntwo\n'), remarks);
    assert.deepEqual(linesOf(placedIn([on(1, 'two')], uri, 'one\nTWO\nthree\ntwo\n')), [3, 3]);
  });
});
