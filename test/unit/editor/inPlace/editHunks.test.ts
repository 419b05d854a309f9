/** The hunks of edits in the code, beside those of other answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Position, TextDocument } from 'vscode';
import { toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import type { UnderReview } from '../../../../src/review/proposals/proposalSet.ts';
import { withChanges } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { createEditHunks } = await withEditorStub(
  async () => import('../../../../src/editor/inPlace/editHunks.ts'),
);

const URI = 'file:///a.txt';

const fileWith = (before: string, after: string) =>
  toFileProposal({ uri: URI, label: 'a.txt', isNew: false, before, after, asked: undefined, unplaced: [] });

const conversations = (turnId: string) => {
  const turn = { ...completeTurn('So.'), id: turnId };
  const asked = exchange('e', 'Change it.', [turn]);
  return { find: () => ({ conversation: conversation('one', [asked]), exchange: asked, turn }) };
};

describe('A line with a hunk', () => {
  it('has a thread, to which the editor gives the focus, until the hunk is decided, also while others are not', () => {
    const file = fileWith('a\nb\nc\n', 'A\nb\nC\n');
    const text = 'A\nb\nc\n';
    const accepted = withChanges(file, [{ offset: 0, removed: 1, inserted: 'A' }], text);
    const document = {
      uri: URI,
      lineCount: 4,
      positionAt: (at: number) =>
        ({ line: text.slice(0, at).split('\n').length - 1, character: 0 }) as Position,
    } as unknown as TextDocument;
    const isOn = (line: number, shown: typeof file) =>
      createEditHunks({
        proposals: {
          ofTurn: () => [],
          ofFile: () => [{ file: shown } as UnderReview],
          reject: () => undefined,
          onDidChange: () => ({ dispose: () => undefined }),
        },
        conversations: conversations('t'),
      }).isOn(document, line);
    assert.deepEqual([isOn(0, file), isOn(2, file)], [true, true]);
    assert.deepEqual([isOn(0, accepted), isOn(2, accepted)], [false, true]);
  });
});
