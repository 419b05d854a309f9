import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Origin } from '../../../../src/conversation/question.ts';
import { toOpenText } from '../../../../src/review/openHunks.ts';
import { Uri } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toEdited } = await withEditorStub(() => import('../../../../src/editor/proposals/editedFile.ts'));

const LINES = ['one', 'same', 'two', 'three', 'same', 'four', 'same'];

/** What is asked about lines of a file. */
const lines = (name: string, startLine: number, endLine: number): Origin => ({
  uri: `file:///${name}`,
  startLine,
  endLine,
  text: LINES.slice(startLine, endLine + 1)
    .map((line) => `${line}\n`)
    .join(''),
});

/** The text of `a.txt` with an edit of the line that is there three times, and why the edit has no place. */
function edited(origin: Origin, ...more: readonly Origin[]): readonly (string | undefined)[] {
  const file = toEdited(
    {
      uri: Uri.parse('file:///a.txt') as never,
      label: 'a.txt',
      exists: true,
      text: LINES.map((line) => `${line}\n`).join(''),
      lineEnd: '\n',
    },
    [{ find: 'same', replace: 'SAME' }],
    origin,
    more,
  );
  return [toOpenText(file).replaceAll('\n', ' ').trim(), file.unplaced[0]?.reason];
}

describe('An edit of lines that are in a file several times', () => {
  const placed = 'one same two three SAME four same';

  it('has its place in the lines of the question, also in those of another file and in others of the same file', () => {
    assert.deepEqual(edited(lines('a.txt', 3, 5)), [placed, undefined]);
    assert.deepEqual(edited(lines('b.txt', 0, 1), lines('a.txt', 3, 5)), [placed, undefined]);
    assert.deepEqual(edited(lines('a.txt', 2, 2), lines('a.txt', 3, 5)), [placed, undefined]);
  });

  it('has none if several parts of the question have them', () => {
    const unchanged = LINES.join(' ');
    assert.deepEqual(edited(lines('a.txt', 0, 1), lines('a.txt', 3, 5)), [unchanged, 'several']);
    assert.deepEqual(edited(lines('b.txt', 0, 1)), [unchanged, 'several']);
  });
});
