/** Renaming a route moves its key, whatever fails meanwhile and whatever another window does. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createKeys } from '../../../../src/editor/connection/keys.ts';
import { parseBaseAddress } from '../../../../src/service/address.ts';
import type { Route } from '../../../../src/service/types.ts';
import { EventEmitter, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { renameWithKey } = await withEditorStub(
  () => import('../../../../src/editor/connection/renamedRoute.ts'),
);

const parsed = parseBaseAddress('https://a.example');
assert.ok(parsed.ok);
const ROUTE: Route = {
  name: 'old',
  kind: 'direct',
  root: parsed.root,
  origin: parsed.origin,
  model: 'svc-k3',
};
const NEW: Route = { ...ROUTE, name: 'new' };

let secrets: Map<string, string>;
let flags: Map<string, unknown>;
let names: Set<string>;
let changes: EventEmitter<void>;
let shown: string[];
/** What the user selects in the next notification. */
let choice: string | undefined;
/** The operations of the secret storage that fail, and before which something happens. */
let failing: Map<string, number>;
let before: (operation: string) => void;

function setUp() {
  const step = (operation: string) => {
    before(operation);
    const left = failing.get(operation) ?? 0;
    failing.set(operation, left - 1);
    if (left > 0) throw new Error('the keyring is locked');
  };
  const keys = createKeys(
    {
      async get(name) {
        step('get');
        return secrets.get(name);
      },
      async store(name, value) {
        step('store');
        secrets.set(name, value);
      },
      async delete(name) {
        step('delete');
        secrets.delete(name);
      },
      onDidChange: () => ({ dispose: () => undefined }),
    },
    { get: (name) => flags.get(name), update: async (name, value) => void flags.set(name, value) },
    {},
    async () => true,
  );
  const settings = {
    has: (name: string) => names.has(name),
    async rename(from: string, to: string) {
      step('rename');
      if (!names.has(from)) return 'gone' as const;
      if (names.has(to)) return 'taken' as const;
      names.delete(from);
      names.add(to);
      return 'renamed' as const;
    },
    onDidChange: changes.event,
  };
  return { keys, settings, times: { watch: 200, settle: 5 } };
}

const stored = () => Object.fromEntries([...secrets].map(([name, text]) => [name, JSON.parse(text).key]));

const show = async (message: string) => {
  shown.push(message);
  const chosen = choice;
  choice = undefined;
  return chosen;
};

describe('Renaming a route', () => {
  const { showErrorMessage, showInformationMessage } = window;
  let deps: ReturnType<typeof setUp>;
  beforeEach(async () => {
    [secrets, flags, failing] = [new Map(), new Map(), new Map()];
    [names, changes, shown, choice, before] = [new Set(['old']), new EventEmitter(), [], undefined, () => {}];
    Object.assign(window, { showErrorMessage: show, showInformationMessage: show });
    deps = setUp();
    await deps.keys.save(ROUTE, 'a-key');
  });
  afterEach(() => {
    Object.assign(window, { showErrorMessage, showInformationMessage });
  });
  const rename = () => renameWithKey(deps, ROUTE, 'new');

  it('moves the key', async () => {
    assert.equal(await rename(), 'new');
    assert.deepEqual([stored(), shown], [{ 'k3.key.new': 'a-key' }, []]);
    assert.deepEqual(await deps.keys.find(NEW), { found: true, key: 'a-key', source: 'stored' });
    assert.deepEqual(await deps.keys.find(ROUTE), { found: false, why: 'none' });
  });

  it('is followed by the key of what runs, also back again and past another route of the earlier name', async () => {
    const follow = () => deps.keys.follow(ROUTE);
    const [begun, keyOf] = [follow(), async (of: () => Route) => (await deps.keys.find(of())) as unknown];
    const own = { found: true, key: 'a-key', source: 'stored' };
    await rename();
    assert.deepEqual([begun().name, await keyOf(begun)], ['new', own]);
    names.add('other');
    await deps.keys.save({ ...ROUTE, name: 'other' }, 'of-another-account');
    await renameWithKey(deps, { ...ROUTE, name: 'other' }, 'old');
    assert.deepEqual([begun().name, await keyOf(begun)], ['new', own]);
    assert.deepEqual([follow()().name, follow()().origin], ['old', ROUTE.origin]);
    await renameWithKey(deps, NEW, 'newest');
    assert.deepEqual([begun().name, follow()().name], ['newest', 'old']);
    await deps.keys.remove({ ...ROUTE, name: 'newest' });
    assert.deepEqual(await keyOf(begun), { found: false, why: 'none' });
  });

  it('is not followed when it did not take place', async () => {
    const now = deps.keys.follow(ROUTE);
    names.clear();
    await rename();
    assert.equal(now().name, 'old');
  });

  it('is followed when the earlier key isn’t removed, once, however often that is tried', async () => {
    const [begun] = [deps.keys.follow(ROUTE)];
    failing.set('delete', 1);
    choice = 'Try Again';
    await rename();
    const later = deps.keys.follow(ROUTE);
    await pause(5);
    assert.deepEqual([begun().name, later().name, stored()], ['new', 'old', { 'k3.key.new': 'a-key' }]);
  });

  it('moves also a key for another address, and what is known of a lost one', async () => {
    const moved = { ...ROUTE, origin: 'https://b.example' };
    assert.equal(await renameWithKey(deps, moved, 'new'), 'new');
    assert.deepEqual(stored(), { 'k3.key.new': 'a-key' });
    assert.deepEqual(await deps.keys.find({ ...NEW, origin: moved.origin }), {
      found: false,
      why: 'other-origin',
    });
    secrets.clear();
    [names] = [new Set(['new'])];
    await renameWithKey(deps, NEW, 'newest');
    assert.deepEqual(await deps.keys.find({ ...ROUTE, name: 'newest' }), { found: false, why: 'lost' });
  });

  it('leaves no key of an earlier route to one that has none', async () => {
    await deps.keys.save(NEW, 'of-an-earlier-route');
    secrets.delete('k3.key.old');
    await rename();
    assert.deepEqual(stored(), {});
  });

  it('does nothing, and says so, when another window has made a route of that name, or removed this one', async () => {
    await deps.keys.save(NEW, 'its-own');
    names.add('new');
    assert.equal(await rename(), 'old');
    assert.deepEqual(stored(), { 'k3.key.old': 'a-key', 'k3.key.new': 'its-own' });
    names.clear();
    assert.equal(await rename(), 'old');
    assert.deepEqual(stored(), { 'k3.key.old': 'a-key', 'k3.key.new': 'its-own' });
    assert.deepEqual(shown, ['A route named “new” already exists.', 'The route was changed or removed.']);
  });

  it('gives the other route its key back when it is made in the last moment', async () => {
    await deps.keys.save(NEW, 'its-own');
    before = (operation) => void (operation === 'rename' && names.add('new'));
    assert.equal(await rename(), 'old');
    assert.deepEqual(stored(), { 'k3.key.old': 'a-key', 'k3.key.new': 'its-own' });
    assert.match(shown.join(), /already exists/);
  });

  for (const operation of ['get', 'store'])
    it(`doesn’t rename when the secret storage fails to ${operation}, and says so`, async () => {
      failing.set(operation, 1);
      assert.equal(await rename(), 'old');
      assert.deepEqual([stored(), [...names]], [{ 'k3.key.old': 'a-key' }, ['old']]);
      assert.match(shown.join(), /didn’t save the API key for route “new” \(Error: the keyring is locked\)/);
    });

  it('keeps both keys and says so when the earlier one isn’t removed, and removes it on request', async () => {
    failing.set('delete', 2);
    choice = 'Try Again';
    assert.equal(await rename(), 'new');
    await pause(5);
    assert.deepEqual(stored(), { 'k3.key.old': 'a-key', 'k3.key.new': 'a-key' });
    assert.equal(shown.length, 2);
    assert.match(shown[1] ?? '', /didn’t remove the API key of the name “old”/);
    failing.set('delete', 1);
    choice = 'Try Again';
    names = new Set(['old']);
    await renameWithKey(deps, ROUTE, 'newest');
    await pause(5);
    assert.deepEqual(stored(), { 'k3.key.new': 'a-key', 'k3.key.newest': 'a-key' });
  });

  it('leaves no copy when the settings can’t be written, and says so when it can’t be removed', async () => {
    failing.set('rename', 2);
    await assert.rejects(rename());
    assert.deepEqual([stored(), shown], [{ 'k3.key.old': 'a-key' }, []]);
    failing.set('delete', 1);
    await assert.rejects(rename());
    await pause(5);
    assert.match(shown.join(), /didn’t remove the API key of the name “new”/);
  });

  it('keeps the key with the route when only the active route can’t be written', async () => {
    before = (operation) => {
      if (operation === 'rename') names = new Set(['new']);
    };
    failing.set('rename', 1);
    await assert.rejects(rename());
    assert.deepEqual(stored(), { 'k3.key.new': 'a-key' });
  });

  describe('in two windows at once', () => {
    it('gives the key back when the other one has written the earlier name again', async () => {
      const now = deps.keys.follow(ROUTE);
      await rename();
      names = new Set(['old', 'other']);
      changes.fire();
      await pause(30);
      assert.deepEqual([stored(), shown, now().name], [{ 'k3.key.old': 'a-key' }, [], 'old']);
    });

    it('keeps a key that was saved for the earlier name since then', async () => {
      await rename();
      names = new Set(['old']);
      await deps.keys.save(ROUTE, 'newer');
      changes.fire();
      await pause(30);
      assert.deepEqual(stored(), { 'k3.key.old': 'newer', 'k3.key.new': 'a-key' });
      assert.match(shown.join(), /none is named “new” now/);
    });

    it('removes no key that the other one may not have found, and offers it', async () => {
      for (const [selected, left] of [
        [undefined, { 'k3.key.new': 'a-key' }],
        ['Remove Key', {}],
      ] as const) {
        names = new Set(['old']);
        secrets.clear();
        await deps.keys.save(ROUTE, 'a-key');
        await rename();
        choice = selected;
        names = new Set(['third']);
        changes.fire();
        await pause(30);
        assert.match(shown.at(-1) ?? '', /none is named “new” now/);
        assert.deepEqual(stored(), left);
      }
    });

    it('tells nothing of a route that this window renames or removes next', async () => {
      await rename();
      const next = renameWithKey(deps, NEW, 'newest');
      changes.fire();
      await next;
      changes.fire();
      await pause(30);
      assert.deepEqual([stored(), shown], [{ 'k3.key.newest': 'a-key' }, []]);
    });

    it('doesn’t watch the routes for longer than both windows can take', async () => {
      deps.times = { watch: 5, settle: 5 };
      await rename();
      await pause(20);
      names = new Set(['third']);
      changes.fire();
      await pause(30);
      assert.deepEqual([stored(), shown], [{ 'k3.key.new': 'a-key' }, []]);
    });
  });
});
