import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { registered } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerRowCommand } = await withEditorStub(() => import('../../../../src/editor/base/treeRows.ts'));
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
