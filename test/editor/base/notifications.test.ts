import assert from 'node:assert/strict';
import { showIfRefused } from '../../../src/editor/conversations/asking.ts';
import { refuse } from '../../../src/requests/refusal.ts';
import { watchModals } from '../modals.ts';

describe('Notifications', () => {
  it('show no links of text that comes from outside: IDs of imported calls, addresses of images', async () => {
    const value = '[Continue](command:k3.deleteConversation)';
    const shown = watchModals();
    try {
      await showIfRefused(
        refuse({
          kind: 'request',
          problem: { field: 'tool_call_id', reason: 'unanswered-or-unknown', value },
        }),
      );
      for (const reason of ['public-address', 'not-an-image'] as const)
        await showIfRefused(refuse({ kind: 'request', problem: { field: 'image_url', reason, value } }));
    } finally {
      shown.restore();
    }
    assert.equal(shown.notes.length, 3);
    for (const note of shown.notes) {
      assert.match(note, /Continue/);
      assert.doesNotMatch(note, /\]\(/);
    }
  });
});
