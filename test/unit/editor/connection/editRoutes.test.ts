/** Edit Routes, with inputs that are answered at once. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { EditRoutesDeps } from '../../../../src/editor/connection/editRoutes.ts';
import { answerInputs } from '../../../support/answeredInputs.ts';
import { window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { editRoutes } = await withEditorStub(() => import('../../../../src/editor/connection/editRoutes.ts'));

const ROUTE = { kind: 'direct', baseUrl: 'https://k3.example/v1' };

describe('A route that is renamed or removed while it is edited', () => {
  restoreAfterEach(window, workspace);

  for (const [field, ...answers] of [
    ['Model', 'another'],
    ['Address', 'https://other.example'],
    ['Kind'],
    ['Use This Route'],
  ] as const)
    it(`is not changed, which is said: ${field}`, async () => {
      const said: string[] = [];
      let routes: object = { mine: ROUTE };
      Object.assign(window, { showWarningMessage: async (message: string) => void said.push(message) });
      Object.assign(workspace, {
        getConfiguration: () => ({
          get: () => undefined,
          inspect: (name: string) => ({ key: name, globalValue: name === 'routes' ? routes : undefined }),
          update: async () => assert.fail('it was changed'),
        }),
      });
      const deps = {
        routes: { active: () => undefined, useDemo: () => assert.fail('another route was activated') },
        keys: { find: async () => ({ found: false, why: 'none' }) },
        probes: {
          // While the list of its fields is shown.
          of() {
            routes = { renamed: ROUTE };
          },
        },
      } as unknown as EditRoutesDeps;
      answerInputs('mine', field, ...answers);
      await editRoutes(deps);
      assert.deepEqual(said, ['The route was changed or removed.']);
    });
});
