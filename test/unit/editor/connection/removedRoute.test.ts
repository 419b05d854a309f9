import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { EditRoutesDeps } from '../../../../src/editor/connection/editRoutes.ts';
import type { Route } from '../../../../src/service/types.ts';
import { window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { confirmRemoval } = await withEditorStub(
  () => import('../../../../src/editor/connection/editRoutes.ts'),
);

const route: Route = {
  name: 'mine',
  kind: 'direct',
  root: 'https://k3.test/v1',
  origin: 'https://k3.test',
  model: 'svc-k3',
};

describe('A route that is removed', () => {
  restoreAfterEach(workspace, window);

  it('is removed when the secret storage keeps its key, which the user is told', async () => {
    const said: string[] = [];
    const ofUser: Record<string, unknown> = {
      routes: { mine: { kind: 'direct', baseUrl: route.root } },
      route: 'mine',
    };
    Object.assign(workspace, {
      getConfiguration: () => ({
        get: (name: string) => ofUser[name],
        inspect: (name: string) => ({ key: name, globalValue: ofUser[name] }),
        async update(name: string, value: unknown) {
          ofUser[name] = value;
        },
      }),
    });
    Object.assign(window, {
      showWarningMessage: async (..._: unknown[]) => 'Remove Route',
      showErrorMessage: async (message: string) => void said.push(message),
    });
    const deps = {
      keys: { remove: () => Promise.reject(new Error('The keyring is locked.')) },
      probes: { forget: async () => undefined },
    } as unknown as EditRoutesDeps;
    assert.equal(await confirmRemoval(deps, route), undefined);
    assert.deepEqual([ofUser['routes'], ofUser['route']], [{}, '']);
    assert.match(said.join(), /didn’t remove the API key of the name “mine”/);
  });
});
