import assert from 'node:assert/strict';
import { setImmediate as soon } from 'node:timers/promises';
import { describe, it } from 'mocha';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { commands, EventEmitter, window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { createSummaries } = await withEditorStub(
  () => import('../../../../src/editor/chatView/summaries.ts'),
);

describe('The conversation that begins with a summary', () => {
  restoreAfterEach(commands, window);

  const asked = conversation('asked', [exchange('e1', 'Summarize', [{ ...completeTurn('All.'), id: 't1' }])]);
  const fresh = conversation('fresh', []);
  const other = conversation('other', []);

  /** What happens when a summary has arrived while the side bar, and the chat in front, show conversations. */
  async function begin(current: Conversation, front: Conversation = current) {
    const happened: unknown[] = [];
    const composed: string[] = [];
    const changes = new EventEmitter<object>();
    Object.assign(commands, { executeCommand: async (...command: unknown[]) => void happened.push(command) });
    Object.assign(window, {
      async showInformationMessage(text: string, button: string) {
        happened.push(text);
        return button;
      },
    });
    const [one = assert.fail()] = asked.exchanges;
    const [turn = assert.fail()] = one.attempts;
    let side = current;
    const summaries = createSummaries({
      conversations: {
        ask: async () => ({ ok: true as const, turnId: turn.id }),
        create() {
          happened.push('opened in the side bar');
          side = fresh;
          return fresh;
        },
        unused: () => fresh,
        current: () => side,
        find: () => ({ conversation: asked, exchange: one, turn }),
        front: () => (front === current ? side : front),
        onDidChange: changes.event as never,
      },
      composers: { compose: (id) => void composed.push(id) },
      log: { warn: assert.fail },
    });
    await summaries.ask(asked.id, () => assert.fail());
    changes.fire({ type: 'turn', conversationId: asked.id, turn });
    await soon();
    assert.deepEqual(composed, [fresh.id]);
    summaries.dispose();
    return happened;
  }

  const OFFERED = ['The summary is in a new conversation.', ['k3.focusChat', fresh.id]];

  it('is opened in the side bar if the one before is there', async () => {
    assert.deepEqual(await begin(asked), ['opened in the side bar']);
  });

  it('is offered if the user has the one before in a tab, whose box the user may be writing in: the side bar may be closed', async () => {
    assert.deepEqual(await begin(other, asked), OFFERED);
    assert.deepEqual(await begin(asked, { ...asked }), ['opened in the side bar', ...OFFERED]);
  });

  it('is offered if another one is there by now, in whose box the user may be writing', async () => {
    assert.deepEqual(await begin(other), OFFERED);
    assert.deepEqual(await begin(fresh), []);
  });
});
