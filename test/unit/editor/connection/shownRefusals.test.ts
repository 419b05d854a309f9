import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands, window, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { ROUTE } from '../../service/wire.ts';

const { showNoRoute, showRefusal } = await withEditorStub(
  () => import('../../../../src/editor/connection/shownRefusals.ts'),
);

describe('A command on the active route, when there is none', () => {
  const originals = [
    [workspace, { ...workspace }],
    [window, { ...window }],
    [commands, { ...commands }],
  ] as const;
  afterEach(() => {
    for (const [stub, original] of originals) Object.assign(stub, original);
  });

  /** What is said, and what one of its buttons runs, by default the first one. */
  async function shown(
    ofUser: Readonly<Record<string, unknown>>,
    show: () => Promise<void> = showNoRoute,
    chosen?: string,
  ): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    Object.assign(workspace, {
      getConfiguration: () => ({
        get: (name: string) => ofUser[name],
        inspect: (name: string) => ({ key: name, globalValue: ofUser[name] }),
      }),
    });
    Object.assign(window, {
      async showWarningMessage(message: string, ...buttons: string[]) {
        seen.push(message);
        return chosen === undefined ? buttons[0] : buttons.find((one) => one === chosen);
      },
    });
    Object.assign(commands, { executeCommand: async (...run: unknown[]) => void seen.push(run.join(' ')) });
    await show();
    return seen;
  }

  const route = { kind: 'direct', baseUrl: 'https://service.example' };
  const settings = 'workbench.action.openSettings';

  it('names k3.route when none of several routes is active', async () => {
    assert.deepEqual(await shown({ routes: { a: route, b: route } }), [
      'k3.route is empty, and k3.routes has several routes. Run “K3: Switch Route…”.',
      `${settings} k3.route`,
    ]);
  });

  it('names what is wrong with the only route', async () => {
    const [said, ran] = await shown({ routes: { a: { ...route, baseUrl: 'ftp://service.example' } } });
    assert.match(String(said), /^k3\.routes\.a\.baseUrl: /);
    assert.equal(ran, `${settings} k3.routes.a.baseUrl`);
  });

  it('offers to add a route when there is none at all', async () => {
    assert.deepEqual(await shown({}), ['There is no route yet. Add a route or try the demo.', 'k3.addRoute']);
  });

  it('offers all that it says: the demo, too, and to switch to one of several routes', async () => {
    const [, demo] = await shown({}, showNoRoute, 'Try the Demo (No Key)');
    const [, other] = await shown({ routes: { a: route, b: route } }, showNoRoute, 'Switch Route…');
    assert.deepEqual([demo, other], ['k3.tryDemo', 'k3.switchRoute']);
  });

  it('asks for the key of the route that had none, whichever is active when the button is selected', async () => {
    const refusal = { kind: 'no-key', route: { ...ROUTE, name: 'a' }, why: 'none' } as const;
    const [said, ran] = await shown({ routes: { a: route, b: route }, route: 'b' }, () =>
      showRefusal(refusal),
    );
    assert.match(String(said), /^Route “a” has no API key/);
    assert.equal(ran, 'k3.setKey a');
  });
});
