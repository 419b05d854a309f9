import assert from 'node:assert/strict';
import * as v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, it } from 'mocha';
import { type FileProposal, toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { EventEmitter, Uri } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { withoutDone } = await withEditorStub(() => import('../../../../src/editor/findings/doneFindings.ts'));

const URI = 'file:///a.ts';

describe('A finding whose edit was accepted', () => {
  const changed = new EventEmitter<{ readonly turnIds: readonly string[] }>();
  let proposals = 0;
  let files: readonly FileProposal[] = [];
  beforeEach(() => {
    proposals++;
  });
  const propose = (after: string) =>
    toFileProposal({
      ...{ uri: URI, label: 'a.ts', isNew: false, before: 'one\ntwo\n', after },
      ...{ asked: undefined, unplaced: [] },
    });
  const accepted = (file: FileProposal): FileProposal => ({
    ...file,
    hunks: file.hunks.map((one) => ({ ...one, state: 'accepted' as const })),
  });

  function listed(): readonly string[] {
    changed.fire({ turnIds: ['t'] });
    return findings.list().map(({ id }) => id);
  }
  const finding = { severity: 'error', claim: 'No.', evidence: 'one', edit: { find: 'one', replace: 'ONE' } };
  const open = { id: 'f', turnId: 't', conversationId: 'c', uri: Uri.parse(URI), startLine: 0, endLine: 0 };
  const findings = withoutDone(
    {
      list: () => [{ ...open, finding, stale: false }],
      onDidChange: changed.event,
      placementsOf: () => [],
      dispose: () => undefined,
    } as never,
    {
      ofTurn: () => [{ id: `p${proposals}`, files }],
      onDidChange: changed.event,
    } as never,
  );

  it('is left out until that is undone', () => {
    const file = propose('ONE\ntwo\n');
    files = [file];
    assert.deepEqual(listed(), ['f']);
    files = [accepted(file)];
    assert.deepEqual(listed(), []);
    files = [file];
    assert.deepEqual(listed(), ['f']);
  });

  it('is listed again when a later proposal has put its lines back', () => {
    const file = accepted(propose('ONE\ntwo\n'));
    files = [file];
    assert.deepEqual(listed(), []);
    files = [{ ...file, hunks: file.hunks.map((one) => ({ ...one, putBack: true })) }];
    assert.deepEqual(listed(), ['f']);
  });

  it('is left out as well if undo has accepted it after another proposal had replaced it', () => {
    files = [{ ...accepted(propose('ONE\ntwo\n')), replacedBy: 'other' }];
    assert.deepEqual(listed(), []);
  });

  it('is looked for again in the hunks of a proposal that have changed', () => {
    files = [accepted(propose('one\nTWO\n'))];
    assert.deepEqual(listed(), ['f']);
    files = [accepted(propose('ONE\ntwo\n'))];
    assert.deepEqual(listed(), []);
  });

  it('leaves no hunks behind in which it was looked for, when it is gone', async () => {
    let left: readonly unknown[] = [{ ...open, finding: { ...finding, edit: { ...finding.edit } } }];
    let files: readonly FileProposal[] = [accepted(propose('ONE\ntwo\n'))];
    const others = withoutDone(
      { list: () => left, onDidChange: new EventEmitter().event, placementsOf: () => undefined } as never,
      { ofTurn: () => [{ id: 'p', files }], onDidChange: new EventEmitter().event } as never,
    );
    assert.deepEqual(others.list(), []);
    const hunks = new WeakRef(files[0]?.hunks ?? []);
    left = [];
    files = [];
    await new Promise(setImmediate);
    v8.setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    assert.equal(hunks.deref(), undefined);
  });
});
