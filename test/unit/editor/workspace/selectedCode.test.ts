/** The lines of an edit in the code. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { commands, SymbolKind, Uri } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toCodeHere } = await withEditorStub(() => import('../../../../src/editor/workspace/selectedCode.ts'));

const LINES = ['zero', 'one', '', 'three'];

const document = {
  uri: new Uri('/code.txt'),
  languageId: 'plaintext',
  lineCount: LINES.length,
  lineAt: () => ({ rangeIncludingLineBreak: { with: () => undefined } }),
  getText: () => '',
};

type Place = readonly [line: number, character: number];

const at = ([line, character]: Place) => ({ line, character });
const isUpTo = (one: Place, other: Place) => one[0] < other[0] || (one[0] === other[0] && one[1] <= other[1]);

const rangeOf = (start: Place, end: Place) => ({
  start: at(start),
  end: at(end),
  isEmpty: isUpTo(end, start),
  contains: ({ line, character }: { readonly line: number; readonly character: number }) =>
    isUpTo(start, [line, character]) && isUpTo([line, character], end),
});

async function linesFor(start: Place, end: Place): Promise<readonly number[]> {
  const selection = { ...rangeOf(start, end), active: at(end) };
  const { startLine, endLine } = await toCodeHere({ document, selection } as unknown as vscode.TextEditor);
  return [startLine, endLine];
}

describe('The lines to edit', () => {
  restoreAfterEach(commands);

  it('are those of the selection, without a line at whose start it ends, also an empty one', async () => {
    assert.deepEqual(await linesFor([0, 1], [1, 0]), [0, 0]);
    assert.deepEqual(await linesFor([0, 0], [2, 0]), [0, 1]);
    assert.deepEqual(await linesFor([0, 0], [3, 1]), [0, 3]);
  });

  it('are those of the symbol at the cursor, without a line at whose start it ends', async () => {
    const range = rangeOf([0, 0], [2, 0]);
    const executeCommand = async () => [{ kind: Reflect.get(SymbolKind, 'Function'), name: 'f', range }];
    Object.assign(commands, { executeCommand });
    assert.deepEqual(await linesFor([1, 1], [1, 1]), [0, 1]);
    // The cursor is behind it there.
    assert.deepEqual(await linesFor([2, 0], [2, 0]), [2, 2]);
  });
});
