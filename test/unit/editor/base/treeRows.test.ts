import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { EventEmitter, registered } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerRowCommand, registerRowKeys } = await withEditorStub(
  () => import('../../../../src/editor/base/treeRows.ts'),
);
describe('The command of a row', () => {
  const view: { selection: readonly string[] } = { selection: [] };
  let run: readonly string[];
  const select = () => (registered.get('_k3.row') as () => Promise<void>)();
  beforeEach(() => {
    run = [];
    registerRowCommand('_k3.row', view, (row) => {
      run = [...run, row];
    });
  });

  it('runs with the row that is selected', async () => {
    view.selection = ['a'];
    await select();
    assert.deepEqual(run, ['a']);
  });

  it('waits for the selected row while the editor asks for the rows again', async () => {
    view.selection = [];
    const selecting = select();
    view.selection = ['b'];
    await selecting;
    assert.deepEqual(run, ['b']);
  });
});

describe('A key for the row that has the focus', () => {
  const changes = new EventEmitter<{ readonly selection: readonly string[] }>();
  const view = { selection: [] as readonly string[], onDidChangeSelection: changes.event as never };
  let run: (readonly [string, unknown])[];
  beforeEach(() => {
    run = [];
    registerRowKeys({ begin: '_k3.begin', end: '_k3.end' }, view, (row, what) => void run.push([row, what]));
  });

  const select = (...selection: readonly string[]) => {
    view.selection = selection;
    changes.fire({ selection });
  };
  const call = (command: string, what?: string) =>
    (registered.get(command) as (what?: string) => Promise<void>)(what);
  /** What the keybinding runs, with what toggling the selection of the row does twice. */
  async function press(...toggles: readonly (readonly string[])[]): Promise<void> {
    await call('_k3.begin');
    for (const selection of toggles) select(...selection);
    await call('_k3.end', 'delete');
  }

  it('acts on that row, not on the one that is selected', async () => {
    select('a');
    await press(['a', 'b'], ['a']);
    await press([], ['a']);
    select();
    await press(['c'], []);
    assert.deepEqual(run, [
      ['b', 'delete'],
      ['a', 'delete'],
      ['c', 'delete'],
    ]);
  });

  it('does nothing when no row has the focus, whatever was selected before', async () => {
    select('a');
    select();
    await press();
    select('a');
    await press();
    assert.deepEqual(run, []);
  });
});
