/** What is kept of probes: with the address and model of a route, in two windows, after a reload, and after changes of routes. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CHECKS, type CheckResult, type RouteProbe } from '../../../../src/probe/probe.ts';
import type { Route } from '../../../../src/service/types.ts';
import { workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createRouteProbes, shareProbe } = await withEditorStub(
  () => import('../../../../src/editor/connection/routeProbes.ts'),
);

const DROPPED: CheckResult = { check: 'tools', verdict: 'no', seen: { kind: 'dropped', values: [] }, at: 5 };
const UNCLEAR: CheckResult = { ...DROPPED, check: 'images', verdict: 'unclear' };
const SEEN: CheckResult = { ...DROPPED, check: 'effort', verdict: 'yes' };
const PROBE: RouteProbe = { results: [DROPPED, UNCLEAR, SEEN], requests: 14, cost: 0.1 };

function routeOf(name: string, host = name, model = 'svc-k3'): Route {
  const origin = `https://${host}.example`;
  return { name, kind: 'gateway', root: `${origin}/v1`, origin, model };
}

describe('What a probe found', () => {
  const { getConfiguration } = workspace;
  let state: Map<string, unknown>;
  let warnings: string[];
  beforeEach(() => {
    state = new Map();
    warnings = [];
  });
  afterEach(() => void Object.assign(workspace, { getConfiguration }));

  function setRoutes(...routes: readonly Route[]): void {
    const entries = routes.map(({ name, kind, root, model }) => [name, { kind, baseUrl: root, model }]);
    Object.assign(workspace, {
      getConfiguration: () => ({
        get: () => undefined,
        inspect: (key: string) =>
          key === 'routes' ? { key, globalValue: Object.fromEntries(entries) } : undefined,
      }),
    });
  }

  /** A window. All windows share the state, as JSON. */
  function open(active: Route | undefined, demoKey?: string) {
    const memory = {
      get: (name: string) => state.get(name),
      keys: () => [...state.keys()],
      async update(name: string, value: unknown) {
        if (value === undefined) state.delete(name);
        else state.set(name, JSON.parse(JSON.stringify(value)));
      },
    };
    return createRouteProbes({
      memory: memory as Parameters<typeof createRouteProbes>[0]['memory'],
      routes: { active: () => active && { route: active, demoKey } },
      log: { warn: (line) => void warnings.push(line) },
    });
  }

  it('is there after a reload and in other windows, and restricts only by what was seen', async () => {
    const route = routeOf('work');
    setRoutes(route);
    const changes: string[] = [];
    const first = open(route);
    const other = open(undefined);
    first.onDidChange(() => changes.push('first'));
    await first.keep(route, PROBE);
    for (const window of [first, other, open(route)]) {
      assert.deepEqual(window.of(route), PROBE);
      assert.deepEqual(window.lackOf('tools', route), { routeName: 'work', result: DROPPED });
      for (const check of ['images', 'json'] as const) assert.equal(window.lackOf(check, route), undefined);
    }
    assert.deepEqual(
      CHECKS.filter((check) => open(route).works(check)),
      ['effort'],
    );
    assert.equal(open(undefined).works('effort'), false);
    assert.equal(open(undefined).works('effort', route), true);
    assert.equal(open(undefined).lackOf('tools'), undefined);
    assert.ok(open(route).lackOf('tools'));
    await first.forget(route);
    assert.equal(other.of(route), undefined);
    assert.deepEqual([changes, warnings], [['first', 'first'], []]);
  });

  it('goes with a route that is renamed, and not with another address or model', async () => {
    const route = routeOf('work');
    setRoutes(route);
    const probes = open(route);
    await probes.keep(route, PROBE);
    assert.equal(probes.lackOf('tools', { ...route, name: 'renamed' })?.routeName, 'renamed');
    for (const other of [routeOf('work', 'elsewhere'), routeOf('work', 'work', 'svc-k2')])
      assert.equal(probes.lackOf('tools', other), undefined);
    // A request whose address isn't known is not restricted.
    assert.equal(probes.lackOf('tools', { name: 'work' }), undefined);
  });

  it('is another one on another way to the same address: of another kind, or through another proxy', async () => {
    const route = routeOf('work');
    const through = (proxy: string): Route => ({ ...route, network: { proxy } });
    const secret = through('http://ann:secret@proxy.example:8080');
    const probes = open(route);
    await probes.keep(secret, PROBE);
    assert.ok(probes.lackOf('tools', secret));
    for (const other of [route, through('http://other.example'), { ...secret, kind: 'direct' as const }]) {
      assert.equal(probes.of(other), undefined);
      assert.equal(probes.lackOf('tools', other), undefined);
      assert.equal(shareProbe(other, secret), false);
    }
    assert.ok(shareProbe(routeOf('other name', 'work'), route));
    assert.ok(!JSON.stringify([...state]).includes('secret'), 'no password of a proxy is kept');
  });

  it('is not kept for a route that was removed during the probe, and is dropped with the next one', async () => {
    const [work, gone] = [routeOf('work'), routeOf('gone')];
    setRoutes(work, gone);
    const probes = open(work);
    await probes.keep(gone, PROBE);
    setRoutes(work);
    await probes.keep(work, PROBE);
    assert.equal(state.size, 1);
    await probes.keep(gone, PROBE);
    assert.equal(probes.of(gone), undefined);
  });

  it('is kept while the settings are edited and can’t be read completely', async () => {
    const [work, other] = [routeOf('work'), routeOf('other')];
    setRoutes(work, other);
    const probes = open(work);
    await probes.keep(other, PROBE);
    setRoutes(work, { ...other, kind: 'gatewa' as 'gateway' });
    await probes.keep(work, PROBE);
    assert.equal(state.size, 2);
    setRoutes();
    await probes.keep(work, { ...PROBE, requests: 15 });
    assert.equal(probes.of(work)?.requests, 15);
    setRoutes(work, other);
    for (const route of [work, other]) assert.ok(probes.of(route), route.name);
  });

  it('of two routes in two windows at the same time is kept for both', async () => {
    const [one, two] = [routeOf('one'), routeOf('two')];
    setRoutes(one, two);
    await Promise.all([open(one).keep(one, PROBE), open(two).keep(two, PROBE)]);
    for (const route of [one, two]) assert.deepEqual(open(undefined).of(route), PROBE);
  });

  it('of the demo is known in its window only', async () => {
    const demo = routeOf('Demo', 'demo');
    setRoutes();
    const probes = open(demo, 'key');
    await probes.keep(demo, PROBE);
    assert.ok(probes.lackOf('tools'));
    assert.equal(state.size, 0);
    assert.equal(open(demo, 'key').of(demo), undefined);
  });

  it('is left out and logged once where it was damaged', async () => {
    const route = routeOf('work');
    setRoutes(route);
    await open(route).keep(route, PROBE);
    const [[name = '', stored] = []] = state;
    state.set(name, { ...(stored as object), results: [{ ...DROPPED, verdict: 'sometimes' }, UNCLEAR] });
    const probes = open(route);
    assert.deepEqual(probes.of(route)?.results, [UNCLEAR]);
    probes.of(route);
    assert.equal(warnings.length, 1);
    for (const nothing of ['x', 7, null, [], { results: [] }]) {
      state.set(name, nothing);
      assert.equal(probes.of(route), undefined);
    }
  });
});
