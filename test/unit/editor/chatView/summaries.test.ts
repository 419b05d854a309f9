import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { commands, EventEmitter, window } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
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

  /** The commands that run when a summary has arrived while the chat in front shows a conversation. */
  async function begin(front: Conversation): Promise<readonly unknown[]> {
    const ran: unknown[] = [];
    const composed: string[] = [];
    const changes = new EventEmitter<object>();
    Object.assign(commands, { executeCommand: async (...command: unknown[]) => void ran.push(command) });
    const [one = assert.fail()] = asked.exchanges;
    const [turn = assert.fail()] = one.attempts;
    const summaries = createSummaries({
      conversations: {
        ask: async () => ({ ok: true as const, turnId: turn.id }),
        create: () => fresh,
        find: () => ({ conversation: asked, exchange: one, turn }),
        front: () => front,
        onDidChange: changes.event as never,
      },
      composers: { compose: (id) => void composed.push(id) },
      log: { warn: assert.fail },
    });
    await summaries.ask(asked.id, () => assert.fail());
    changes.fire({ type: 'turn', conversationId: asked.id, turn });
    await eventually(() => assert.deepEqual(composed, [fresh.id]));
    summaries.dispose();
    return ran;
  }

  it('is shown if the user looks at the one before in a tab, where it isn’t: the side bar may be closed', async () => {
    assert.deepEqual(await begin(asked), [['k3.focusChat', fresh.id]]);
  });

  it('takes no focus if it is in front already, or the user is in a file', async () => {
    assert.deepEqual(await begin(fresh), []);
    Object.assign(window, { activeTextEditor: {} });
    assert.deepEqual(await begin(asked), []);
  });
});
