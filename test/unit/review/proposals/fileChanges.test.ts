import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  withClosed,
  withGone,
  withMissing,
  withRenamed,
  withTextNow,
} from '../../../../src/review/proposals/fileChanges.ts';
import { type Proposal, toFileProposal } from '../../../../src/review/proposals/proposal.ts';

const fileAt = (uri: string, label: string) =>
  toFileProposal({ uri, label, isNew: false, before: 'a\n', after: 'b\n', asked: undefined, unplaced: [] });

const proposal: Proposal = {
  id: 'p',
  turnId: 't',
  conversationId: 'c',
  createdAt: 0,
  files: [fileAt('file:///w/old/a%20b.ts', 'old/a b.ts'), fileAt('file:///w/older/c.ts', 'older/c.ts')],
  trouble: undefined,
  revises: undefined,
};

const namesOf = ({ files }: Proposal) => files.map(({ uri, label }) => `${uri} ${label}`);

describe('A proposal whose files change outside', () => {
  it('follows the rename of a file, or of a folder above it', () => {
    assert.deepEqual(namesOf(withRenamed(proposal, 'file:///w/old', 'file:///w/new', 'new')), [
      'file:///w/new/a%20b.ts new/a b.ts',
      'file:///w/older/c.ts older/c.ts',
    ]);
    const one = withRenamed(proposal, 'file:///w/older/c.ts', 'file:///w/d.ts', 'd.ts');
    assert.equal(namesOf(one)[1], 'file:///w/d.ts d.ts');
  });

  it('drops the changes of a file that another one of it replaces', () => {
    const replaced = withRenamed(proposal, 'file:///w/old/a%20b.ts', 'file:///w/older/c.ts', 'older/c.ts');
    assert.deepEqual(namesOf(replaced), ['file:///w/older/c.ts older/c.ts']);
    assert.equal(replaced.files[0]?.hunks, proposal.files[0]?.hunks);
    const folder = withRenamed(
      { ...proposal, files: [...proposal.files, fileAt('file:///w/older/a%20b.ts', 'older/a b.ts')] },
      'file:///w/old',
      'file:///w/older',
      'older',
    );
    assert.deepEqual(namesOf(folder), [
      'file:///w/older/a%20b.ts older/a b.ts',
      'file:///w/older/c.ts older/c.ts',
    ]);
    const same = withRenamed(proposal, 'file:///w/old', 'file:///w/old', 'old');
    assert.deepEqual(namesOf(same), namesOf(proposal));
  });

  it('is the same object when none of its files is renamed', () => {
    assert.equal(withRenamed(proposal, 'file:///w/ol', 'file:///w/new', 'new'), proposal);
  });

  it('finds a file again that was renamed after it was missed at its old place', () => {
    const [first] = proposal.files;
    assert.ok(first);
    const missed = { ...proposal, files: [withMissing(first, true)] };
    assert.equal(withRenamed(missed, 'file:///w/old', 'file:///w/new', 'new').files[0]?.missing, false);
  });

  it('marks a deleted file until it is back, but never one that it creates', () => {
    const [first] = proposal.files;
    assert.ok(first);
    const missed = withMissing(first, true);
    assert.equal(missed.missing, true);
    assert.deepEqual(missed.hunks, first.hunks);
    assert.equal(withMissing(missed, false).missing, false);
    assert.equal(withMissing(first, false), first);
    const fresh = { ...first, isNew: true };
    assert.equal(withMissing(fresh, true), fresh);
  });

  it('fits the text that a file has now, also one that someone else has created', () => {
    const [first] = proposal.files;
    assert.ok(first);
    assert.equal(withTextNow(first, 'x\na\n').hunks[0]?.from, 2);
    const fresh = toFileProposal({ ...first, isNew: true, before: '', after: 'b\n' });
    const created = withTextNow(fresh, 'theirs\n');
    assert.equal(created.isNew, false);
    assert.deepEqual(
      created.hunks.map(({ state }) => state),
      ['open'],
    );
  });

  it('keeps its hunks of an untitled document that was closed, but not for another one of its name', () => {
    const [first] = proposal.files;
    assert.ok(first);
    const untitled = { ...proposal, files: [{ ...first, uri: 'untitled:Untitled-1' }] };
    const [closed] = withClosed(untitled, 'untitled:Untitled-1', 'x').files;
    assert.deepEqual(
      [closed?.uri, closed?.missing, closed?.label],
      ['untitled:Untitled-1?x', true, first.label],
    );
    assert.deepEqual(closed?.hunks, first.hunks);
    assert.equal(withClosed(untitled, 'untitled:Untitled-2', 'x'), untitled);
    const fresh = { ...untitled, files: untitled.files.map((file) => ({ ...file, isNew: true })) };
    assert.deepEqual(withClosed(fresh, 'untitled:Untitled-1', 'x'), fresh);
  });

  it('creates a file again that is gone as it was created, and no other one', () => {
    const [first] = proposal.files;
    assert.ok(first);
    const fresh = toFileProposal({ ...first, isNew: true, before: '', after: 'b\n' });
    const created = withTextNow(fresh, 'b\n');
    const gone = withGone({ ...created, replacedBy: 'q' });
    assert.deepEqual(
      [gone.isNew, gone.created, gone.replacedBy, gone.hunks.map(({ state }) => state)],
      [true, undefined, 'q', ['open']],
    );
    assert.equal(withGone(withTextNow({ ...created, after: 'b' }, 'b\n')).isNew, true);
    const changed = withTextNow(created, 'b\nmine\n');
    assert.equal(withGone(changed), changed);
    assert.equal(withGone(first), first);
  });
});

describe('A created file that got its last line end when it was saved', () => {
  const fresh = toFileProposal({
    uri: 'file:///w/new.ts',
    label: 'new.ts',
    isNew: true,
    before: '',
    after: 'one\ntwo',
    asked: undefined,
    unplaced: [],
  });
  const saved = withTextNow(withTextNow(fresh, 'one\ntwo'), 'one\ntwo\n');
  const statesOf = ({ hunks }: typeof fresh) => hunks.map(({ state }) => state);

  it('is accepted again when its deletion in the editor is undone', () => {
    assert.deepEqual(statesOf(saved), ['accepted']);
    const gone = withGone(saved);
    assert.equal(gone.isNew, true);
    const back = withTextNow(gone, 'one\ntwo\n');
    assert.deepEqual([back.created, statesOf(back)], [true, ['accepted']]);
    assert.equal(withGone(back).isNew, true);
  });

  it('is under review with its changes when it is back with another text', () => {
    const back = withTextNow(withGone(saved), 'one\nthree\n');
    assert.deepEqual([back.created, statesOf(back)], [false, ['open']]);
  });
});
