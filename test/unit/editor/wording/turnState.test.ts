import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { toRound } from '../../../../src/conversation/rounds.ts';
import type { CallState, Turn } from '../../../../src/conversation/turn.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import { window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import {
  completeTurn,
  conversationOf,
  exchangeOf,
  REFUSED_ONCE,
  reasoning,
  turnOf,
} from '../../conversation/turns.ts';

const { createAttemptCommands, runsElsewhere, toStatus } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/chatView/attemptCommands.ts')),
  ...(await import('../../../../src/editor/conversations/freeConversation.ts')),
  ...(await import('../../../../src/editor/usage/statusBar.ts')),
}));

const THERE = 'Answering in another window';
const onDidChange = () => ({ dispose: () => undefined });

/** A call in the record of a running turn, which is as old as the last write of its window. */
const callIn = (state: CallState) => ({
  index: 0,
  id: 'a',
  name: 'f',
  arguments: '',
  state,
  result: undefined,
  startedAt: undefined,
  endedAt: undefined,
});

describe('A turn that another window runs', () => {
  const { showQuickPick } = window;
  afterEach(() => {
    window.showQuickPick = showQuickPick;
  });

  const begun = turnOf([reasoning('Hm.')]);
  const waits: Turn = {
    ...begun,
    phase: 'calling',
    rounds: [toRound(begun, [callIn('waiting')], 1)],
  };
  const pauses = turnOf(REFUSED_ONCE);

  function seenFrom(place: 'here' | 'there', turn: Turn) {
    const ended = { ...completeTurn(), id: 'ended' };
    const exchange = { ...exchangeOf('Why?', turn), attempts: [ended, turn], shown: 1 };
    const conversation = conversationOf(exchange);
    const conversations = {
      front: () => conversation,
      current: () => conversation,
      get: () => conversation,
      find: (id: string) => {
        const found = exchange.attempts.find((one) => one.id === id);
        return found && { conversation, exchange, turn: found };
      },
      isRunning: () => place === 'here',
      holder: () => (place === 'here' ? undefined : { conversationId: conversation.id, place: 'project' }),
      onDidChange,
    };
    return { conversation, conversations, ended, turn };
  }

  type Seen = ReturnType<typeof seenFrom>;

  function statusOf({ conversation, conversations, turn }: Seen) {
    return toStatus(conversation, {
      prices: DEFAULT_PRICES,
      routeName: 'a',
      conversations: [],
      isSeen: () => true,
      judged: () => undefined,
      runsElsewhere: (id) => runsElsewhere(conversations, id),
      now: turn.startedAt + 5000,
    });
  }

  async function listed({ conversations, ended }: Seen): Promise<unknown> {
    let details: unknown;
    Object.assign(window, {
      async showQuickPick(items: readonly { readonly detail?: string }[]) {
        details = items.map(({ detail }) => detail);
      },
    });
    const extra = { ...ended, id: 'extra' };
    const found = conversations.find('ended');
    if (found !== undefined) Object.assign(found.exchange, { attempts: [...found.exchange.attempts, extra] });
    const commands = createAttemptCommands({ conversations, again: async () => undefined } as never);
    await commands['k3.compareAttempts']('ended');
    return details;
  }

  it('is said to be answered there in the status bar, without what that window waits for', () => {
    for (const turn of [begun, waits, pauses]) {
      assert.deepEqual(statusOf(seenFrom('there', turn)), {
        text: `$(loading~spin) ${THERE} 5 s`,
        spoken: `K3 usage: ${THERE}`,
        warns: false,
      });
    }
    assert.match(statusOf(seenFrom('here', waits))?.text ?? '', /^\$\(question\) Waiting for approval/);
  });

  it('is said to be answered there in the list of attempts', async () => {
    assert.deepEqual(await listed(seenFrom('there', waits)), [THERE, 'Complete']);
    assert.deepEqual(await listed(seenFrom('here', waits)), ['Waiting for approval', 'Complete']);
  });
});
