/** A conversation of 10,000 messages in the history of a workbench that has not opened it yet. */
import assert from 'node:assert/strict';
import { createTurn } from '../../src/conversation/fold.ts';
import { openHistory } from '../../src/history/history.ts';
import { FACTS, SOME_USAGE } from '../unit/conversation/turns.ts';

/** The title of the conversation. */
export const LONG_TITLE = 'The long one';
export const EXCHANGES = 5000;

/** @param folder where the extension saves conversations. The answer with index 40 contains the word “kingfisher”. */
export function saveLongConversation(folder: string): void {
  const opened = openHistory({ folder, place: 'test', onSetAside: () => undefined, onWrong: assert.fail });
  assert.ok(opened.ok);
  const { history } = opened;
  history.putHeader({
    id: 'long',
    createdAt: Date.now(),
    title: LONG_TITLE,
    named: true,
    pinned: false,
    workspace: undefined,
    forkedFrom: undefined,
  });
  history.together(() => {
    for (let n = 0; n < EXCHANGES; n++) {
      const begun = createTurn(`t${n}`, Date.now(), { ...FACTS, routeName: 'plain' });
      const turn = {
        ...begun,
        answer: `Answer **${n}** with \`code\`.\n\n- one\n- two${n === 40 ? '\n\nHere hides the kingfisher.' : ''}`,
        outcome: 'complete',
        phase: 'ended',
        finishReason: 'stop',
        // Without this, each turn would be a problem in the Problems view.
        usage: SOME_USAGE,
      } as const;
      const question = { text: `Question ${n}`, images: [], origin: undefined };
      const parent = n === 0 ? undefined : `e${n - 1}`;
      const exchange = { id: `e${n}`, question, attempts: [turn], shown: 0 };
      history.putExchange('long', { exchange, parent }, undefined);
    }
  });
  history.close();
}
