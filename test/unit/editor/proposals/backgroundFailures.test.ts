/** What a button of a message starts: nobody waits for it, so the log has why it failed. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, registered, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { tellReverted, showStale, registerSendReview, registerToolDecisions } = await withEditorStub(
  async () => ({
    ...(await import('../../../../src/editor/proposals/revertNotes.ts')),
    ...(await import('../../../../src/editor/proposals/reviewNotes.ts')),
    ...(await import('../../../../src/editor/proposals/sendReview.ts')),
    ...(await import('../../../../src/editor/tools/toolDecisions.ts')),
  }),
);

describe('The button of a message', () => {
  const originalWindow = { ...window };
  const { executeCommand } = commands;
  let lines: string[];
  const log = { warn: (line: string) => void lines.push(line) };
  const settle = () => new Promise(setImmediate);

  beforeEach(() => {
    lines = [];
    const first = async (_: string, ...buttons: string[]) => buttons[0];
    Object.assign(window, {
      showInformationMessage: first,
      showWarningMessage: first,
      showQuickPick: async () => Promise.reject(new Error('closed')),
    });
    Object.assign(commands, { executeCommand: async () => Promise.reject(new Error('no command')) });
  });
  afterEach(() => {
    Object.assign(window, originalWindow);
    Object.assign(commands, { executeCommand });
    mock.timers.reset();
  });

  it('of what was reverted', async () => {
    const kept = [{ proposalId: 'p', uri: 'file:///a', label: 'a', hunkId: 'h', reason: 'changed' as const }];
    tellReverted({ proposals: { get: () => undefined }, log }, { hunks: 0, files: 0, kept });
    await settle();
    assert.deepEqual(lines, ['showing the edits that were not reverted failed: Error: closed']);
  });

  it('of hunks that were not accepted', async () => {
    showStale(log, 'p', { label: 'a', uri: 'file:///a' }, 1);
    await settle();
    assert.deepEqual(lines, ['opening the diff of a proposal failed: Error: no command']);
  });

  it('of a review without comments', async () => {
    const never = () => ({ dispose: () => undefined });
    registerSendReview({
      log,
      conversations: { onDidChange: never },
      remarks: { list: () => [], dropDone: () => undefined },
      state: { get: () => undefined },
      moved: { follow: () => undefined },
    } as never);
    await registered.get('k3.sendReview')?.();
    await settle();
    assert.deepEqual(lines, ['offering to comment on a line failed: Error: no command']);
  });

  it('of a tool call that waits', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let changed = () => {};
    const waiting = [1, 2].map((id) => ({
      approval: String(id),
      tool: { name: 'run', source: 'x' },
      call: { arguments: {} },
    }));
    const approvals = {
      waiting: () => waiting,
      onDidChange: (listener: () => void) => {
        changed = listener;
        return { dispose: () => undefined };
      },
    };
    registerToolDecisions({ approvals, changes: {}, titleOf: () => 'Ferries', log } as never);
    changed();
    mock.timers.tick(10_000);
    await settle();
    assert.deepEqual(lines, ['reminding of a tool call failed: Error: closed']);
  });
});
