/** What is asked before a proposal that the user makes replaces others. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { commands, EndOfLine, FileType, Uri, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { addAsked, createProposeEdits } = await withEditorStub(
  () => import('../../../../src/editor/proposals/proposeEdits.ts'),
);

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

describe('The proposal of a finding', () => {
  restoreAfterEach(window, workspace, commands);

  it('is shown again when it is created twice, such as by a double-click, without a question', async () => {
    const document = { uri: new Uri('file:///a'), getText: () => 'a\n', eol: EndOfLine.LF };
    Object.assign(workspace, {
      fs: { stat: async () => ({ type: FileType.File }) },
      openTextDocument: async () => document,
    });
    Object.assign(window, { showWarningMessage: assert.fail });
    const shown: unknown[] = [];
    Object.assign(commands, { executeCommand: async (_: string, target: unknown) => shown.push(target) });
    const made: { readonly id: string; readonly files: readonly object[] }[] = [];
    const proposeEdits = createProposeEdits({
      ofTurn: () => made,
      ofFile: () => made.map((proposal) => ({ proposal, file: proposal.files[0] })),
      add: (fresh: object) => made[made.push({ id: String(made.length), files: [], ...fresh }) - 1],
    } as never);
    const edits = [{ find: 'a', replace: 'b' }];
    const about = { uri: document.uri, edits, lines: undefined, turnId: 't', conversationId: 'c' } as never;
    await Promise.all([proposeEdits(about), proposeEdits(about)]);
    assert.deepEqual([made.length, shown], [1, [{ proposalId: '0' }, { proposalId: '0' }]]);
  });

  it('says which file can’t be opened as text', async () => {
    Object.assign(workspace, {
      fs: { stat: async () => ({ type: FileType.File }) },
      openTextDocument: async () => Promise.reject(new Error('File seems to be binary')),
      asRelativePath: () => 'a',
    });
    const warnings: string[] = [];
    Object.assign(window, { showWarningMessage: async (text: string) => void warnings.push(text) });
    const proposeEdits = createProposeEdits({
      ofTurn: () => [],
      ofFile: () => [],
      add: assert.fail,
    } as never);
    const edits = [{ find: 'a', replace: 'b' }];
    await proposeEdits({
      uri: new Uri('file:///a'),
      ...{ edits, lines: undefined, turnId: 't', conversationId: 'c' },
    } as never);
    assert.deepEqual(warnings, ['Couldn’t open a.']);
  });
});
