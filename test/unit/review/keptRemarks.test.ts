import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeRemarks, type Remark, withRenamedFile } from '../../../src/review/keptRemarks.ts';
import { describeWrong } from '../../../src/validation/decode.ts';

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
