import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { PanelListenersDeps, PanelPage } from '../../../../src/editor/chatView/panelListeners.ts';
import {
  type FileProposal,
  type Proposal,
  toFileProposal,
} from '../../../../src/review/proposals/proposal.ts';
import { EventEmitter } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { listenForPanel } = await withEditorStub(
  () => import('../../../../src/editor/chatView/panelListeners.ts'),
);

const never = () => ({ dispose: () => undefined });

describe('The proposals that a page shows', () => {
  let file: FileProposal;
  let open: boolean;
  /** The turns that were posted. */
  let posted: string[];
  /** The database can be read. */
  let opens: EventEmitter<void>;
  let change: (state: FileProposal['hunks'][number]['state']) => void;

  beforeEach(() => {
    const texts = { before: 'a\n', after: 'b\n', asked: undefined, unplaced: [] };
    file = toFileProposal({ uri: 'file:///a.txt', label: 'a.txt', isNew: false, ...texts });
    open = true;
    posted = [];
    opens = new EventEmitter();
    const proposals = new EventEmitter<{ turnIds: readonly string[] }>();
    const proposal = () => ({ id: 'p1', files: [file], revises: undefined }) as Partial<Proposal> as Proposal;
    const deps: Partial<Record<keyof PanelListenersDeps, object>> = {
      proposals: { ofTurn: () => [proposal()], onDidChange: proposals.event },
      conversations: { onDidChange: never },
      routes: { onDidChange: never },
      probes: { onDidChange: never },
      storage: { onDidChange: never, onDidOpen: opens.event },
      composers: { onDidChange: never },
      findings: { onDidPlace: never },
      structured: { onDidJudge: never },
      tools: { onDidChange: never },
      starters: { onDidChange: never },
    };
    const page = {
      channel: { isOpen: () => open },
      resume: () => undefined,
      posts: {
        turnChanged: (turnId: string) => posted.push(turnId),
        snapshot: () => posted.push('everything'),
      },
    };
    listenForPanel(deps as PanelListenersDeps, page as unknown as PanelPage);
    change = (state) => {
      file = { ...file, hunks: file.hunks.map((hunk) => ({ ...hunk, state })) };
      proposals.fire({ turnIds: ['t1'] });
    };
    change('open');
  });

  it('are posted with all else when the database can be read, which was locked', () => {
    opens.fire();
    assert.deepEqual(posted, ['t1', 'everything']);
    open = false;
    opens.fire();
    assert.deepEqual(posted, ['t1', 'everything']);
  });

  it('are posted when what is shown of them changes, and not while the page is closed', () => {
    change('open');
    assert.deepEqual(posted, ['t1']);
    change('accepted');
    assert.deepEqual(posted, ['t1', 't1']);
    open = false;
    change('open');
    assert.deepEqual(posted, ['t1', 't1']);
  });

  it('are posted when they are again as they were before the page was closed', () => {
    open = false;
    change('accepted');
    // The snapshot of the page says that it is accepted.
    open = true;
    change('open');
    assert.deepEqual(posted, ['t1', 't1']);
  });
});
