import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Edit } from '../../../../src/editor/inPlace/editList.ts';
import type { EditThreads, ThreadView } from '../../../../src/editor/inPlace/editThreads.ts';
import { commentThreads } from '../../../support/editorStub.ts';
import { plainControllers } from '../../../support/plainControllers.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createEditThreads } = await withEditorStub(
  () => import('../../../../src/editor/inPlace/editThreads.ts'),
);

const comment = (body: string) => ({
  author: 'You',
  label: undefined,
  body,
  isMarkdown: false,
  offers: undefined,
  step: 0,
});
const view = (state: ThreadView['state'], ...bodies: readonly string[]): ThreadView => ({
  label: 'code.txt, line 2',
  state,
  instructions: undefined,
  comments: bodies.map(comment),
});

describe('The thread of an edit', () => {
  let edit: Edit;
  /** A question is sent, and nothing else is written. */
  const ask = () => {
    edit.steps.push({} as never);
    edit.draft = '';
  };
  let threads: EditThreads;
  beforeEach(() => {
    threads = createEditThreads(plainControllers as never, () => undefined);
    edit = { id: 'edit', uri: 'file:///code.txt', place: 1, draft: 'Quie', steps: [] } as unknown as Edit;
  });
  afterEach(() => threads.close(edit));
  /** The only thread that there is. */
  const shown = () => {
    assert.equal(commentThreads.length, 1);
    return commentThreads[0] ?? assert.fail();
  };

  it('is another one when it takes replies, because the editor makes two boxes in one that begins to', () => {
    threads.show(edit, view('empty'));
    const empty = shown();
    assert.equal(empty['canReply'], false);
    ask();
    threads.show(edit, view('running', 'Louder.'));
    const asked = shown();
    assert.notEqual(asked, empty);
    assert.equal(asked['canReply'], true);
    assert.ok(!asked.log.includes('canReply'), 'from its beginning');
    threads.show(edit, view('running', 'Louder.', 'Hm.'));
    threads.show(edit, view('asked', 'Louder.', 'So.'));
    assert.equal(shown(), asked);
  });

  it('keeps its box, and so what was written into it, when its lines move', () => {
    threads.show(edit, view('empty'));
    const [box] = shown()['comments'] as readonly { body: string }[];
    assert.equal(box?.body, 'Quie');
    threads.show(edit, { ...view('empty'), label: 'code.txt, line 3' });
    assert.equal(shown()['label'], 'code.txt, line 3');
    assert.equal((shown()['comments'] as readonly unknown[])[0], box);
  });

  it('has words that answer to an answer in a box of its own when it is made anew, until they are sent', () => {
    ask();
    threads.show(edit, view('asked', 'Louder.'));
    edit.draft = 'Not that';
    threads.close(edit);
    threads.show(edit, view('asked', 'Louder.'));
    const bodies = () => (shown()['comments'] as readonly { body: string }[]).map(({ body }) => body);
    assert.deepEqual([bodies(), shown()['canReply']], [['Louder.', 'Not that'], false]);
    const [, box] = shown()['comments'] as readonly unknown[];
    threads.show(edit, view('asked', 'Louder.', 'So.'));
    assert.equal((shown()['comments'] as readonly unknown[])[2], box);
    ask();
    threads.show(edit, view('running', 'Louder.', 'So.', 'Not that.'));
    assert.deepEqual([bodies(), shown()['canReply']], [['Louder.', 'So.', 'Not that.'], true]);
  });

  it('is gone when it is closed between its questions, and only then a new one', () => {
    ask();
    threads.show(edit, view('asked', 'Louder.'));
    const first = shown();
    threads.close(edit);
    assert.deepEqual([commentThreads.length, threads.of(edit)], [0, undefined]);
    threads.show(edit, view('asked', 'Louder.'));
    assert.notEqual(shown(), first);
  });
});
