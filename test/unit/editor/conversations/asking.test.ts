import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Refusal } from '../../../../src/requests/refusal.ts';
import { commands, window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { ROUTE } from '../../service/wire.ts';

const { showIfRefused } = await withEditorStub(
  () => import('../../../../src/editor/conversations/asking.ts'),
);

describe('The notification that a question was not sent', () => {
  restoreAfterEach(window, commands);

  const noKey = { kind: 'no-key', route: { ...ROUTE, name: 'work' }, why: 'none' } as const;

  /** What its first button runs. */
  async function runs(refusal: Refusal, routeName?: string): Promise<readonly unknown[]> {
    let ran: readonly unknown[] = [];
    Object.assign(window, { showWarningMessage: async (_: string, button: string) => button });
    Object.assign(commands, {
      async executeCommand(...run: unknown[]) {
        ran = run;
      },
    });
    await showIfRefused({ ok: false, refusal }, routeName === undefined ? {} : { routeName });
    return ran;
  }

  it('asks for the key of the route that it is about, whichever is active when its button is selected', async () => {
    assert.deepEqual(await runs(noKey), ['k3.setKey', 'work']);
  });

  it('leads from a route that was chosen to another one', async () => {
    assert.deepEqual(await runs(noKey, 'work'), ['k3.switchRoute']);
  });

  it('leads to what is missing, as that of every other command: a route, or a setting', async () => {
    const problem = { setting: 'k3.route', problem: 'unknown-route', value: 'gone' } as const;
    assert.deepEqual(await runs({ kind: 'no-route' }), ['k3.addRoute']);
    assert.deepEqual(await runs({ kind: 'setting', problem }), ['workbench.action.openSettings', 'k3.route']);
  });
});
