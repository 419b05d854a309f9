import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChangeReason } from '../../../../src/review/hunks/undoSteps.ts';
import { withTextNow } from '../../../../src/review/proposals/fileChanges.ts';
import {
  type Proposal,
  toFileProposal,
  withFile,
  withRejected,
} from '../../../../src/review/proposals/proposal.ts';
import {
  underReviewIn,
  withFileChanged,
  withFilesRenamed,
} from '../../../../src/review/proposals/proposalSet.ts';
import { withChanges } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { planRevert } from '../../../../src/review/proposals/revertPlan.ts';

const URI = 'file:///a';

const propose = (id: string, before: string, after: string): Proposal => ({
  id,
  turnId: id,
  conversationId: 'c',
  createdAt: 0,
  files: [
    toFileProposal({ uri: URI, label: 'a', isNew: false, before, after, asked: undefined, unplaced: [] }),
  ],
  trouble: undefined,
  revises: undefined,
});

/** Replaces the complete text, as accept and undo do in a file of one line. */
const change = (all: readonly Proposal[], from: string, to: string): readonly Proposal[] =>
  withFileChanged(
    all,
    URI,
    (file) => withChanges(file, [{ offset: 0, removed: from.length, inserted: to }], to),
    () => true,
  );

const states = (all: readonly Proposal[]) =>
  all.map(({ files }) => files.flatMap(({ hunks }) => hunks.map(({ state }) => state)));

describe('The proposals for a file', () => {
  const accepted = change([propose('first', 'a\n', 'b\n')], 'a\n', 'b\n');

  it('open an accepted one again when it is undone, although a later answer changed nothing', () => {
    const later = [...accepted, propose('second', 'b\n', 'b\n')];
    assert.deepEqual(states(change(later, 'b\n', 'a\n')), [['open'], []]);
  });

  it('open an accepted one again when it is undone, although a later one was rejected', () => {
    const second = withFile(propose('second', 'b\n', 'c\n'), URI, (file) =>
      withRejected(file, new Set(['0'])),
    );
    assert.deepEqual(states(change([...accepted, second], 'b\n', 'a\n')), [['open'], ['rejected']]);
  });

  it('follow an earlier accepted one again when the later one is undone', () => {
    const both = change([...accepted, propose('second', 'b\n', 'b\nc\n')], 'b\n', 'b\nc\n');
    const undone = change(both, 'b\nc\n', 'b\n');
    assert.deepEqual(
      undone.map(({ files }) => files[0]?.text),
      ['b\n', 'b\n'],
    );
    assert.deepEqual(states(undone), [['accepted'], ['open']]);
  });

  it('open an earlier accepted one that was reverted again when the undo of that is redone', () => {
    const texts = ['a\nb\n', 'A\nb\n', 'A\nB\n', 'a\nB\n'] as const;
    const [first, one, both, reverted] = texts;
    const to = (all: readonly Proposal[], from: string, text: string, reason: ChangeReason) =>
      withFileChanged(
        all,
        URI,
        (file) =>
          withChanges(file, [{ offset: 0, removed: from.length, inserted: text }], text, '\n', reason),
        () => true,
      );
    const accepted = to([propose('first', first, one)], first, one, 'edit');
    const all = to([...accepted, propose('second', one, both)], one, both, 'edit');
    const [taken] = planRevert(all.slice(0, 1), () => ({ text: both })).files.flatMap(({ files }) => files);
    assert.ok(taken);
    const back = to(all, both, reverted, 'edit').map((proposal) =>
      proposal.id === 'first' ? withFile(proposal, URI, () => taken.file) : proposal,
    );
    assert.deepEqual(states(back), [['open'], ['accepted']]);
    const undone = to(back, reverted, both, 'undo');
    assert.deepEqual(states(undone), [['accepted'], ['accepted']]);
    assert.deepEqual(states(to(undone, both, reverted, 'redo')), [['open'], ['accepted']]);
  });

  it('have at most one under review, also when the accept of an earlier one is undone', () => {
    const undone = change([...accepted, propose('second', 'b\n', 'b\nc\n')], 'b\n', 'a\n');
    assert.equal(states(undone)[0]?.[0], 'open');
    assert.deepEqual(
      underReviewIn(undone).map(({ proposal }) => proposal.id),
      ['second'],
    );
  });

  describe('with edits that have no place in it', () => {
    const edit = { find: 'b\n', replace: 'c\n' };
    const unplaced = (reason: 'file-missing' | 'not-there'): Proposal => ({
      ...propose('first', '', ''),
      files: [
        toFileProposal({
          ...{ uri: URI, label: 'a', before: '', after: '', asked: undefined },
          isNew: reason === 'file-missing',
          unplaced: [{ edit, reason }],
        }),
      ],
    });
    const open = (all: readonly Proposal[], text: string) =>
      withFileChanged(
        all,
        URI,
        (file) => withTextNow(file, text),
        () => true,
      );

    it('place them when it was missing and is back, or gets their lines later', () => {
      const back = open([unplaced('file-missing')], 'a\nb\n');
      assert.deepEqual([states(back), back[0]?.files[0]?.unplaced], [[['open']], []]);
      const empty = open([unplaced('file-missing')], '');
      assert.deepEqual(empty[0]?.files[0]?.unplaced, [{ edit, reason: 'not-there' }]);
      assert.deepEqual(states(open(empty, 'a\nb\n')), [['open']]);
      assert.deepEqual(states(open([unplaced('not-there')], 'a\nb\n')), [['open']]);
    });

    it('say why when they have no place in what is back, and leave the hunks of a later one alone', () => {
      const back = open([unplaced('file-missing')], 'b\na\nb\n');
      assert.deepEqual(back[0]?.files[0]?.unplaced, [{ edit, reason: 'several' }]);
      const later = propose('second', 'a\nb\n', 'a\nB\n');
      assert.deepEqual(states(open([unplaced('file-missing'), later], 'a\nb\n')), [[], ['open']]);
    });
  });

  describe('that replaces another file when it is renamed', () => {
    const other = (id: string, before: string, after: string): Proposal => {
      const { files, ...one } = propose(id, before, after);
      return { ...one, files: files.map((file) => ({ ...file, uri: 'file:///b', label: 'b' })) };
    };
    const ids = (all: readonly Proposal[]) =>
      underReviewIn(all).map(({ proposal, file }) => `${proposal.id} ${file.label}`);
    const renamed = (all: readonly Proposal[], isListed = (_: Proposal) => true) =>
      withFilesRenamed(all, { from: 'file:///b', to: URI, label: 'a' }, isListed);

    it('are those that came with it; those of the file that is gone can be reviewed again', () => {
      const all = renamed([other('came', 'x\n', 'y\n'), propose('gone', 'a\n', 'b\n')]);
      assert.deepEqual(ids(all), ['came a']);
      assert.deepEqual(
        all.map(({ files }) => files.map(({ replacedBy }) => replacedBy)),
        [[undefined], ['came']],
      );
      assert.equal(renamed(all)[1], all[1]);
      // The editor shows the other text before it reports the new name.
      const shown = change([other('came', 'x\n', 'y\n'), propose('gone', 'a\n', 'b\n')], 'a\n', 'x\n');
      assert.deepEqual(states(shown), [['open'], ['stale']]);
      assert.deepEqual(ids(renamed(shown)), ['came a']);
    });

    it('are all that came with it, and those of the other file if none did', () => {
      const [first, second] = [other('first', 'x\n', 'y\n'), other('second', 'x\n', 'x\nz\n')];
      const beside = withFile(second, 'file:///b', (file) => ({ ...file, beside: ['first'] }));
      assert.deepEqual(ids(renamed([first, propose('gone', 'a\n', 'b\n'), beside])), ['first a', 'second a']);
      const rejected = withFile(first, 'file:///b', (file) => withRejected(file, new Set(['0'])));
      assert.deepEqual(ids(renamed([rejected, propose('still', 'a\n', 'b\n')])), ['still a']);
    });

    it('are those that were there if they are for the same text, or if the conversation of the others was deleted', () => {
      const came = other('came', 'a\n', 'b\n');
      assert.deepEqual(ids(renamed([came, propose('since', 'a\n', 'c\n')])), ['since a']);
      const all = [other('came', 'x\n', 'y\n'), propose('there', 'a\n', 'b\n')];
      const isListed = ({ id }: Proposal) => id !== 'came';
      assert.deepEqual(ids(renamed(all, isListed).filter(isListed)), ['there a']);
    });

    it('stay as they are when its name stays the same', () => {
      const all = [propose('first', 'a\n', 'b\n'), propose('second', 'c\n', 'd\n')];
      const same = withFilesRenamed(all, { from: URI, to: URI, label: 'a' }, () => true);
      assert.deepEqual(
        same.map(({ files }) => files[0]?.replacedBy),
        [undefined, undefined],
      );
    });
  });
});
