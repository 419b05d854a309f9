/** Which proposals are under review after others were made, and after their documents were closed. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposal.ts';
import { EventEmitter, Uri, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createProposals } = await withEditorStub(
  () => import('../../../../src/editor/proposals/proposalList.ts'),
);

const fileOf = (uri: string, before: string, after: string, isNew = false) =>
  toFileProposal({ uri, label: uri, isNew, before, after, asked: undefined, unplaced: [] });

const start = (onMoved?: (now: ReadonlyMap<string, string>) => void) =>
  createProposals({
    store: { load: () => [], save: () => undefined, dispose: () => undefined },
    listed: () => new Set(['c']),
    ...(onMoved && { onMoved }),
    onDidList: () => ({ dispose: () => undefined }) as never,
  });

const madeOf = (turnId: string, file: ReturnType<typeof fileOf>) => ({
  turnId,
  conversationId: 'c',
  files: [file],
  trouble: undefined,
  revises: undefined,
});

describe('A proposal of a new file that another one has replaced', () => {
  it('is under review again as one of a new file, and so is the other one after that', () => {
    const uri = 'file:///new.txt';
    const proposals = start();
    const by = { replaces: () => false, askedIn: () => [] };
    const [one, other] = ['a\n', 'b\n'].map((text) =>
      proposals.add(madeOf(text, fileOf(uri, '', text, true)), by),
    );
    assert.ok(one && other);
    const shown = (id: string) =>
      proposals
        .get(id)
        ?.files.map(({ isNew, replacedBy, hunks }) => [
          isNew,
          replacedBy,
          ...hunks.map(({ state }) => state),
        ]);
    assert.deepEqual(
      [shown(one.id), shown(other.id)],
      [[[true, other.id, 'open']], [[true, undefined, 'open']]],
    );
    proposals.reopen(one.id, uri);
    assert.deepEqual(
      [shown(one.id), shown(other.id)],
      [[[true, undefined, 'open']], [[true, one.id, 'open']]],
    );
    proposals.reopen(other.id, uri);
    assert.deepEqual(
      [shown(one.id), shown(other.id)],
      [[[true, other.id, 'open']], [[true, undefined, 'open']]],
    );
    proposals.dispose();
  });
});

describe('An untitled document that is closed', () => {
  const { onDidCloseTextDocument } = workspace;
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => {
    mock.timers.reset();
    Object.assign(workspace, { onDidCloseTextDocument });
  });

  it('takes the comments on it along with its hunks, so that they are not on another one that gets its name', () => {
    const uri = 'untitled:Untitled-1';
    const closing = new EventEmitter<unknown>();
    Object.assign(workspace, { onDidCloseTextDocument: closing.event });
    const moved: ReadonlyMap<string, string>[] = [];
    const proposals = start((now) => moved.push(now));
    const { id } = proposals.add(madeOf('t', fileOf(uri, 'a\n', 'b\n')));
    for (const name of [uri, 'untitled:Untitled-2']) closing.fire({ uri: Uri.parse(name), isUntitled: true });
    mock.timers.tick(1);
    const [one, other] = moved;
    assert.equal(one?.get(uri), proposals.get(id)?.files[0]?.uri);
    assert.match(one?.get(uri) ?? '', /^untitled:Untitled-1\?./);
    // Another one can have comments without hunks.
    assert.match(other?.get('untitled:Untitled-2') ?? '', /^untitled:Untitled-2\?./);
    proposals.dispose();
  });
});
