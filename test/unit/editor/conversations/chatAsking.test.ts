import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { type Refusal, refuse } from '../../../../src/requests/refusal.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { commands } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { ROUTE } from '../../service/wire.ts';

const { askInChat } = await withEditorStub(
  () => import('../../../../src/editor/conversations/chatAsking.ts'),
);

describe('A command that is run again while the user is asked for a key', () => {
  const { executeCommand } = commands;
  afterEach(() => {
    Object.assign(commands, { executeCommand });
  });

  const noKey: Refusal = { kind: 'no-key', route: { ...ROUTE, name: 'work' }, why: 'none' };

  /** Why nothing was asked, of both, and what was asked. The user sets a key, or closes its input. */
  async function runTwice(isSet: boolean) {
    const key = createDeferred<boolean>();
    let hasKey = false;
    const asked: string[] = [];
    Object.assign(commands, {
      executeCommand: async (id: string) => (id === 'k3.setKey' ? key.promise : undefined),
    });
    const conversations = {
      front: () => ({ id: 'c1' }),
      get: () => ({}),
      isRunning: () => asked.length > 0,
      holder: () => undefined,
      async ask(id: string) {
        if (!hasKey) return refuse(noKey);
        asked.push(id);
        return { ok: true, turnId: 't1' };
      },
    };
    const question = { text: 'Explain', images: [], origin: undefined };
    const both = [1, 2].map(() => askInChat(conversations as never, question));
    await new Promise(setImmediate);
    hasKey = isSet;
    key.resolve(isSet);
    const refusals = (await Promise.all(both)).map((one) => (one.asked.ok ? undefined : one.asked.refusal));
    return [refusals.map((one) => one?.kind), asked] as const;
  }

  it('is not asked a second time, and says why the first one was not asked, or that it is', async () => {
    assert.deepEqual(await runTwice(false), [['no-key', 'no-key'], []]);
    assert.deepEqual(await runTwice(true), [[undefined, 'running'], ['c1']]);
  });
});
