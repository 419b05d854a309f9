import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Turn } from '../../../../src/conversation/turn.ts';
import type { WhyCommandsDeps } from '../../../../src/editor/chatView/whyCommands.ts';
import { registered, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf, exchangeOf, reasoning, turnOf } from '../../conversation/turns.ts';

const { registerWhyCommands } = await withEditorStub(
  () => import('../../../../src/editor/chatView/whyCommands.ts'),
);

const one = { ...completeTurn(), id: 't1' };
const again = { ...completeTurn(), id: 't2' };
const last = { ...completeTurn(), id: 't3' };
const running: Turn = { ...turnOf([reasoning('Hm.')]), id: 't4' };
/** The second attempt of the first question is shown. */
const ended = conversationOf(exchangeOf('e1', one, again), exchangeOf('e2', last));
const answering = { ...ended, exchanges: [...ended.exchanges, exchangeOf('e3', running)] };

let conversation = ended;
let done: unknown[];
const { showInformationMessage } = window;

const show = async (target?: unknown) => {
  const run = registered.get('k3.showTurnMap') as ((target: unknown) => Promise<void>) | undefined;
  await run?.(target);
  return done;
};

function aroundCommands(): void {
  beforeEach(() => {
    conversation = ended;
    done = [];
    Object.assign(window, { showInformationMessage: async (text: string) => void done.push(text) });
    const deps = {
      conversations: {
        front: () => conversation,
        find(turnId: string) {
          const exchange = conversation.exchanges.find(({ attempts }) =>
            attempts.some(({ id }) => id === turnId),
          );
          const turn = exchange?.attempts.find(({ id }) => id === turnId);
          return exchange && turn && { conversation, exchange, turn };
        },
        showAttempt: (_: string, exchangeId: string, attempt: number) => done.push([exchangeId, attempt]),
      },
      inFront: async () => ({
        focus: () => done.push('focus'),
        send: (message: unknown) => done.push(message),
      }),
    };
    registerWhyCommands(deps as unknown as WhyCommandsDeps);
  });
  afterEach(() => {
    Object.assign(window, { showInformationMessage });
  });
}

describe('Show Turn Map', () => {
  aroundCommands();

  it('shows the map of the last answer', async () => {
    assert.deepEqual(await show(), ['focus', { type: 'show-map', exchangeId: 'e2', turnId: 't3' }]);
  });

  it('shows it also for a keyboard shortcut that gives anything but a turn', async () => {
    for (const target of [null, 5, { turnId: 5 }]) {
      done = [];
      assert.deepEqual((await show(target)).at(-1), { type: 'show-map', exchangeId: 'e2', turnId: 't3' });
    }
  });

  it('shows the map of an attempt that another one hides, from the Reasoning view or a context menu', async () => {
    const expected = [['e1', 0], 'focus', { type: 'show-map', exchangeId: 'e1', turnId: 't1' }];
    assert.deepEqual(await show({ kind: 'step', turnId: 't1', index: 3 }), expected);
    done = [];
    assert.deepEqual(await show({ webviewSection: 'answer', turnId: 't2' }), [
      'focus',
      { type: 'show-map', exchangeId: 'e1', turnId: 't2' },
    ]);
  });

  it('waits for the end of an answer that runs, and shows the one before it by default', async () => {
    conversation = answering;
    assert.deepEqual(await show({ turnId: 't4' }), ['The map is available when the answer has ended.']);
    done = [];
    assert.deepEqual((await show()).at(-1), { type: 'show-map', exchangeId: 'e2', turnId: 't3' });
  });

  it('is not all that says when its turn was deleted: so do a step that was found, and what it led to', async () => {
    for (const name of ['_k3.showStep', 'k3.showInAnswer']) {
      const run = registered.get(name) as (target: unknown) => Promise<void>;
      await run({ turnId: 'gone', index: 0 });
      assert.deepEqual(done, ['This turn no longer exists.'], name);
      done = [];
      await run(undefined);
      assert.deepEqual(done, ['Select a step in the Reasoning view first.'], name);
      done = [];
    }
  });

  it('says when there is no answer, or when it was deleted', async () => {
    assert.deepEqual(await show({ turnId: 'gone' }), ['This turn no longer exists.']);
    conversation = { ...ended, exchanges: [] };
    done = [];
    assert.deepEqual(await show(), ['There is no answer yet.']);
  });
});

describe('Why?', () => {
  aroundCommands();

  it('shows that there is no answer yet in an empty conversation, which the page only tells screen readers', async () => {
    conversation = { ...ended, exchanges: [] };
    const why = registered.get('k3.why') as () => Promise<void>;
    await why();
    assert.deepEqual(done, ['There is no answer yet.']);
    conversation = ended;
    done = [];
    await why();
    assert.deepEqual(done, ['focus', { type: 'why', turnId: undefined, words: undefined }]);
  });
});
