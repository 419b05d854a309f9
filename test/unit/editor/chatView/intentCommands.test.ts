import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toCommand } from '../../../../src/editor/chatView/intentCommands.ts';

describe('A message of the page that does the same as a command', () => {
  it('opens an input for the conversation that the page shows', () => {
    assert.deepEqual(toCommand({ type: 'pick-preset' }, 'c1'), {
      id: 'k3.choosePreset',
      args: ['c1'],
      opensInput: true,
    });
    assert.deepEqual(toCommand({ type: 'pick-tools' }, 'c1'), {
      id: 'k3.pickTools',
      args: [],
      opensInput: true,
    });
  });

  it('names the turn, and the step of its reasoning', () => {
    assert.deepEqual(toCommand({ type: 'revert', turnId: 't1' }, 'c1'), {
      id: 'k3.revertMessage',
      args: ['t1'],
      opensInput: false,
    });
    assert.deepEqual(toCommand({ type: 'show-step', turnId: 't1', step: 2 }, 'c1')?.args, [
      { turnId: 't1', index: 2, show: true },
    ]);
  });

  it('hands a proposal and its file to the command of the button', () => {
    const message = {
      type: 'proposal',
      action: 'accept-all',
      proposalId: 'p1',
      uri: 'file:///a.ts',
    } as const;
    assert.deepEqual(toCommand(message, 'c1'), { id: 'k3.acceptAll', args: [message], opensInput: false });
  });

  it('is none for what changes the conversation', () => {
    assert.equal(toCommand({ type: 'stop' }, 'c1'), undefined);
  });
});
