import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { registered, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { toolOf } from '../../conversation/toolTurns.ts';

const { createToolApprovals, registerToolDecisions } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/tools/toolApprovals.ts')),
  ...(await import('../../../../src/editor/tools/toolDecisions.ts')),
}));

describe('The list of waiting calls', () => {
  const original = { ...window };
  afterEach(() => void Object.assign(window, original));

  it('has their arguments as they are, also those that the editor would show as icons', async () => {
    const approvals = createToolApprovals({
      state: { get: () => undefined, update: async () => undefined },
      alwaysAsk: () => false,
      workspace: () => '',
      log: { warn: assert.fail },
    });
    const decisions = registerToolDecisions({
      approvals,
      changes: { show: async () => undefined },
      titleOf: (id) => `$(check) ${id}`,
      log: { warn: assert.fail },
    });
    const tool = { ...toolOf('run'), source: 'MCP: $(check)' };
    const ask = (id: string) =>
      approvals.ask(
        { conversationId: 'c1', tool, call: { id, name: 'run', arguments: { command: 'rm -r $(pwd)' } } },
        new AbortController().signal,
      );
    const asked = [ask('a'), ask('b')];
    const shown: Record<string, unknown>[] = [];
    Object.assign(window, {
      showQuickPick: async (items: readonly Record<string, unknown>[]) => void shown.push(...items),
    });
    await registered.get('k3.decideToolCall')?.();
    assert.deepEqual(
      shown.map(({ label, description, detail }) => [label, description, detail]),
      Array.from({ length: 2 }, () => [
        'run',
        'Provided by MCP: $ (check) · Conversation: $ (check) c1',
        '{"command":"rm -r $ (pwd)"}',
      ]),
    );
    approvals.dispose();
    decisions.dispose();
    assert.deepEqual(await Promise.all(asked), [false, false]);
  });
});
