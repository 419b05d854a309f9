import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { describeSettingProblem } = await withEditorStub(
  () => import('../../../../src/editor/wording/refusalWords.ts'),
);

describe('What is wrong with a setting', () => {
  it('is said without the password of an address, also of a proxy that is no text, and without what JavaScript calls an object', () => {
    const value = String(['http://user:secret@proxy.example:8080']);
    const cap = describeSettingProblem({
      setting: 'k3.dailyCap',
      problem: 'not-a-number',
      value: String({}),
    });
    assert.equal(cap, 'k3.dailyCap must be a number of 0 or more, not {…}.');
    for (const setting of ['k3.routes.a.baseUrl', 'k3.routes.a.network.proxy']) {
      const said = describeSettingProblem({ setting, problem: 'not-text', value });
      assert.equal(said, `${setting} must be a string, not http://…@proxy.example:8080.`);
    }
  });

  it('is said of an empty name of a route where there are several, and of one that no route has', () => {
    const said = ['', 'old'].map((value) =>
      describeSettingProblem({ setting: 'k3.route', problem: 'unknown-route', value }),
    );
    assert.deepEqual(said, [
      'k3.route is empty, and k3.routes has several routes. Run “K3: Switch Route…”.',
      'k3.route is “old”, but k3.routes has no route with that name. Run “K3: Switch Route…”.',
    ]);
  });
});
