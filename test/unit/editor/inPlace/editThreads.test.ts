import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { EditThreads, ThreadView } from '../../../../src/editor/inPlace/editThreads.ts';
import { commentThreads } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createEditThreads } = await withEditorStub(
  () => import('../../../../src/editor/inPlace/editThreads.ts'),
);

const edit = { id: 'e1', uri: { toString: () => 'file:///a.js' }, place: 3 } as never;
const view = (state: ThreadView['state'], ...texts: readonly string[]): ThreadView => ({
  label: 'a.js, line 4',
  state,
  comments: texts.map((body) => ({ author: 'svc-k3', body, label: undefined, offersChat: false })),
});

describe('The thread of an edit', () => {
  let threads: EditThreads;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    threads = createEditThreads();
    threads.show(edit, view('empty'));
  });
  afterEach(() => {
    threads.dispose();
    mock.timers.reset();
  });
  const thread = () => commentThreads.at(-1);
  const shown = () =>
    ((thread()?.['comments'] ?? []) as readonly { body: { value: string } }[]).map(({ body }) => body.value);

  it('doesn’t change while the editor makes the box for replies, and then shows what came last', () => {
    threads.show(edit, view('running', 'Sent.'));
    assert.equal(thread()?.['canReply'], true);
    assert.deepEqual(shown(), ['Sent.']);
    const changes = thread()?.log.length;
    threads.show(edit, view('running', 'Reasoning.'));
    threads.show(edit, view('running', 'Answering.'));
    assert.equal(thread()?.log.length, changes);
    mock.timers.tick(1000);
    assert.deepEqual(shown(), ['Answering.']);
    threads.show(edit, view('asked', 'Done.'));
    assert.deepEqual(shown(), ['Done.'], 'the box is there, so nothing is held back');
  });

  it('is replaced once in a window, because its box is there twice, and then stays the same', () => {
    const [first] = commentThreads;
    threads.show(edit, view('running', 'Sent.'));
    mock.timers.tick(1000);
    assert.equal(commentThreads.length, 1);
    assert.notEqual(thread(), first);
    assert.equal(threads.editOf(threads.of(edit)), 'e1');
    const [second] = commentThreads;
    threads.show(edit, view('asked', 'Done.'));
    mock.timers.tick(5000);
    assert.equal(thread(), second);
    threads.close(edit);
    threads.show(edit, view('empty'));
    const [third] = commentThreads;
    threads.show(edit, view('running', 'Sent.'));
    mock.timers.tick(5000);
    assert.deepEqual([commentThreads.length, thread() === third], [1, true]);
  });

  it('can be closed while the box is made, and opened again', () => {
    threads.show(edit, view('running', 'Sent.'));
    threads.show(edit, view('running', 'Reasoning.'));
    threads.close(edit);
    assert.equal(commentThreads.length, 0);
    mock.timers.tick(5000);
    assert.equal(commentThreads.length, 0);
    threads.show(edit, view('asked', 'Done.'));
    assert.deepEqual(shown(), ['Done.']);
  });

  it('has no box for replies before something was asked', () => {
    assert.equal(thread()?.['canReply'], false);
  });
});
