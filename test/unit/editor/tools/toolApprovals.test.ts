/** Approvals of tools that two windows share. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ToolApprovals } from '../../../../src/editor/tools/toolApprovals.ts';
import { registered, window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { toolOf } from '../../conversation/toolTurns.ts';

const { createToolApprovals, registerToolDecisions } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/tools/toolApprovals.ts')),
  ...(await import('../../../../src/editor/tools/toolDecisions.ts')),
}));

describe('Approvals in conversations of two windows', () => {
  restoreAfterEach(window);
  let here: ToolApprovals;
  let there: ToolApprovals;

  beforeEach(() => {
    const state = new Map<string, unknown>();
    const open = () =>
      createToolApprovals({
        state: {
          get: (name: string) => state.get(name) as never,
          update: async (name: string, value: unknown) => void state.set(name, value),
        },
        alwaysAsk: () => false,
        workspace: () => '',
        log: { warn: assert.fail },
      });
    [here, there] = [open(), open()];
  });

  /** Whether a call runs without a question. A question is refused. */
  async function runs(approvals: ToolApprovals, id: string, decision?: 'conversation'): Promise<boolean> {
    const asked = approvals.ask(
      { conversationId: 'c1', tool: toolOf('run'), call: { id, name: 'run', arguments: {} } },
      new AbortController().signal,
    );
    const [waiting] = approvals.waiting();
    if (waiting !== undefined) approvals.decide(waiting.approval, decision ?? 'refuse');
    await asked;
    return waiting === undefined;
  }

  it('are revoked in both, whichever the user revokes them in, also if that one has none', async () => {
    assert.deepEqual([await runs(here, 'a', 'conversation'), await runs(here, 'b')], [false, true]);
    registerToolDecisions({
      approvals: there,
      changes: { show: async () => undefined },
      titleOf: () => undefined,
      log: { warn: assert.fail },
    });
    await registered.get('k3.revokeApprovals')?.();
    assert.deepEqual([await runs(here, 'c'), here.inConversations()], [false, 0]);
    assert.deepEqual([await runs(here, 'd', 'conversation'), await runs(here, 'e')], [false, true]);
  });
});
