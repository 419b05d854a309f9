import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withExchange, withoutTail } from '../../../../src/chat/edits.ts';
import type { Conversation } from '../../../../src/chat/turn.ts';
import { NOTHING_UNSENT, type Unsent } from '../../../../src/chat/unsent.ts';
import { createComposer } from '../../../../src/editor/composer/composerState.ts';
import { conversation, exchange } from '../../history/support.ts';

const IMAGE = { name: 'a.png', url: 'data:image/png;base64,AA==' };
const FILE = { kind: 'file' as const, label: 'a.ts', parts: [{ label: 'a.ts', text: 'a' }] };

/** A composer after each reload, with what was kept before. */
function windowsWith(first: Conversation) {
  let now = first;
  let draft = '';
  let unsent: Unsent = NOTHING_UNSENT;
  return {
    change: (next: Conversation) => {
      now = next;
    },
    reload: () =>
      createComposer('c1', {
        conversations: {
          get: () => now,
          unsent: () => unsent,
          queue: () => [],
        },
        draft: () => draft,
        formats: { get: () => undefined, set: () => undefined },
        keepDraft(text) {
          draft = text;
        },
        keepUnsent(parts) {
          unsent = { ...unsent, ...parts };
        },
      }),
  };
}

describe('A composer after a reload of the window', () => {
  const two = conversation('c1', [exchange('e1', 'First', []), exchange('e2', 'Second', [])]);

  it('has its draft, images, context, and the question that is being edited', () => {
    const windows = windowsWith(two);
    const before = windows.reload();
    before.draft = 'Half';
    before.attachments = [IMAGE];
    before.context = [
      { item: FILE, changed: true },
      { item: { ...FILE, label: 'b.ts', older: true }, changed: true },
    ];
    before.editing = { exchangeId: 'e1', text: 'First, but shorter' };
    const after = windows.reload();
    assert.equal(after.draft, 'Half');
    assert.deepEqual(after.attachments, [IMAGE]);
    assert.deepEqual(after.context, [
      { item: FILE, changed: false },
      { item: { ...FILE, label: 'b.ts', older: true }, changed: true },
    ]);
    assert.deepEqual(after.editing, { exchangeId: 'e1', text: 'First, but shorter' });
  });

  it('has nothing that was removed or sent', () => {
    const windows = windowsWith(two);
    const before = windows.reload();
    before.attachments = [IMAGE];
    before.editing = { exchangeId: 'e1', text: 'First, but shorter' };
    before.attachments = [];
    before.editing = undefined;
    assert.deepEqual(windows.reload().attachments, []);
    assert.equal(windows.reload().editing, undefined);
  });

  it('has the text of an edit in its draft, once, when another window removed the question from the path', () => {
    const windows = windowsWith(two);
    windows.reload().editing = { exchangeId: 'e2', text: 'Second, but shorter' };
    windows.change(withExchange(withoutTail(two, 'e1'), exchange('new', 'Asked in another window', [])));
    for (const composer of [windows.reload(), windows.reload()]) {
      assert.equal(composer.draft, 'Second, but shorter');
      assert.equal(composer.editing, undefined);
    }
  });
});
