import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { window } from '../../../support/editorStub.ts';
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
