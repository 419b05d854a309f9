/** What is asked before a proposal that the user makes replaces others. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposal.ts';
import { window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { addAsked } = await withEditorStub(() => import('../../../../src/editor/proposals/proposeEdits.ts'));

const fileOf = (after: string) =>
  toFileProposal({
    uri: 'file:///a',
    label: 'a',
    isNew: false,
    before: 'a\n',
    after,
    asked: undefined,
    unplaced: [],
  });

describe('A proposal that the user makes', () => {
  const { showWarningMessage } = window;
  let answers: string[];
  let asked: number;
  beforeEach(() => {
    asked = 0;
    Object.assign(window, {
      async showWarningMessage() {
        asked++;
        // An answer has ended meanwhile.
        shown = ['first', 'second'];
        return answers.shift();
      },
    });
  });
  afterEach(() => void Object.assign(window, { showWarningMessage }));

  let shown: readonly string[];
  async function add(): Promise<boolean> {
    shown = ['first'];
    const proposals = {
      ofFile: () => shown.map((id) => ({ proposal: { id }, file: fileOf(`${id}\n`) })),
      add: () => ({ id: 'third' }),
    };
    const fresh = { files: [fileOf('third\n')] };
    return (await addAsked(proposals as never, fresh as never)) !== undefined;
  }

  it('replaces no other one that was made while the user was asked, unless the user agrees to that as well', async () => {
    answers = ['Replace', 'Keep Proposal'];
    assert.deepEqual([await add(), asked], [false, 2]);
    [answers, asked] = [['Replace', 'Replace'], 0];
    assert.deepEqual([await add(), asked], [true, 2]);
    [answers, asked] = [['Keep Proposal'], 0];
    assert.deepEqual([await add(), asked], [false, 1]);
  });
});
