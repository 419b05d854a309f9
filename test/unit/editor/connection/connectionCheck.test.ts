import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, window } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { failedBy, turnOf } from '../../conversation/turns.ts';
import { ROUTE } from '../../service/wire.ts';

const { checkConnection } = await withEditorStub(
  () => import('../../../../src/editor/connection/connectionCheck.ts'),
);

describe('The message of Check Connection that a key is refused', () => {
  restoreAfterEach(window, commands);

  it('asks for the key of the route that was checked, whichever is active when its button is selected', async () => {
    let ran: readonly unknown[] = [];
    Object.assign(window, { showWarningMessage: async (_: string, button: string) => button });
    Object.assign(commands, {
      async executeCommand(...run: unknown[]) {
        ran = run;
      },
    });
    const route = { ...ROUTE, name: 'work' };
    const prepared = {
      ok: true,
      access: { active: { route, demoKey: undefined }, key: 'k', keySource: 'stored' },
      client: { models: async () => [] },
      run: async () => turnOf([failedBy('bad-key')], { routeName: 'work' }),
    };
    await checkConnection({
      turns: { prepare: async () => prepared },
      log: { warn: assert.fail },
    } as never);
    await eventually(() => assert.deepEqual(ran, ['k3.setKey', 'work']));
  });
});
