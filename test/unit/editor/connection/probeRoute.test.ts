import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { buildRequest } from '../../../../src/service/request.ts';
import type { Route } from '../../../../src/service/types.ts';
import type { TurnContent } from '../../../../src/turns/turnContent.ts';
import { registered, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerProbeRoute } = await withEditorStub(async () => {
  // It is loaded when the command is first run.
  await import('../../../../src/editor/connection/probeParts.ts');
  return import('../../../../src/editor/connection/probeRoute.ts');
});

const route: Route = {
  name: 'mine',
  kind: 'direct',
  root: 'https://k3.test/v1',
  origin: 'https://k3.test',
  model: 'svc-k3',
};

describe('The cost of a probe', () => {
  const original = { ...window };
  afterEach(() => void Object.assign(window, original));

  /** The amount that the dialog shows, which is canceled. */
  async function costWith(ratio: number): Promise<number> {
    let said = '';
    Object.assign(window, {
      showWarningMessage: async (_: string, { detail }: { detail: string }) => {
        said = detail;
      },
    });
    registerProbeRoute({
      routes: { active: () => ({ route, demoKey: undefined }) },
      turns: {
        build: ({ request }: TurnContent, { model, kind }: Route) =>
          buildRequest({ ...request, model, routeKind: kind }),
        tokenRatio: () => ratio,
      },
    } as never);
    await registered.get('k3.probeRoute')?.();
    return Number(/cost about \$(\d+\.\d+)/.exec(said)?.[1]);
  }

  it('is estimated with what the usage of the route has shown about its tokens', async () => {
    assert.ok((await costWith(100)) > (await costWith(1)));
  });
});
