import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type FoundKey, findAccess, pricesOf } from '../../../src/requests/credentials.ts';
import type { SettingProblem } from '../../../src/requests/refusal.ts';
import { ROUTE } from '../service/wire.ts';

const WRONG_ROUTE: SettingProblem = { setting: 'k3.routes.a.kind', problem: 'unknown-kind', value: 'x' };
const WRONG_PRICE: SettingProblem = { setting: 'k3.prices.input', problem: 'not-a-number', value: 'x' };
const FOUND: FoundKey = { found: true, key: 'a-key', source: 'stored' };

function find(demoKey: string | undefined, found: FoundKey, problems: readonly SettingProblem[] = []) {
  const routes = { named: () => undefined, active: () => ({ route: ROUTE, demoKey }) };
  return findAccess({ routes, keys: { find: async () => found } }, { problems });
}

describe('The credentials of a request', () => {
  it('is the active route with its key and the source of the key', async () => {
    const access = await find(undefined, FOUND);
    assert.ok(access.ok);
    assert.deepEqual([access.key, access.keySource, access.active.route], ['a-key', 'stored', ROUTE]);
  });

  it('is the key of the demo, whose tokens cost nothing', async () => {
    const access = await find('demo-key', { found: false, why: 'none' });
    assert.ok(access.ok);
    assert.deepEqual([access.key, access.keySource], ['demo-key', 'demo']);
    const prices = { input: 3, cachedInput: 0.3, output: 15 };
    assert.deepEqual(pricesOf(access.active, prices), { input: 0, cachedInput: 0, output: 0 });
    assert.equal(pricesOf({ route: ROUTE, demoKey: undefined }, prices), prices);
  });

  it('is refused with the reason when there is no key', async () => {
    assert.deepEqual(await find(undefined, { found: false, why: 'other-origin' }), {
      ok: false,
      refusal: { kind: 'no-key', route: ROUTE, why: 'other-origin' },
    });
  });

  it('is the key of the environment after the user has allowed it, and only for a request', async () => {
    const unconfirmed: FoundKey = { found: false, why: 'unconfirmed' };
    const refused = { ok: false, refusal: { kind: 'no-key', route: ROUTE, why: 'unconfirmed' } };
    const { signal } = new AbortController();
    for (const answer of [true, false]) {
      let [asked, allowed] = [0, false];
      const deps = {
        routes: { named: () => undefined, active: () => ({ route: ROUTE, demoKey: undefined }) },
        keys: {
          find: async () => (allowed ? FOUND : unconfirmed),
          async confirm() {
            asked++;
            allowed = answer;
            return answer;
          },
        },
      };
      assert.deepEqual(await findAccess(deps, { problems: [] }), refused);
      assert.equal(asked, 0);
      const access = await findAccess(deps, { problems: [] }, signal);
      if (answer) assert.ok(access.ok);
      else assert.deepEqual(access, refused);
      assert.equal(asked, 1);
    }
  });

  it('is told of when a request is sent with it', async () => {
    const used: string[] = [];
    const deps = {
      routes: { named: () => undefined, active: () => ({ route: ROUTE, demoKey: undefined }) },
      keys: {
        find: async () => FOUND,
        used: ({ name }: { name: string }, found: FoundKey) => void used.push(`${name} ${found.found}`),
      },
    };
    await findAccess(deps, { problems: [] });
    assert.deepEqual(used, []);
    await findAccess(deps, { problems: [] }, new AbortController().signal);
    assert.deepEqual(used, [`${ROUTE.name} true`]);
  });

  it('is no longer waited for when the request is stopped', async () => {
    const keys = {
      find: async (): Promise<FoundKey> => ({ found: false, why: 'unconfirmed' }),
      confirm: () => new Promise<boolean>(() => undefined),
    };
    const routes = { named: () => undefined, active: () => ({ route: ROUTE, demoKey: undefined }) };
    const stopped = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(findAccess({ routes, keys }, { problems: [] }, stopped), /stopped/);
  });

  it('is refused for an invalid setting, and for an invalid route only when there is no valid one', async () => {
    const wrong = await find(undefined, FOUND, [WRONG_ROUTE, WRONG_PRICE]);
    assert.deepEqual(wrong, { ok: false, refusal: { kind: 'setting', problem: WRONG_PRICE } });
    assert.ok((await find(undefined, FOUND, [WRONG_ROUTE])).ok);
    const none = {
      routes: { named: () => undefined, active: () => undefined },
      keys: { find: async () => FOUND },
    };
    assert.deepEqual(await findAccess(none, { problems: [WRONG_ROUTE] }), {
      ok: false,
      refusal: { kind: 'setting', problem: WRONG_ROUTE },
    });
    assert.deepEqual(await findAccess(none, { problems: [] }), { ok: false, refusal: { kind: 'no-route' } });
  });

  it('is refused for what is wrong with the active route, not with another one', async () => {
    const none = {
      routes: { named: () => undefined, active: () => undefined },
      keys: { find: async () => FOUND },
    };
    const refusedFor = async (active: string, ...wrong: readonly SettingProblem[]) => {
      const unknown = { setting: 'k3.route', problem: 'unknown-route', value: active } as const;
      const access = await findAccess(none, { problems: [WRONG_ROUTE, ...wrong, unknown] });
      return !access.ok && access.refusal.kind === 'setting' && access.refusal.problem.setting;
    };
    const wrong = { ...WRONG_ROUTE, setting: 'k3.routes.b.baseUrl' };
    assert.equal(await refusedFor('b', wrong), 'k3.routes.b.baseUrl');
    assert.equal(await refusedFor('a', wrong), 'k3.routes.a.kind');
    assert.equal(await refusedFor('gone', wrong), 'k3.route');
    // None of several is chosen.
    assert.equal(await refusedFor('', wrong), 'k3.route');
  });
});
