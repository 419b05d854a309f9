/** What is said about hunks that a later proposal has replaced. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { withText } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { showReplaced } = await withEditorStub(
  () => import('../../../../src/editor/proposals/reviewNotes.ts'),
);

describe('The message about hunks that were replaced', () => {
  const { showInformationMessage } = window;
  let shown: string[];
  beforeEach(() => {
    shown = [];
    Object.assign(window, { showInformationMessage: async (message: string) => void shown.push(message) });
  });
  afterEach(() => void Object.assign(window, { showInformationMessage }));

  it('counts those whose lines have changed as well, as the chat does', () => {
    const texts = { uri: 'file:///a', label: 'a', isNew: false, asked: undefined, unplaced: [] };
    const file = withText(toFileProposal({ ...texts, before: 'a\nb\nc\n', after: 'A\nb\nC\n' }), 'x\nb\nc\n');
    const proposal = { id: 'p' } as Parameters<typeof showReplaced>[1]['proposal'];
    showReplaced({ warn: assert.fail }, { proposal, file });
    assert.match(shown.join(), / 2 hunks of the earlier one were not reviewed/);
  });
});
