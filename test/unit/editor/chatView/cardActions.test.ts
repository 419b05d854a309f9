import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { failedBy, turnOf } from '../../conversation/turns.ts';

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
