import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseBaseAddress } from '../../../../src/service/address.ts';
import type { Route } from '../../../../src/service/types.ts';
import { commands, window, workspace } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { scripted } from '../../service/wire.ts';

const { createTransports, setTestedKey } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/connection/keyTest.ts')),
  ...(await import('../../../../src/editor/connection/transports.ts')),
}));

describe('A key that was saved', () => {
  restoreAfterEach(commands, window, workspace);
  const parsed = parseBaseAddress('https://k3.example');
  assert.ok(parsed.ok);
  const route: Route = { name: 'work', kind: 'direct', model: 'svc-k3', ...parsed };

  for (const status of [401, 403])
    for (const isPage of [true, false])
      it(`is ${isPage ? 'not asked for again' : 'asked for again'} after ${status} with ${isPage ? 'a web page' : 'an error'}`, async () => {
        let offered: readonly string[] | undefined;
        const ofUser = { work: { kind: 'direct', baseUrl: 'https://k3.example' } };
        Object.assign(workspace, {
          getConfiguration: () => ({
            get: () => undefined,
            inspect: (key: string) => ({ key, globalValue: key === 'routes' ? ofUser : undefined }),
          }),
        });
        Object.assign(window, {
          showInputBox: async () => 'sk-new',
          showWarningMessage: async (_: string, ...buttons: string[]) => {
            offered = buttons;
            return buttons[0];
          },
        });
        let stored = false;
        const keys = {
          find: async () => ({ found: stored, key: 'sk-new', source: 'stored' }),
          async save() {
            stored = true;
          },
        };
        const body = isPage ? '<html>Attention Required!</html>' : '{"error":{"message":"No."}}';
        const transports = { for: async () => scripted({ status, body }) };
        // Another route is the active one when the button is selected.
        const ran: unknown[] = [];
        Object.assign(commands, { executeCommand: async (...run: unknown[]) => void ran.push(...run) });
        await setTestedKey({ keys, transports, log: { warn: assert.fail } } as never, route);
        await eventually(() => assert.deepEqual(offered, [isPage ? 'Check Connection' : 'Set API Key…']));
        await eventually(() => assert.deepEqual(ran, [isPage ? 'k3.checkConnection' : 'k3.setKey', 'work']));
      });
});

describe('A key of a route whose network settings are wrong', () => {
  restoreAfterEach(window, workspace);

  it('is said to be saved, and why it was not tested', async () => {
    const parsed = parseBaseAddress('https://k3.example');
    assert.ok(parsed.ok);
    const network = { caFile: '/nowhere/ca.pem' };
    const route: Route = { name: 'work', kind: 'direct', model: 'svc-k3', ...parsed, network };
    const ofUser = { work: { kind: 'direct', baseUrl: 'https://k3.example', network } };
    Object.assign(workspace, {
      getConfiguration: () => ({
        get: () => undefined,
        inspect: (name: string) => ({ key: name, globalValue: name === 'routes' ? ofUser : undefined }),
      }),
    });
    const said: string[] = [];
    Object.assign(window, {
      showInputBox: async () => 'sk-new',
      showWarningMessage: async (message: string) => void said.push(message),
    });
    let stored: string | undefined;
    const keys = {
      find: async () =>
        stored === undefined
          ? { found: false, why: 'none' }
          : { found: true, key: stored, source: 'stored' as const },
      async save(_: Route, key: string) {
        stored = key;
      },
    };
    const transports = createTransports(
      () => undefined,
      () => undefined,
    );
    const log = { warn: assert.fail };
    assert.equal(await setTestedKey({ keys, transports, log } as never, route), true);
    await eventually(() => assert.equal(said.length, 1));
    assert.equal(
      said[0],
      'The API key for route “work” was saved, but its test failed. Couldn’t create the request: network.caFile: /nowhere/ca.pem cannot be read',
    );
  });
});
