import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { conflictAt, findConflicts, isConflict, leavesMarker } from '../../../src/text/conflicts.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

const MERGE = ['<<<<<<< HEAD', 'mine', '=======', 'theirs', '>>>>>>> feature'];
const DIFF3 = ['<<<<<<< HEAD', 'mine', '||||||| 1234567', 'base', '=======', 'theirs', '>>>>>>> feature'];

const find = (...lines: string[]) => findConflicts(lines.join('\n'));

describe('The conflicts in a text', () => {
  it('are the blocks from the first to the last marker, each on lines of its own', () => {
    assert.deepEqual(find('a', ...MERGE, 'b', ...DIFF3), [
      { startLine: 1, endLine: 5 },
      { startLine: 7, endLine: 13 },
    ]);
  });

  it('are found with all line ends, without labels, and with an empty side', () => {
    assert.deepEqual(findConflicts(`a\r\n${MERGE.join('\r\n')}\r\n`), [{ startLine: 1, endLine: 5 }]);
    assert.deepEqual(find('<<<<<<<', '=======', '>>>>>>>'), [{ startLine: 0, endLine: 2 }]);
  });

  it('have all their markers, in this order', () => {
    for (const missing of [0, 2, 4]) assert.deepEqual(find(...MERGE.toSpliced(missing, 1)), []);
    assert.deepEqual(find('<<<<<<< a', '>>>>>>> b', '=======', '>>>>>>> c'), []);
    assert.deepEqual(find('||||||| b', '=======', '>>>>>>> c'), []);
  });

  it('begin with the last opening marker before the separator', () => {
    assert.deepEqual(find('<<<<<<< a', 'mine', ...MERGE), [{ startLine: 2, endLine: 6 }]);
    assert.deepEqual(find('<<<<<<< a', '=======', ...MERGE), [{ startLine: 2, endLine: 6 }]);
  });

  it('may have lines like markers of another length, such as those of a nested merge and of headings', () => {
    assert.deepEqual(
      find(
        '<<<<<<< HEAD',
        'x',
        '||||||| b',
        '<<<<<<<<< x',
        '=========',
        '>>>>>>>>> y',
        '=======',
        '>>>>>>> t',
      ),
      [{ startLine: 0, endLine: 7 }],
    );
    assert.deepEqual(find('Title', '=======', 'text', ' <<<<<<< no', '<<<<<<<no'), []);
  });

  it('are found in linear time', () => {
    const text = (size: number) => '<<<<<<< a\n=======\n'.repeat(size);
    assert.ok(growthOf(text, findConflicts, 4000) < LINEAR);
  });
});

describe('The conflict at a line', () => {
  it('is the one whose markers are around it', () => {
    const text = ['a', ...MERGE, 'b'].join('\n');
    for (const line of [1, 3, 5]) assert.deepEqual(conflictAt(text, line), { startLine: 1, endLine: 5 });
    for (const line of [0, 6]) assert.equal(conflictAt(text, line), undefined);
  });
});

describe('A text that is one conflict', () => {
  it('begins and ends with its markers', () => {
    for (const end of ['\n', '\r\n'])
      for (const last of ['', end]) assert.equal(isConflict(MERGE.join(end) + last), true);
    for (const lines of [['a', ...MERGE], [...MERGE, ''], [...MERGE, 'b'], [...MERGE, ...MERGE], ['a']])
      assert.equal(isConflict(`${lines.join('\n')}\n`), false);
  });
});

describe('A change of a text with conflicts', () => {
  const text = `a\n${MERGE.join('\n')}\n`;
  it('leaves no marker alone if it resolves all of a conflict, or nothing', () => {
    for (const after of ['a\nboth\n', text, text.replace('a', 'b')])
      assert.equal(leavesMarker(text, after), false);
    const heading = 'Title\n=======\n';
    assert.equal(leavesMarker(heading + text, `${heading}both\n`), false);
  });

  it('leaves no marker alone where the lines in question underline a heading in the same way', () => {
    const side = (words: string) => ['Changes', '=======', words];
    const conflict = ['<<<<<<< HEAD', ...side('mine'), '=======', ...side('theirs'), '>>>>>>> feature'];
    const headed = `a\n${conflict.join('\n')}\n`;
    assert.equal(leavesMarker(headed, `a\n${side('both').join('\n')}\n`), false);
    assert.equal(leavesMarker(headed, `a\n${conflict.slice(1, -1).join('\n')}\n`), true);
  });

  it('leaves one alone if it resolves a part', () => {
    for (const kept of MERGE.filter((line) => /^[<=>]{7}/.test(line)))
      assert.equal(leavesMarker(text, `a\nboth\n${kept}\n`), true);
  });
});
