import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EventEmitter, textDocuments, workspace } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';

const { registerReasoningDocuments } = await withEditorStub(
  () => import('../../../../src/editor/reasoning/reasoningDocuments.ts'),
);

/** A document with the reasoning of a turn under a title. */
const documentOf = (title: string, turnId: string) => ({
  uri: {
    scheme: 'k3-reasoning',
    query: `turn=${turnId}&conversation=c1`,
    toString: () => `k3-reasoning:${title}?${turnId}`,
  },
});

describe('Two open documents of the reasoning of a turn, with the titles that it has had', () => {
  restoreAfterEach(workspace);

  it('are both updated, also after one is closed, and when another window has changed any conversation', async () => {
    const closed = new EventEmitter<object>();
    const changes = new EventEmitter<object>();
    const updated: string[] = [];
    Object.assign(workspace, {
      onDidCloseTextDocument: closed.event,
      registerTextDocumentContentProvider: (
        _: string,
        { onDidChange }: { onDidChange(listener: (uri: object) => void): unknown },
      ) => onDidChange((uri) => updated.push(String(uri))),
    });
    const before = documentOf('Why', 't1');
    const after = documentOf('Why not', 't1');
    const other = documentOf('Other', 't2');
    textDocuments.push(before, after, other);
    const registered = registerReasoningDocuments({ conversations: { onDidChange: changes.event } as never });
    textDocuments.length = 0;
    const reason = (reasoning: string) => {
      const turn = { ...completeTurn(), id: 't1' };
      changes.fire({ type: 'turn', before: turn, turn: { ...turn, reasoning } });
    };
    reason('First, the question.');
    await eventually(() =>
      assert.deepEqual(
        updated,
        [before, after].map(({ uri }) => String(uri)),
      ),
    );
    closed.fire(before);
    reason('First, the question. Then the plan.');
    await eventually(() => assert.deepEqual(updated.slice(2), [String(after.uri)]));
    // Nothing more is told of one that has left the memory.
    changes.fire({ type: 'listed' });
    const both = [after, other].map(({ uri }) => String(uri)).toSorted();
    await eventually(() => assert.deepEqual(updated.slice(3).toSorted(), both));
    registered.dispose();
  });
});
