import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AttemptOptions } from '../../../../src/requests/conversationRequest.ts';
import { commands, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { exchangeOf, failedBy, finish, reasoning, SERVICE_ENDED, turnOf } from '../../conversation/turns.ts';

const NEVER = new AbortController().signal;

const { createCardActions } = await withEditorStub(
  () => import('../../../../src/editor/chatView/cardActions.ts'),
);

describe('Check Connection on the card of a turn', () => {
  restoreAfterEach(commands, workspace);

  it('is about the route of the turn, which may not be the active one, and else about that', async () => {
    const routes = { other: { kind: 'direct', baseUrl: 'https://k3.example' } };
    const ran: unknown[] = [];
    Object.assign(commands, { executeCommand: async (...run: unknown[]) => void ran.push(run) });
    Object.assign(workspace, {
      getConfiguration: () => ({
        get: () => undefined,
        inspect: (key: string) => ({ key, globalValue: key === 'routes' ? routes : undefined }),
      }),
    });
    for (const routeName of ['other', 'removed']) {
      const turn = turnOf([failedBy('access-denied')], { routeName });
      const { perform } = createCardActions({
        conversations: {
          find: () => ({ turn }),
          markSeen: () => undefined,
          current: () => ({ id: 'c1' }),
          onDidChange: () => undefined,
        },
      } as never);
      await perform('check-connection', turn.id);
    }
    assert.deepEqual(ran, [
      ['k3.checkConnection', 'other'],
      ['k3.checkConnection', undefined],
    ]);
  });
});

describe('A larger budget', () => {
  restoreAfterEach(workspace);

  it('F1 is asked for with the budget before, which is sent if the route has refused the larger one meanwhile', async () => {
    Object.assign(workspace, {
      getConfiguration: () => ({ get: () => undefined, inspect: (key: string) => ({ key }) }),
    });
    const turn = turnOf([reasoning('Hm.'), finish('length'), SERVICE_ENDED], {
      maxCompletionTokens: 600_000,
    });
    const exchange = exchangeOf('Why?', turn);
    const asked: AttemptOptions[] = [];
    const { perform } = createCardActions({
      conversations: {
        find: () => ({ turn, exchange, conversation: { id: 'c1' } }),
        markSeen: () => undefined,
        current: () => ({ id: 'c1' }),
        onDidChange: () => undefined,
        askAgain: async (_: string, options: AttemptOptions) => {
          asked.push(options);
          return { ok: true };
        },
      },
      routes: { active: () => undefined },
      waiting: { until: (_: string, make: (signal: AbortSignal) => unknown) => make(NEVER) },
    } as never);
    await perform('retry-larger', turn.id);
    await perform('continue', turn.id);
    assert.deepEqual(
      asked.map(({ budget, budgetBefore }) => [budget, budgetBefore]),
      Array(2).fill([1_048_576, 600_000]),
    );
  });
});
