import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { CancellationToken } from 'vscode';
import { createTurn } from '../../../../src/conversation/fold.ts';
import type { Conversations } from '../../../../src/editor/conversations/conversationList.ts';
import type { ChatParticipantDeps } from '../../../../src/editor/languageModel/chatParticipant.ts';
import { refuse } from '../../../../src/requests/refusal.ts';
import type { TurnContent } from '../../../../src/requests/turnContent.ts';
import type { PreparedTurn } from '../../../../src/requests/turns.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, FACTS } from '../../conversation/turns.ts';
import { makeFolder, open, storeOn } from '../../history/support.ts';

const [{ createRequestHandler }, { createConversations }] = await withEditorStub(() =>
  Promise.all([
    import('../../../../src/editor/languageModel/chatParticipant.ts'),
    import('../../../../src/editor/conversations/conversationList.ts'),
  ]),
);

const NEVER: CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};
const STREAM = { markdown: () => undefined, progress: () => undefined, button: () => undefined };

/** The conversations of a window whose requests are refused, or answered at once. */
function createWindow(store: ReturnType<typeof storeOn>, refuses: () => boolean): Conversations {
  return createConversations({
    turns: {
      async prepare<Content extends TurnContent>() {
        if (refuses()) return refuse({ kind: 'no-route' });
        const begun = createTurn('t1', 0, FACTS);
        return {
          ok: true,
          initialTurn: begun,
          async run({ onStep }) {
            const turn = { ...completeTurn(), id: begun.id };
            onStep({ before: begun, turn, appended: undefined });
            return turn;
          },
          discard: () => undefined,
        } as Partial<PreparedTurn<Content>> as PreparedTurn<Content>;
      },
    },
    log: {} as never,
    store,
    untitled: 'Untitled',
    workspace: undefined,
    lastConversation: { get: () => undefined, set: () => undefined },
  });
}

describe('A first request to @k3 that is refused', () => {
  let refuses: boolean;
  let windows: Conversations[];
  /** What is typed in the input of the prompt, and what was in it before. */
  let typing: string;
  let before: string | undefined;
  beforeEach(() => {
    [refuses, windows, typing, before] = [true, [], '', undefined];
  });
  afterEach(() => {
    for (const window of windows) window.dispose();
  });

  function start(store: ReturnType<typeof storeOn>) {
    const conversations = createWindow(store, () => refuses);
    windows.push(conversations);
    const expand: ChatParticipantDeps['prompts']['expand'] = async (asked, _, about) => {
      if (!asked.startsWith('/')) return { kind: 'plain' };
      before = about?.typed?.get('input');
      about?.typed?.set('input', typing);
      return { kind: 'prompt', asked: { text: 'Tidy.', asked }, references: [] };
    };
    const handle = createRequestHandler({
      conversations,
      prompts: { expand },
      attaching: { read: async () => ({ context: [], problems: [] }) },
      instructions: { due: async () => [] },
      lastEditor: { get: () => undefined },
    });
    const ask = async (prompt: string) => {
      const { errorDetails } = await handle({ prompt, references: [] }, { history: [] }, STREAM, NEVER);
      return errorDetails === undefined ? 'answered' : 'refused';
    };
    return { conversations, ask };
  }

  it('leaves nothing to restore', async () => {
    for (const store of [storeOn(undefined), storeOn(open(await makeFolder()))]) {
      const { conversations, ask } = start(store);
      assert.equal(await ask('Why?'), 'refused');
      assert.deepEqual(conversations.listDeleted(), []);
    }
  });

  it('has in the inputs of its prompt what was typed there before, until it is sent', async () => {
    const { ask } = start(storeOn(undefined));
    typing = 'Names';
    assert.deepEqual([await ask('/tidy'), before], ['refused', undefined]);
    refuses = false;
    assert.deepEqual([await ask('/tidy'), before], ['answered', 'Names']);
    await ask('/tidy');
    assert.equal(before, undefined);
  });
});
