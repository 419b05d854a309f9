import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseBaseAddress } from '../../../../src/service/address.ts';
import type { Route } from '../../../../src/service/types.ts';
import { window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { setKey } = await withEditorStub(() => import('../../../../src/editor/connection/keyInput.ts'));

describe('The input for the key of a route', () => {
  restoreAfterEach(window);

  async function placeHolderOf(found: object): Promise<string | undefined> {
    let shown: { readonly placeHolder?: string } = {};
    const showInputBox = async (options: typeof shown) => {
      shown = options;
    };
    Object.assign(window, { showInputBox });
    const route = { name: 'work', kind: 'direct', origin: 'https://k3.example' };
    assert.equal(await setKey({ find: async () => found } as never, route as never), false);
    return shown.placeHolder;
  }

  it('says where the key that is there was found, and nothing when there is none', async () => {
    const key = 'k';
    assert.equal(await placeHolderOf({ found: true, key, source: 'stored' }), 'found in: secret storage');
    assert.equal(await placeHolderOf({ found: true, key, source: 'environment' }), 'found in: K3_API_KEY');
    assert.equal(await placeHolderOf({ found: false, why: 'missing' }), undefined);
  });
});

describe('A key that is entered', () => {
  restoreAfterEach(window, workspace);
  const parsed = parseBaseAddress('https://k3.example');
  assert.ok(parsed.ok);
  const route: Route = { name: 'work', kind: 'direct', model: 'svc-k3', ...parsed };

  /** What is saved and said when the routes are these by the time at which it was entered. */
  async function enter(
    routes: object,
  ): Promise<readonly [saved: readonly string[], said: readonly string[]]> {
    const [saved, said]: [string[], string[]] = [[], []];
    let ofUser: object = { work: { kind: 'direct', baseUrl: 'https://k3.example' } };
    Object.assign(workspace, {
      getConfiguration: () => ({
        get: () => undefined,
        inspect: (name: string) => ({ key: name, globalValue: name === 'routes' ? ofUser : undefined }),
      }),
    });
    Object.assign(window, {
      async showInputBox() {
        ofUser = routes;
        return 'sk-new';
      },
      showWarningMessage: async (message: string) => void said.push(message),
    });
    const keys = {
      find: async () => ({ found: false, why: 'none' }),
      save: async (_: Route, key: string) => void saved.push(key),
    };
    assert.equal(await setKey(keys as never, route), saved.length > 0);
    return [saved, said];
  }

  it('is not saved where nobody looks for it when its route is gone or leads elsewhere meanwhile', async () => {
    const gone = [[], ['The route was changed or removed.']];
    assert.deepEqual(await enter({ renamed: { kind: 'direct', baseUrl: 'https://k3.example' } }), gone);
    assert.deepEqual(await enter({}), gone);
    assert.deepEqual(await enter({ work: { kind: 'direct', baseUrl: 'https://other.example' } }), gone);
    const same = { work: { kind: 'gateway', baseUrl: 'https://k3.example/other/v1' } };
    assert.deepEqual(await enter(same), [['sk-new'], []]);
  });
});
