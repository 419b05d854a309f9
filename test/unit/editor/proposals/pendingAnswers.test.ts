import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createPendingAnswers } = await withEditorStub(
  () => import('../../../../src/editor/proposals/pendingAnswers.ts'),
);

/** No process has it. */
const GONE = 2 ** 30;

function createState() {
  let stored: unknown;
  return {
    get: <T>() => stored as T,
    async update(_: string, value: unknown) {
      stored = JSON.parse(JSON.stringify(value));
    },
  };
}

describe('Proposals that are being made', () => {
  it('are left by a process that has ended only on its machine: another one may have a process of that number', () => {
    const state = createState();
    const windowOn = (machine: string, own: number) =>
      createPendingAnswers('k3.pendingProposals', state, { warn: assert.fail }, own, machine);
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

  it('are left by a process whose number another one has now, as in a container that was started again', function () {
    if (process.platform !== 'linux') this.skip();
    const state = createState();
    const start = (own: number, began?: string) =>
      createPendingAnswers('k3.pendingProposals', state, { warn: assert.fail }, own, 'desk', began);
    const leftOf = (began?: string) => {
      start(process.ppid, began).begin({ turnId: 't1', conversationId: 'c1' });
      return start(process.pid).left().length;
    };
    assert.deepEqual([leftOf(), leftOf('1')], [0, 1]);
  });
});
