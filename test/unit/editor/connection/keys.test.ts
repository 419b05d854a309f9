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
    for (const host of ['127.0.0.1:80', 'localhost:1234', '[::1]:99'])
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

/** Two windows with the same secrets and global state, and a secret storage that can fail. */
function createWindows(environment: NodeJS.ProcessEnv = {}) {
  const [secrets, state] = [new Map<string, string>(), new Map<string, unknown>()];
  const listeners = new Set<(event: { key: string }) => unknown>();
  const asked: boolean[] = [];
  let fails: 'get' | 'store' | 'delete' | undefined;
  const fail = (operation: typeof fails) => {
    fails = operation;
  };
  const guard = (operation: typeof fails) => {
    if (operation === fails) throw new Error('the keyring is locked');
  };
  const changed = (key: string) => {
    for (const listener of listeners) listener({ key });
  };
  const open = () =>
    createKeys(
      {
        async get(name) {
          guard('get');
          return secrets.get(name);
        },
        async store(name, value) {
          guard('store');
          secrets.set(name, value);
          changed(name);
        },
        async delete(name) {
          guard('delete');
          secrets.delete(name);
          changed(name);
        },
        onDidChange(listener) {
          listeners.add(listener);
          return { dispose: () => void listeners.delete(listener) };
        },
      },
      { get: (name) => state.get(name), update: async (name, value) => void state.set(name, value) },
      environment,
      async (_, isLost) => {
        asked.push(isLost);
        return true;
      },
    );
  return { open, secrets, state, fail, asked };
}

describe('A key in the secret storage', () => {
  const route = routeTo('https://a.example');
  const stored = (key: string) => ({ found: true, key, source: 'stored' });

  it('is replaced by a new one, and is gone after it was cleared, also in another window, which hears of it', async () => {
    const { open } = createWindows();
    const [one, two] = [open(), open()];
    let heard = 0;
    const listening = two.onDidChange(() => heard++);
    await one.save(route, 'first-key');
    assert.deepEqual(await two.find(route), stored('first-key'));
    await one.save(route, 'second-key');
    assert.deepEqual(
      [await one.find(route), await two.find(route)],
      [stored('second-key'), stored('second-key')],
    );
    await two.clear(route);
    assert.deepEqual(await one.find(route), { found: false, why: 'none' });
    assert.equal(heard, 3);
    listening.dispose();
    await one.save(route, 'third-key');
    assert.equal(heard, 3);
  });

  it('is of one route: another one with the same address has its own', async () => {
    const { open } = createWindows();
    const keys = open();
    await keys.save(route, 'a-key');
    const other = { ...route, name: 'other' };
    assert.deepEqual(await keys.find(other), { found: false, why: 'none' });
    await keys.save(other, 'other-key');
    await keys.clear(route);
    assert.deepEqual(await keys.find(other), stored('other-key'));
  });

  it('is used as it was saved, also with the quotation marks that an earlier version took for a part of it', async () => {
    const keys = createWindows().open();
    await keys.save(route, '"sk-1"');
    assert.deepEqual(await keys.find(route), stored('"sk-1"'));
  });

  it('is reported as lost when the storage no longer has it, or has something else', async () => {
    const { open, secrets } = createWindows();
    await open().save(route, 'a-key');
    for (const kept of [undefined, '', 'a-key', '{', 'null', '{"origin":"https://a.example"}', '[]']) {
      if (kept === undefined) secrets.clear();
      else secrets.set('k3.key.work', kept);
      assert.deepEqual(await open().find(route), { found: false, why: 'lost' }, String(kept));
    }
  });

  it('is reported as lost, once in a window, when the key of the environment is used in its place', async () => {
    const { open, secrets } = createWindows({ K3_API_KEY: 'direct-key' });
    const here = routeTo('http://127.0.0.1:80');
    const told: string[] = [];
    const watched = () => {
      const keys = open();
      keys.onDidReplace(({ name }) => told.push(name));
      return keys;
    };
    const keys = watched();
    const use = async (of = keys) => of.used(here, await of.find(here));
    await use();
    await keys.save(here, 'a-key');
    await use();
    assert.deepEqual(told, [], 'none is lost');
    secrets.clear();
    assert.deepEqual(await keys.find(here), {
      found: true,
      key: 'direct-key',
      source: 'environment',
      replacesSaved: true,
    });
    assert.deepEqual(told, [], 'none is used');
    await use();
    await use();
    assert.deepEqual(told, ['work']);
    await use(watched());
    assert.deepEqual(told, ['work', 'work']);
  });

  it('is known as lost by who is asked whether the key of the environment may be sent', async () => {
    const { open, secrets, asked } = createWindows({ K3_API_KEY: 'direct-key' });
    const keys = open();
    await keys.confirm(route);
    await keys.clear(route);
    await keys.save(route, 'a-key');
    secrets.clear();
    assert.deepEqual(await keys.find(route), { ...REFUSED, replacesSaved: true });
    await keys.confirm(route);
    assert.deepEqual(asked, [false, true]);
    // The dialog has said it.
    const told: string[] = [];
    keys.onDidReplace(({ name }) => told.push(name));
    keys.used(route, await keys.find(route));
    assert.deepEqual(told, []);
  });

  it('is bound to its origin after it was lost as well', async () => {
    const { open, secrets } = createWindows();
    await open().save(route, 'a-key');
    secrets.clear();
    assert.deepEqual(await open().find(routeTo('https://b.example')), { found: false, why: 'none' });
  });

  it('is reported when the storage fails, and the key of the environment can take its place if none was saved', async () => {
    const { open, fail } = createWindows();
    await open().save(route, 'a-key');
    fail('get');
    assert.deepEqual(await open().find(route), { found: false, why: 'unreadable' });
    fail(undefined);
    assert.deepEqual(await open().find(route), stored('a-key'));
    const withEnvironment = createWindows({ K3_API_KEY: 'direct-key' });
    withEnvironment.fail('get');
    const keys = withEnvironment.open();
    assert.equal((await keys.find(routeTo('http://127.0.0.1:80'))).found, true);
    assert.deepEqual(await keys.find(route), REFUSED);
    assert.equal(await keys.confirm(route), true);
    assert.deepEqual(await keys.find(route), { found: true, key: 'direct-key', source: 'environment' });
    // It can be that of another account.
    withEnvironment.fail(undefined);
    await keys.save(route, 'a-key');
    withEnvironment.fail('get');
    assert.deepEqual(await keys.find(route), { found: false, why: 'unreadable' });
  });

  it('is not kept anywhere when the storage refuses it', async () => {
    const { open, fail, state, secrets } = createWindows();
    fail('store');
    await assert.rejects(open().save(route, 'a-key'), /keyring is locked/);
    assert.deepEqual(await open().find(route), { found: false, why: 'none' });
    assert.deepEqual([secrets.size, state.size], [0, 0]);
  });

  it('stays, and its loss is still noticed, when the storage does not delete it; the environment’s has to be allowed anew', async () => {
    const { open, fail } = createWindows({ K3_API_KEY: 'direct-key' });
    const keys = open();
    await keys.confirm(route);
    await keys.save(route, 'a-key');
    fail('delete');
    await assert.rejects(keys.clear(route), /keyring is locked/);
    assert.deepEqual(await keys.find(route), stored('a-key'));
    fail(undefined);
    await keys.clear(route);
    assert.deepEqual(await keys.find(route), REFUSED);
  });

  it('is never in the state of the extension', async () => {
    const { open, state } = createWindows();
    await open().save(route, 'a-key');
    assert.ok(!JSON.stringify([...state]).includes('a-key'));
  });
});

describe('A key that cannot be sent', () => {
  for (const key of ['sk-\n1', 'sk-é', 'sk 1', '\u200bsk']) {
    it(`is not taken from the environment: ${JSON.stringify(key)}`, async () => {
      const { keys, asked } = createTestKeys({ K3_API_KEY: key });
      for (const address of ['http://127.0.0.1', 'https://a.example'])
        assert.deepEqual(await keys.find(routeTo(address)), { found: false, why: 'malformed' });
      assert.equal(await keys.confirm(routeTo('https://a.example')), false);
      assert.deepEqual(asked, []);
    });
  }

  it('is taken from the environment without what was pasted with it', async () => {
    // Docker leaves the quotation marks of a file with variables.
    for (const pasted of [' Bearer sk-1\n', '"sk-1"']) {
      const { keys } = createTestKeys({ K3_API_KEY: pasted });
      const found = await keys.find(routeTo('http://127.0.0.1'));
      assert.deepEqual(found, { found: true, key: 'sk-1', source: 'environment' });
    }
  });
});
