import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
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
  let said: string[];
  let ofUser: Record<string, unknown>;
  /** Called before a setting is written. */
  let before: () => void;

  beforeEach(() => {
    [said, before] = [[], () => undefined];
    ofUser = { routes: { mine: { kind: 'direct', baseUrl: route.root } }, route: 'mine' };
    Object.assign(workspace, {
      getConfiguration: () => ({
        get: (name: string) => ofUser[name],
        inspect: (name: string) => ({ key: name, globalValue: ofUser[name] }),
        async update(name: string, value: unknown) {
          before();
          ofUser[name] = value;
        },
      }),
    });
    Object.assign(window, {
      showWarningMessage: async (..._: unknown[]) => 'Remove Route',
      showErrorMessage: async (message: string) => void said.push(message),
    });
  });

  it('keeps its key when the settings can’t be written, such as while they have a syntax error', async () => {
    before = () => {
      throw new Error('Unable to write into user settings.');
    };
    const removed: string[] = [];
    const deps = {
      keys: { remove: async ({ name }: Route) => void removed.push(name) },
      probes: { forget: async () => undefined },
    } as unknown as EditRoutesDeps;
    await assert.rejects(confirmRemoval(deps, route), /Unable to write/);
    assert.deepEqual([removed, Object.keys(ofUser['routes'] ?? {})], [[], ['mine']]);
    before = () => undefined;
    assert.equal(await confirmRemoval(deps, route), undefined);
    assert.deepEqual([removed, ofUser['routes']], [['mine'], {}]);
  });

  it('is removed when the secret storage keeps its key, which the user is told', async () => {
    const deps = {
      keys: { remove: () => Promise.reject(new Error('The keyring is locked.')) },
      probes: { forget: async () => undefined },
    } as unknown as EditRoutesDeps;
    assert.equal(await confirmRemoval(deps, route), undefined);
    assert.deepEqual([ofUser['routes'], ofUser['route']], [{}, '']);
    assert.match(said.join(), /didn’t remove the API key of the name “mine”/);
  });
});
