/** Add Route, with inputs that are answered at once. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { AddRouteDeps } from '../../../../src/editor/connection/addRoute.ts';
import { type AnsweredInput, answerInputs } from '../../../support/answeredInputs.ts';
import { window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { type Reply, scripted } from '../../service/wire.ts';

const { addRoute } = await withEditorStub(() => import('../../../../src/editor/connection/addRoute.ts'));

const LISTED: Reply = { body: '{"data":[{"id":"svc-k3"}]}' };

describe('Add Route', () => {
  restoreAfterEach(window, workspace);
  let ofUser: Record<string, unknown>;
  let asked: readonly AnsweredInput[];
  let said: string[];
  let steps: string[];
  let saved: (readonly [name: string, key: string])[];
  let deps: AddRouteDeps;
  /** Called before a setting is written. */
  let before: (name: string) => void;

  beforeEach(() => {
    ofUser = {};
    before = () => undefined;
    [said, steps, saved] = [[], [], []];
    const told = async (message: string) => void said.push(message);
    Object.assign(window, { showErrorMessage: told, showInformationMessage: told });
    Object.assign(workspace, {
      getConfiguration: () => ({
        get: (name: string) => ofUser[name],
        inspect: (name: string) => ({ key: name, globalValue: ofUser[name] }),
        async update(name: string, value: unknown) {
          before(name);
          ofUser[name] = value;
        },
      }),
    });
    deps = {
      keys: {
        find: async () => ({ found: false, why: 'none' }),
        save: async ({ name }: { name: string }, key: string) => void saved.push([name, key]),
      } as never,
      transports: { for: async () => scripted(LISTED, LISTED) },
      walkthrough: { done: (step) => void steps.push(step) },
      log: { warn: assert.fail },
    };
  });

  it('adds the route, also if its key can’t be saved, which the user is told', async () => {
    const keys = { ...deps.keys, save: () => Promise.reject(new Error('no keyring')) };
    asked = answerInputs('Direct', 'https://k3.example', 'work', 'sk-new');
    assert.equal(await addRoute({ ...deps, keys }), true);
    assert.deepEqual(ofUser, {
      routes: { work: { kind: 'direct', baseUrl: 'https://k3.example/v1' } },
      route: 'work',
    });
    assert.match(said[0] ?? '', /didn’t save the API key for route “work” \(Error: no keyring\)/);
    assert.match(said[1] ?? '', /^Route “work” was added/);
  });

  it('adds https:// to an address without a scheme, which is often copied like that', async () => {
    answerInputs('Direct', 'k3.example/v1', 'work', 'sk-new');
    assert.equal(await addRoute(deps), true);
    assert.deepEqual(ofUser['routes'], { work: { kind: 'direct', baseUrl: 'https://k3.example/v1' } });
  });

  it('keeps no key for a route that can’t be written to the settings, and the key of one that only can’t be activated', async () => {
    const fail = () => {
      throw new Error('Unable to write into user settings.');
    };
    before = fail;
    answerInputs('Direct', 'https://k3.example', 'work', 'sk-new');
    await assert.rejects(addRoute(deps), /Unable to write/);
    assert.deepEqual([ofUser, saved], [{}, []]);
    before = (name) => (name === 'route' ? fail() : undefined);
    answerInputs('Direct', 'https://k3.example', 'work', 'sk-new');
    await assert.rejects(addRoute(deps), /Unable to write/);
    assert.deepEqual([Object.keys(ofUser), saved], [['routes'], [['work', 'sk-new']]]);
  });

  for (const status of [401, 403])
    it(`doesn’t ask for another key after a web page with ${status}, which says nothing about the key`, async () => {
      const page = { status, body: '<html>Attention Required!</html>' };
      deps = { ...deps, transports: { for: async () => scripted(page) } };
      asked = answerInputs(
        ...['Direct', 'https://k3.example', 'work', 'sk-new', 'Change the Address', 'https://other.example'],
      );
      assert.equal(await addRoute(deps), false);
      assert.deepEqual(
        asked.slice(4).map(({ title }) => title),
        ['Add Route: Access denied', 'Add Route (2 of 4): Address', 'Add Route (3 of 4): Name'],
      );
    });

  it('refuses the name of a route that can’t be used when it is entered, not after the test without a word', async () => {
    const broken = { kind: 'direct', baseUrl: 'ftp://k3.example' };
    ofUser = { routes: { work: broken } };
    asked = answerInputs('Direct', 'https://k3.example', 'work');
    assert.equal(await addRoute(deps), false);
    assert.deepEqual(
      asked.map(({ title }) => title.slice(0, 18)),
      ['Add Route (1 of 4)', 'Add Route (2 of 4)', 'Add Route (3 of 4)'],
    );
    assert.deepEqual(ofUser, { routes: { work: broken } });
  });

  it('keeps the key that was entered when the name is taken meanwhile, and not for another address', async () => {
    const theirs = { kind: 'gateway', baseUrl: 'https://theirs.example/v1' };
    deps = {
      ...deps,
      transports: {
        for: async () => {
          ofUser['routes'] = { work: theirs };
          return scripted(LISTED);
        },
      },
    };
    asked = answerInputs('Direct', 'https://k3.example', 'work', 'sk-new', 'mine', undefined);
    assert.equal(await addRoute(deps), true);
    assert.deepEqual([asked[5]?.value, saved], ['sk-new', [['mine', 'sk-new']]]);

    [saved, ofUser] = [[], {}];
    const refused = { ...deps, transports: { for: async () => scripted({ status: 302 }) } };
    asked = answerInputs(
      'Direct',
      'https://k3.example',
      'work',
      'sk-new',
      'Change the Address',
      'https://other.example',
      'work',
      undefined,
    );
    assert.equal(await addRoute(refused), true);
    assert.deepEqual([asked[7]?.value, saved], ['', []]);
  });

  it('suggests the name of the address that is added, also after a first one with a typing error, and keeps a name that was entered', async () => {
    const moved: Reply = { status: 302 };
    const wrong = ['Direct', 'https://api.exmaple-k3.test', undefined, 'sk-old', 'Change the Address'];
    deps = {
      ...deps,
      transports: { for: async ({ origin }) => scripted(origin.includes('exmaple') ? moved : LISTED) },
    };
    asked = answerInputs(...wrong, 'https://api.example-k3.test', undefined, 'sk-new');
    assert.equal(await addRoute(deps), true);
    assert.deepEqual([asked[2]?.value, asked[6]?.value, asked[7]?.value], ['exmaple-k3', 'example-k3', '']);
    assert.deepEqual(saved, [['example-k3', 'sk-new']]);

    const named = ['Direct', 'https://api.exmaple-k3.test', 'work', 'sk-old', 'Change the Address'];
    asked = answerInputs(...named, 'https://api.example-k3.test', undefined, 'sk-new');
    assert.equal(await addRoute(deps), true);
    assert.equal(asked[6]?.value, 'work');
  });

  it('keeps the key that was entered if its address has another path only', async () => {
    const moved: Reply = { status: 302 };
    const replies = [moved, LISTED];
    deps = { ...deps, transports: { for: async () => scripted(replies.shift() ?? LISTED) } };
    const first = ['Gateway', 'https://k3.example/typo', 'work', 'sk-new', 'Change the Address'];
    asked = answerInputs(...first, 'https://k3.example/llm', undefined, undefined);
    assert.equal(await addRoute(deps), true);
    assert.deepEqual([asked[7]?.value, saved], ['sk-new', [['work', 'sk-new']]]);
  });
});
