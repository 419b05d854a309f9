import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createPendingProposals } = await withEditorStub(
  () => import('../../../../src/editor/proposals/pendingProposals.ts'),
);

/** No process has it. */
const GONE = 2 ** 30;

describe('Proposals that are being made', () => {
  it('are left by a process that has ended only on its machine: another one may have a process of that number', () => {
    let stored: unknown;
    const state = {
      get: <T>() => stored as T,
      update: async (_: string, value: unknown) => {
        stored = JSON.parse(JSON.stringify(value));
      },
    };
    const windowOn = (machine: string, own: number) =>
      createPendingProposals(state, { warn: assert.fail }, own, machine);
    const desk = windowOn('desk', GONE);
    desk.begin({ turnId: 't1', conversationId: 'c1' });
    const left = (machine: string) =>
      windowOn(machine, process.pid)
        .left()
        .map(({ turnId }) => turnId);
    assert.deepEqual([left('desk'), left('server')], [['t1'], []]);
    desk.leave();
    assert.deepEqual([left('desk'), left('server')], [['t1'], ['t1']]);
  });
});
