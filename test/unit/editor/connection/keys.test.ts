import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createKeys } from '../../../../src/editor/connection/keys.ts';
import { parseBaseAddress } from '../../../../src/service/address.ts';
import type { Route, RouteKind } from '../../../../src/service/types.ts';

function routeTo(address: string, kind: RouteKind = 'direct'): Route {
  const parsed = parseBaseAddress(address);
  assert.ok(parsed.ok);
  return { name: 'work', kind, root: parsed.root, origin: parsed.origin, model: 'svc-k3' };
}

/** Keys with secrets and a global state in memory. `asked` has the routes that the user was asked about. */
function createTestKeys(environment: NodeJS.ProcessEnv, answer = true) {
  const [secrets, state] = [new Map<string, string>(), new Map<string, unknown>()];
  const asked: string[] = [];
  const open = () =>
    createKeys(
      {
        get: async (name) => secrets.get(name),
        store: async (name, value) => void secrets.set(name, value),
        delete: async (name) => void secrets.delete(name),
        onDidChange: () => ({ dispose: () => undefined }),
      },
      { get: (name) => state.get(name), update: async (name, value) => void state.set(name, value) },
      environment,
      async ({ origin }) => {
        asked.push(origin);
        return answer;
      },
    );
  return { keys: open(), open, asked };
}

const BOTH = { K3_API_KEY: 'direct-key', K3_GATEWAY_API_KEY: 'gateway-key' };
const REFUSED = { found: false, why: 'unconfirmed' };

describe('The API key of a route', () => {
  it('is not replaced by the key of the environment when it belongs to another address', async () => {
    const { keys } = createTestKeys(BOTH);
    await keys.save(routeTo('https://first.example'), 'stored-key');
    for (const address of ['https://second.example', 'http://127.0.0.1:8080'])
      assert.deepEqual(await keys.find(routeTo(address)), { found: false, why: 'other-origin' });
    assert.deepEqual(await keys.find(routeTo('https://first.example/v1')), {
      found: true,
      key: 'stored-key',
      source: 'stored',
    });
  });
});

describe('The API key of the environment', () => {
  it('is sent to this machine without a question, one variable for each kind of route', async () => {
    const { keys, asked } = createTestKeys(BOTH);
    for (const host of ['127.0.0.1:80', 'localhost:1234', '[::1]:99', 'demo.localhost', '127.9.8.7'])
      for (const scheme of ['http', 'https']) {
        const found = await keys.find(routeTo(`${scheme}://${host}`));
        assert.deepEqual(found, { found: true, key: 'direct-key', source: 'environment' });
      }
    const found = await keys.find(routeTo('http://127.0.0.1', 'gateway'));
    assert.ok(found.found && found.key === 'gateway-key');
    assert.deepEqual(asked, []);
  });

  it('is sent to another machine after the user has allowed that address, also in later windows', async () => {
    const { keys, open, asked } = createTestKeys(BOTH);
    const route = routeTo('https://a.example');
    assert.deepEqual(await keys.find(route), REFUSED);
    assert.deepEqual(asked, [], 'finding a key asks nothing');
    assert.equal(await keys.confirm(route), true);
    assert.deepEqual(asked, ['https://a.example']);
    for (const each of [keys, open()]) {
      assert.equal((await each.find(route)).found, true);
      assert.deepEqual(await each.find(routeTo('https://b.example')), REFUSED);
      assert.deepEqual(await each.find(routeTo('https://a.example:444')), REFUSED);
      assert.deepEqual(await each.find(routeTo('https://a.example', 'gateway')), REFUSED);
    }
  });

  it('is not sent when the user does not allow the address', async () => {
    const { keys } = createTestKeys(BOTH, false);
    const route = routeTo('https://a.example');
    assert.equal(await keys.confirm(route), false);
    assert.deepEqual(await keys.find(route), REFUSED);
  });

  it('is asked about once when several requests need it at the same time', async () => {
    const { keys, asked } = createTestKeys(BOTH);
    const route = routeTo('https://a.example');
    assert.deepEqual(await Promise.all([keys.confirm(route), keys.confirm(route)]), [true, true]);
    assert.equal(asked.length, 1);
  });

  it('is never sent to another machine without encryption', async () => {
    const { keys, asked } = createTestKeys(BOTH);
    const route = routeTo('http://a.example');
    for (const host of ['a.example', '10.0.0.1', '127.0.0.1.example', 'localhost.example', '0.0.0.0'])
      assert.deepEqual(await keys.find(routeTo(`http://${host}`)), { found: false, why: 'unencrypted' });
    assert.equal(await keys.confirm(route), false);
    assert.deepEqual(asked, []);
  });

  it('has to be allowed again after the key of the route is cleared', async () => {
    const { keys } = createTestKeys(BOTH);
    const route = routeTo('https://a.example');
    await keys.confirm(route);
    await keys.clear(route);
    assert.deepEqual(await keys.find(route), REFUSED);
  });

  it('is missing when the variable is not set', async () => {
    const { keys } = createTestKeys({ K3_API_KEY: '  ' });
    assert.deepEqual(await keys.find(routeTo('https://a.example')), { found: false, why: 'none' });
  });
});
