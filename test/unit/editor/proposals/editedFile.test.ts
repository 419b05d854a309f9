import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Origin } from '../../../../src/conversation/question.ts';
import type { AskedLines } from '../../../../src/editor/proposals/askedFile.ts';
import { toOpenText } from '../../../../src/review/proposals/openHunks.ts';
import { EndOfLine, FileType, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toEdited, toFilesOfCode } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/editedFile.ts')),
  ...(await import('../../../../src/editor/proposals/proposedFiles.ts')),
}));

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
function edited(origin: Origin, ...more: readonly AskedLines[]): readonly (string | undefined)[] {
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
  restoreAfterEach(workspace);
  const placed = 'one same two three SAME four same';

  it('has its place in the lines of the question, also in those of another file and in others of the same file', () => {
    assert.deepEqual(edited(lines('a.txt', 3, 5)), [placed, undefined]);
    assert.deepEqual(edited(lines('b.txt', 0, 1), lines('a.txt', 3, 5)), [placed, undefined]);
    assert.deepEqual(edited(lines('a.txt', 2, 2), lines('a.txt', 3, 5)), [placed, undefined]);
  });

  it('has its place in them also if they have moved or changed since they were sent, in each part of the question', () => {
    const whole = 'same\ntwo\nthree\nsame\nfour\nsame\n';
    const moved = { ...lines('a.txt', 4, 4), startLine: 3, endLine: 3, whole };
    const changed = {
      ...moved,
      text: 'before\nsame\n',
      startLine: 2,
      whole: whole.replace('three', 'before'),
    };
    for (const one of [moved, changed])
      for (const other of [lines('b.txt', 0, 1), lines('a.txt', 2, 2)])
        assert.deepEqual(edited(other, one), [placed, undefined]);
  });

  it('has none if several parts of the question have them', () => {
    const unchanged = LINES.join(' ');
    assert.deepEqual(edited(lines('a.txt', 0, 1), lines('a.txt', 3, 5)), [unchanged, 'several']);
    assert.deepEqual(edited(lines('b.txt', 0, 1)), [unchanged, 'several']);
  });

  it('has its place in one of the parts of the question also in a diff, with or without a name', async () => {
    const text = LINES.map((line) => `${line}\n`).join('');
    const document = { uri: Uri.parse('file:///a.txt'), getText: () => text, eol: EndOfLine.LF };
    Object.assign(workspace, {
      fs: { stat: async () => ({ type: FileType.File }) },
      openTextDocument: async () => document,
    });
    const asked = async (path: string | undefined, origin: Origin, more: readonly Origin[]) => {
      const block = { language: 'diff', path, code: '-same\n+SAME\n' };
      const question = { text: '', images: [], origin, more, purpose: 'proposal' as const };
      const [file] = (await toFilesOfCode([block], question)).files;
      return file && toOpenText(file).replaceAll('\n', ' ').trim();
    };
    for (const path of [undefined, 'file:///a.txt']) {
      assert.equal(await asked(path, lines('a.txt', 2, 2), [lines('a.txt', 3, 5)]), placed);
      assert.equal(await asked(path, lines('a.txt', 0, 1), [lines('a.txt', 3, 5)]), LINES.join(' '));
    }
  });
});
