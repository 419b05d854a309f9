import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { refuse } from '../../../../src/requests/refusal.ts';
import type { TurnContent } from '../../../../src/requests/turnContent.ts';
import { buildRequest } from '../../../../src/service/request.ts';
import type { Route } from '../../../../src/service/types.ts';
import { registered, window } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';

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

const original = { ...window };
const restore = () => void Object.assign(window, original);

describe('The cost of a probe', () => {
  afterEach(restore);

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
        build: ({ request }: TurnContent, { model }: Route) => buildRequest({ ...request, model }),
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

const TURN = completeTurn('ready');

describe('A probe', () => {
  afterEach(restore);

  it('shows what it found of a route that is removed meanwhile, of which nothing is kept', async () => {
    const pages: string[] = [];
    let sent = 0;
    Object.assign(window, { showWarningMessage: async (...said: unknown[]) => said.at(-1) });
    registerProbeRoute({
      routes: { active: () => ({ route, demoKey: undefined }) },
      turns: {
        build: () => ({ ok: false }),
        tokenRatio: () => 1,
        prepare: async () =>
          sent++ < 2
            ? { ok: true, run: async () => TURN }
            : refuse({ kind: 'no-such-route', routeName: 'mine', active: undefined }),
      },
      probes: { of: () => undefined, keep: async () => undefined },
      reports: { show: async (_: string, page: string) => void pages.push(page) },
    } as never);
    await registered.get('k3.probeRoute')?.();
    assert.equal(pages.length, 1);
    assert.match(pages[0] ?? '', /The route was changed or removed/);
    assert.match(pages[0] ?? '', /\| Response\u00a0model \| yes \|/);
  });

  it('says that a route is gone that was probed by its name, and not that there is none', async () => {
    const said: string[] = [];
    Object.assign(window, {
      showWarningMessage: async (message: string) => void said.push(message),
      showInformationMessage: async (message: string) => void said.push(message),
    });
    registerProbeRoute({
      routes: { named: () => undefined, active: () => ({ route, demoKey: undefined }) },
    } as never);
    await Reflect.apply(registered.get('k3.probeRoute') ?? assert.fail(), undefined, ['gone']);
    assert.deepEqual(said, ['The route was changed or removed.']);
  });

  it('is asked about while another model at the same address is probed, and not twice for one', async () => {
    const asked: string[] = [];
    const dialogs: (() => void)[] = [];
    Object.assign(window, {
      showWarningMessage(title: string) {
        asked.push(title);
        return new Promise<void>((resolve) => dialogs.push(resolve));
      },
    });
    registerProbeRoute({
      routes: {
        named: (name: string) => ({ route: { ...route, name, model: name.slice(0, 5) }, demoKey: undefined }),
      },
      turns: { build: () => ({ ok: false }), tokenRatio: () => 1 },
    } as never);
    const run = (name: string) =>
      Reflect.apply(registered.get('k3.probeRoute') ?? assert.fail(), undefined, [name]);
    const all = ['large', 'small', 'large again'].map(run);
    await eventually(() => assert.equal(dialogs.length, 2));
    for (const close of dialogs) close();
    await Promise.all(all);
    assert.deepEqual(asked, ['Probe route “large”?', 'Probe route “small”?']);
  });
});
