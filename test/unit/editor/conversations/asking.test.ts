import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { ROUTE } from '../../service/wire.ts';

const { showRefusal } = await withEditorStub(() => import('../../../../src/editor/conversations/asking.ts'));

describe('The notification that a question was not sent because there is no key', () => {
  restoreAfterEach(window, commands);

  const refusal = { kind: 'no-key', route: { ...ROUTE, name: 'work' }, why: 'none' } as const;

  /** What its button runs. */
  async function runs(routeName?: string): Promise<readonly unknown[]> {
    let ran: readonly unknown[] = [];
    Object.assign(window, { showWarningMessage: async (_: string, button: string) => button });
    Object.assign(commands, {
      async executeCommand(...run: unknown[]) {
        ran = run;
      },
    });
    await showRefusal({ ok: false, refusal }, routeName === undefined ? {} : { routeName });
    return ran;
  }

  it('asks for the key of the route that it is about, whichever is active when its button is selected', async () => {
    assert.deepEqual(await runs(), ['k3.setKey', 'work']);
  });

  it('leads from a route that was chosen to another one', async () => {
    assert.deepEqual(await runs('work'), ['k3.switchRoute']);
  });
});
