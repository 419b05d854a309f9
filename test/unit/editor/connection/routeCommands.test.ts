import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Routes } from '../../../../src/editor/connection/routes.ts';
import { parseBaseAddress } from '../../../../src/service/address.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { answerInputs } from '../../../support/answeredInputs.ts';
import {
  CancellationTokenSource,
  EventEmitter,
  registered,
  window,
  workspace,
} from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { scripted } from '../../service/wire.ts';

const { createRoutes, registerRouteCommands } = await withEditorStub(async () => ({
  // It is loaded when one of the commands is first run.
  ...(await import('../../../../src/editor/connection/connectionParts.ts')),
  ...(await import('../../../../src/editor/connection/routeCommands.ts')),
  ...(await import('../../../../src/editor/connection/routes.ts')),
}));

const run = (command: string, ...values: unknown[]): unknown =>
  Reflect.apply(registered.get(command) ?? assert.fail(command), undefined, values);

const demoAt = parseBaseAddress('http://127.0.0.1:9');
assert.ok(demoAt.ok);
const DEMO = { route: { name: 'Demo', kind: 'direct', model: 'svc-k3', ...demoAt }, key: 'demo' } as const;
const ROUTE = { kind: 'direct', baseUrl: 'https://k3.example' };

describe('A command on routes', () => {
  restoreAfterEach(window, workspace);
  let ofUser: Record<string, unknown>;
  let said: string[];
  let routes: Routes;
  /** Called before a setting is written. */
  let before: () => void;

  beforeEach(() => {
    [ofUser, said, before] = [{}, [], () => undefined];
    const changes = new EventEmitter<{ affectsConfiguration(name: string): boolean }>();
    const tell = async (message: string) => void said.push(message);
    Object.assign(window, {
      showInformationMessage: tell,
      showWarningMessage: tell,
      showInputBox: async () => 'sk-of-another',
    });
    Object.assign(workspace, {
      onDidChangeConfiguration: changes.event,
      getConfiguration: () => ({
        get: (name: string) => ofUser[name],
        inspect: (name: string) => ({ key: name, globalValue: ofUser[name] }),
        async update(name: string, value: unknown) {
          before();
          if (JSON.stringify(ofUser[name]) === JSON.stringify(value)) return;
          ofUser[name] = value;
          changes.fire({ affectsConfiguration: (about) => `k3.${name}` === about || about === 'k3' });
        },
      }),
    });
    routes = createRoutes();
  });
  afterEach(() => routes.dispose());

  const register = (more: object = {}) =>
    registerRouteCommands({
      routes,
      keys: { onDidReplace: () => undefined, find: async () => ({ found: false, why: 'none' }) },
      transports: { for: async () => scripted({ body: '{"data":[{"id":"svc-k3"}]}' }) },
      walkthrough: { done: () => undefined },
      log: { warn: assert.fail },
      ...more,
    } as never);

  it('asks for no key of another route when the one that a button names is gone', async () => {
    ofUser = { routes: { other: ROUTE }, route: 'other' };
    const save = async () => assert.fail('the key of another route was replaced');
    register({ keys: { onDidReplace: () => undefined, find: async () => ({ found: false }), save } });
    assert.equal(await run('k3.setKey', 'gone'), undefined);
    assert.deepEqual(said, ['The route was changed or removed.']);
  });

  it('says that a key was removed if one was stored, not when the command is run again', async () => {
    ofUser = { routes: { one: ROUTE }, route: 'one' };
    let isStored = true;
    const keys = {
      onDidReplace: () => undefined,
      isStored: async () => isStored,
      async clear() {
        isStored = false;
      },
      find: async () => ({ found: true, source: 'environment', key: 'sk-environment' }),
    };
    register({ keys });
    await run('k3.clearKey');
    await run('k3.clearKey');
    assert.deepEqual(said, [
      'The API key for route “one” was removed from secret storage. The key in the environment variable K3_API_KEY will be used instead.',
      'No API key is stored for route “one”. The key in the environment variable K3_API_KEY is used.',
    ]);
  });

  it('removes a key also if the secret storage can’t be read', async () => {
    ofUser = { routes: { one: ROUTE }, route: 'one' };
    const keys = {
      onDidReplace: () => undefined,
      isStored: () => Promise.reject(new Error('locked')),
      clear: async () => undefined,
      find: async () => ({ found: false, why: 'none' }),
    };
    register({ keys });
    await run('k3.clearKey');
    assert.deepEqual(said, ['The API key for route “one” was removed from secret storage.']);
  });

  it('checks a connection once when it is run again meanwhile, because each check is billed', async () => {
    ofUser = { routes: { one: ROUTE, other: ROUTE }, route: 'one' };
    const refused = createDeferred<unknown>();
    let checks = 0;
    const prepare = () => {
      checks++;
      return refused.promise;
    };
    Object.assign(window, {
      withProgress: (_: unknown, act: (...all: unknown[]) => unknown) =>
        act({ report: () => undefined }, new CancellationTokenSource().token),
    });
    register({ turns: { prepare } });
    const first = Promise.all([run('k3.checkConnection'), run('k3.checkConnection')]);
    await setImmediate();
    assert.equal(checks, 1);
    ofUser['route'] = 'other';
    const other = run('k3.checkConnection');
    await setImmediate();
    assert.equal(checks, 2);
    refused.resolve({ ok: false, refusal: { kind: 'transport', message: 'It failed.' } });
    await Promise.all([first, other]);
    await run('k3.checkConnection');
    assert.equal(checks, 3);
  });

  it('checks the connection of the route that a card names, not of another one that is active', async () => {
    ofUser = { routes: { one: ROUTE, other: ROUTE }, route: 'one' };
    const checked: unknown[] = [];
    Object.assign(window, {
      withProgress: (_: unknown, act: (...all: unknown[]) => unknown) =>
        act({ report: () => undefined }, new CancellationTokenSource().token),
    });
    const prepare = async ({ routeName }: { routeName?: string }) => {
      checked.push(routeName);
      return { ok: false, refusal: { kind: 'transport', message: 'It failed.' } };
    };
    register({ turns: { prepare } });
    await run('k3.checkConnection', 'other');
    await run('k3.checkConnection');
    assert.deepEqual(checked, ['other', undefined]);
    await run('k3.checkConnection', 'gone');
    assert.deepEqual([checked.length, said.at(-1)], [2, 'The route was changed or removed.']);
  });

  it('begins at the active route in the list, as lists of the editor do, also in that of routes to edit', async () => {
    ofUser = { routes: { one: ROUTE, other: ROUTE }, route: 'other' };
    register({ probes: { of: () => undefined } });
    const shown = answerInputs(undefined);
    assert.equal(await run('k3.switchRoute'), true);
    assert.equal(ofUser['route'], 'other');
    const edited = answerInputs(undefined);
    await run('k3.editRoutes');
    assert.deepEqual(
      [...shown, ...edited].map(({ title }) => title),
      ['Switch Route', 'Edit Routes', 'Edit Route: other'],
    );
  });

  it('ends the demo when the chosen route is the active one, so that nothing is sent to the one before', async () => {
    ofUser = { routes: { before: ROUTE, chosen: ROUTE }, route: 'before' };
    register();
    routes.useDemo(DEMO);
    const used: unknown[] = [];
    before = () => void used.push(routes.active()?.route.name);
    Object.assign(window, {
      showQuickPick: async (items: readonly { readonly name?: string }[]) =>
        items.find(({ name }) => name === 'chosen'),
    });
    assert.equal(await run('k3.switchRoute'), true);
    assert.deepEqual([used, routes.active()?.route.name], [['Demo'], 'chosen']);
  });

  it('keeps the active route when the one that is chosen is gone meanwhile, and says so', async () => {
    ofUser = { routes: { before: ROUTE, chosen: ROUTE }, route: 'before' };
    register();
    Object.assign(window, {
      async showQuickPick(items: readonly { readonly name?: string }[]) {
        ofUser['routes'] = { before: ROUTE, renamed: ROUTE };
        return items.find(({ name }) => name === 'chosen');
      },
    });
    const chosen = () => assert.fail('it was not chosen');
    assert.equal(await run('k3.switchRoute', chosen), false);
    assert.deepEqual([ofUser['route'], said], ['before', ['The route was changed or removed.']]);
  });

  it('ends the demo when a route is added, also if its name was that of the active one before', async () => {
    ofUser = { route: 'work' };
    register();
    routes.useDemo(DEMO);
    answerInputs('Direct', 'https://k3.example', 'work', '');
    assert.equal(await run('k3.addRoute'), true);
    assert.deepEqual([routes.active()?.route.name, routes.active()?.demoKey], ['work', undefined]);
    assert.match(said.join(), /“work” was added and is now active/);
  });
});
