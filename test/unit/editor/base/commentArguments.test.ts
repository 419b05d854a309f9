import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isReply, isThread } from '../../../../src/editor/base/commentArguments.ts';

describe('The argument of a command in the menu of comments', () => {
  const thread = { comments: [] };

  it('is a thread, or a reply in one', () => {
    assert.ok(isThread(thread) && !isReply(thread));
    assert.ok(isReply({ thread, text: 'Why?' }) && !isThread({ thread, text: 'Why?' }));
  });

  it('is neither if a keyboard shortcut gives something else', () => {
    const wrong = [
      undefined,
      null,
      'id',
      {},
      { thread, text: 5 },
      { thread: null, text: 'Why?' },
      { thread },
    ];
    assert.deepEqual([...wrong.filter(isReply), ...wrong.filter(isThread)], []);
  });
});
