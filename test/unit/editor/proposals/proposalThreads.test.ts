import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposal.ts';
import { commands, commentThreads, registered, textDocuments, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerProposalThreads } = await withEditorStub(
  () => import('../../../../src/editor/proposals/proposalThreads.ts'),
);

const URI = 'file:///code.txt';
const TEXT = 'one\ntwo\nthree\n';

describe('The comment box of a hunk', () => {
  const { executeCommand } = commands;
  const file = toFileProposal({
    uri: URI,
    label: 'code.txt',
    isNew: false,
    before: TEXT,
    after: 'one\nTWO\nthree\n',
    asked: undefined,
    unplaced: [],
  });
  const proposal = { id: 'p', files: [file] };
  const target = { proposalId: 'p', uri: URI, hunkId: file.hunks[0]?.hunk.id ?? assert.fail() };
  let threads: ReturnType<typeof registerProposalThreads>;
  let changed: () => void;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const lines = TEXT.split('\n');
    const document = {
      uri: { scheme: 'file', toString: () => URI },
      lineCount: lines.length,
      getText: () => TEXT,
      positionAt: (at: number) => ({ line: TEXT.slice(0, at).split('\n').length - 1 }),
      lineAt: (line: number) => ({ range: { end: { line } }, text: lines[line] }),
    };
    textDocuments.push(document);
    Object.assign(window, { activeTextEditor: { document } });
    threads = registerProposalThreads({
      proposals: {
        underReview: () => [proposal],
        ofFile: () => [{ proposal, file }],
        onDidChange: (listener: () => void) => {
          changed = listener;
          return { dispose: () => undefined };
        },
      },
      remarks: { list: () => [], onDidChange: () => ({ dispose: () => undefined }) },
    } as never);
  });
  afterEach(() => {
    threads.dispose();
    mock.timers.reset();
    Object.assign(commands, { executeCommand });
    Reflect.deleteProperty(window, 'activeTextEditor');
    textDocuments.length = 0;
    commentThreads.length = 0;
  });

  it('is opened on a line only when the editor has processed new commenting ranges', async () => {
    const ran: string[] = [];
    Object.assign(commands, { executeCommand: async (command: string) => void ran.push(command) });
    mock.timers.tick(300);
    const opening = registered.get('k3.commentLine')?.();
    await new Promise(setImmediate);
    assert.deepEqual([ran, commentThreads.length], [[], 0]);
    mock.timers.tick(300);
    await opening;
    assert.deepEqual([ran, commentThreads.length], [['workbench.action.addComment'], 1]);
  });

  it('shows the hidden threads again when the editor can’t open it', async () => {
    mock.timers.tick(600);
    assert.equal(commentThreads.length, 1);
    let hidden = 0;
    threads.hideOthersWith(() => {
      hidden++;
      return { dispose: () => void hidden-- };
    });
    Object.assign(commands, {
      executeCommand: async () => {
        assert.deepEqual([hidden, commentThreads.length], [1, 0]);
        throw new Error('no editor');
      },
    });
    await assert.rejects(threads.openCommentBox(target), /no editor/);
    assert.equal(hidden, 0);
    changed();
    mock.timers.tick(1000);
    assert.equal(commentThreads.length, 1);
  });
});
