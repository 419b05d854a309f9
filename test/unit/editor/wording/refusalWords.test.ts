import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { describeSettingProblem } = await withEditorStub(
  () => import('../../../../src/editor/wording/refusalWords.ts'),
);

describe('What is wrong with a setting', () => {
  it('is said without the password of an address, also of a proxy that is no text', () => {
    const value = String(['http://user:secret@proxy.example:8080']);
    for (const setting of ['k3.routes.a.baseUrl', 'k3.routes.a.network.proxy']) {
      const said = describeSettingProblem({ setting, problem: 'not-text', value });
      assert.equal(said, `${setting} must be a string, not http://…@proxy.example:8080.`);
    }
  });
});
