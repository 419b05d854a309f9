/** The routes in the settings, which another window writes as well. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { EventEmitter, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { changeRoute, removeRoute, renameRoute, writeRoute } = await withEditorStub(
  () => import('../../../../src/editor/settings/routeSettings.ts'),
);

const toRoute = (host: string) => ({ kind: 'direct', baseUrl: `https://${host}.test/v1` });
const [ONE, TWO, THREE] = ['one', 'two', 'three'].map(toRoute);

describe('A change of the routes', () => {
  restoreAfterEach(workspace, window);
  let routes: object;
  let writes: number;
  let changed: EventEmitter<object>;

  beforeEach(() => {
    [routes, writes] = [{ one: ONE, two: TWO }, 0];
    changed = new EventEmitter();
    Object.assign(workspace, {
      onDidChangeConfiguration: changed.event,
      getConfiguration: () => ({
        get: () => undefined,
        inspect: (name: string) => ({ key: name, globalValue: name === 'routes' ? routes : '' }),
        async update(name: string, value: object) {
          writes++;
          if (name === 'routes') read(value);
        },
      }),
    });
  });

  /** The settings are these now, whoever wrote them. */
  function read(value: object): void {
    routes = value;
    changed.fire({ affectsConfiguration: () => true });
  }
  const written = () => new Promise((resolve) => void setImmediate(resolve));

  for (const [what, change, expected] of [
    ['added', () => writeRoute('mine', toRoute('mine')), { one: ONE, two: TWO, mine: toRoute('mine') }],
    ['removed', () => removeRoute('two'), { one: ONE }],
    ['renamed', () => renameRoute('two', 'mine'), { one: ONE, mine: TWO }],
    ['changed', () => changeRoute('two', { model: 'other' }), { one: ONE, two: { ...TWO, model: 'other' } }],
  ] as const)
    it(`is made again when another window has written all as they were before: ${what}`, async () => {
      await change();
      read({ one: ONE, two: TWO, three: THREE });
      await written();
      assert.deepEqual(routes, { ...expected, three: THREE });
    });

  it('leaves a route that is renamed again at its place', async () => {
    await renameRoute('one', 'mine');
    read({ one: ONE, two: TWO, three: THREE });
    await written();
    assert.deepEqual(Object.keys(routes), ['mine', 'two', 'three']);
  });

  it('leaves a route with the name that another window has given it at the same time, and only that', async () => {
    for (const now of [
      { one: ONE, theirs: TWO, three: THREE },
      { one: ONE, two: ONE, three: THREE },
    ]) {
      read({ one: ONE, two: TWO });
      await renameRoute('two', 'mine');
      read(now);
      await written();
      assert.deepEqual(routes, now);
    }
  });

  it('says so when it can’t be made again', async () => {
    const told: string[] = [];
    Object.assign(window, { showErrorMessage: async (message: string) => void told.push(message) });
    await writeRoute('mine', toRoute('mine'));
    const { getConfiguration } = workspace as unknown as { getConfiguration: () => object };
    const update = () => Promise.reject(new Error('The settings file has a syntax error.'));
    Object.assign(workspace, { getConfiguration: () => ({ ...getConfiguration(), update }) });
    read({ one: ONE, two: TWO, three: THREE });
    await written();
    assert.deepEqual(told, ['The settings file has a syntax error.']);
  });

  it('is not made again when it was only undone, or when there is more than it', async () => {
    await writeRoute('mine', toRoute('mine'));
    const before = writes;
    read({ one: ONE, two: TWO, mine: toRoute('mine'), three: THREE });
    read({ one: ONE, two: TWO, three: THREE });
    await written();
    assert.deepEqual([routes, writes], [{ one: ONE, two: TWO, three: THREE }, before]);
    await removeRoute('two');
    read({ one: ONE, two: TWO, three: THREE });
    read({ one: ONE, two: TWO });
    await written();
    assert.deepEqual([routes, writes], [{ one: ONE, two: TWO }, before + 1]);
  });

  it('is not made again after this window has renamed the route', async () => {
    await writeRoute('mine', toRoute('mine'));
    assert.equal(await renameRoute('mine', 'yours'), 'renamed');
    await written();
    assert.deepEqual(routes, { one: ONE, two: TWO, yours: toRoute('mine') });
  });
});
