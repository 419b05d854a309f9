import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TextChange } from '../../../../src/review/hunks/lineChanges.ts';
import type { ChangeReason } from '../../../../src/review/hunks/undoSteps.ts';
import { withTextNow } from '../../../../src/review/proposals/fileChanges.ts';
import {
  type Proposal,
  toFileProposal,
  withFile,
  withRejected,
  withReplaced,
} from '../../../../src/review/proposals/proposal.ts';
import {
  underReviewIn,
  withFileChanged,
  withFilesRenamed,
} from '../../../../src/review/proposals/proposalSet.ts';
import { isKnownStep, withChanges } from '../../../../src/review/proposals/proposalTextChanges.ts';
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

/** Without the lines that are the same at both ends. */
function changeBetween(from: string, to: string): TextChange {
  const isSame = (at: number) => from[at] === to[at] && at < Math.min(from.length, to.length);
  let head = 0;
  for (let at = 0; isSame(at); at++) if (from[at] === '\n') head = at + 1;
  let tail = 0;
  const most = Math.min(from.length, to.length) - head;
  while (tail < most && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1;
  return { offset: head, removed: from.length - head - tail, inserted: to.slice(head, to.length - tail) };
}

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

  describe('after undo and redo', () => {
    /** A change in a window that is open. */
    function go(all: readonly Proposal[], from: string, to: string, why: ChangeReason = 'edit') {
      const changes = [changeBetween(from, to)];
      return withFileChanged(
        all,
        URI,
        (file) => withChanges(file, changes, to, '\n', why),
        () => true,
        (file) => isKnownStep(file, changes, to, why),
      );
    }
    const reject = (all: readonly Proposal[]) =>
      all.map((one) => withFile(one, URI, (file) => withRejected(file, new Set(['0']))));
    /** Takes back what was accepted of the first proposals, as the command does. */
    function revert(all: readonly Proposal[], from: string, to: string, count = 1): readonly Proposal[] {
      const taken = planRevert(all.slice(0, count), () => ({ text: from })).files.flatMap(
        ({ files }) => files,
      );
      return go(all, from, to).map((one) => {
        const own = taken.find(({ proposalId }) => proposalId === one.id);
        const rejected = one.files[0]?.hunks.filter(({ state }) => state === 'rejected') ?? [];
        const ids = new Set(rejected.map(({ hunk }) => hunk.id));
        return own === undefined ? one : withFile(one, URI, () => withRejected(own.file, ids));
      });
    }

    it('have all hunks accepted that were reverted together, also an earlier one beside whose lines others were added', () => {
      const [before, first, both] = ['a\nb\n', 'a\nx\nb\n', 'a\ny\nx\nb\n'];
      const one = go([propose('first', before, first)], before, first);
      const all = go([...one, propose('second', first, both)], first, both);
      const [typed, without] = [`${both}c\n`, `${before}c\n`];
      const reverted = revert(go(all, both, typed), typed, without, 2);
      assert.deepEqual(states(reverted), [['open'], ['open']]);
      assert.deepEqual(states(go(reverted, without, typed, 'undo')), [['accepted'], ['accepted']]);
    });

    it('have a hunk accepted that was rejected after it was reverted, when undo brings its lines back', () => {
      const rejected = reject(revert(accepted, 'b\n', 'a\n'));
      assert.deepEqual(states(rejected), [['rejected']]);
      const undone = go(rejected, 'a\n', 'b\n', 'undo');
      assert.deepEqual(states(undone), [['accepted']]);
      assert.deepEqual(states(go(undone, 'b\n', 'a\n', 'redo')), [['rejected']]);
    });

    it('have a hunk open that is reverted after redo has accepted it, although it was rejected in that text before', () => {
      const redone = go(reject(go(accepted, 'b\n', 'a\n', 'undo')), 'a\n', 'b\n', 'redo');
      assert.deepEqual(states(redone), [['accepted']]);
      const reverted = revert(redone, 'b\n', 'a\n');
      assert.deepEqual(states(reverted), [['open']]);
      assert.deepEqual(states(go(reverted, 'a\n', 'b\n', 'undo')), [['accepted']]);
    });

    it('have a hunk open of an earlier one that was accepted after a later one, and is undone', () => {
      const [before, first, second, both] = ['a\n\n\nc\n', 'b\n\n\nc\n', 'a\n\n\nd\n', 'b\n\n\nd\n'];
      const made = go([propose('first', before, first)], before, first);
      const later = propose('second', first, both);
      const undone = go([...made, later], first, before, 'undo');
      const accepted = go(go(undone, before, second), second, both);
      assert.deepEqual(states(accepted), [['accepted'], ['accepted']]);
      assert.deepEqual(states(go(accepted, both, second, 'undo')), [['open'], ['accepted']]);
    });

    it('have a hunk accepted of one that was replaced, when its revert is undone, so that it can be reverted again', () => {
      const [before, one, both] = ['a\n\n\nc\n', 'b\n\n\nc\n', 'b\n\n\nd\n'];
      const first = go([propose('first', before, both)], before, one);
      const second = propose('second', one, 'b\n\n\ne\n');
      const replaced = [...first.map((proposal) => withReplaced(proposal, second)), second];
      assert.deepEqual(states(replaced), [['accepted', 'open'], ['open']]);
      const reverted = revert(replaced, one, before);
      assert.deepEqual(states(reverted)[0], ['open', 'open']);
      const undone = go(reverted, before, one, 'undo');
      assert.deepEqual(states(undone)[0], ['accepted', 'open']);
      assert.deepEqual(states(revert(undone, one, before))[0], ['open', 'open']);
      assert.deepEqual(states(go(undone, one, before, 'undo'))[0], ['open', 'open']);
    });

    it('have a hunk that can be reverted again when its revert is undone, although the line above it is another since it was followed', () => {
      const [before, first] = ['a\nb\nc\nd\n', 'a\nB1\nB2\nc\nd\n'];
      const both = first.replace('d', 'D');
      const one = go([propose('first', before, first)], before, first);
      const all = go([...one, propose('second', first, both)], first, both);
      const [typed, without] = [both.replace('a', 'A'), 'A\nb\nc\nD\n'];
      const undone = go(revert(go(all, both, typed), typed, without), without, typed, 'undo');
      assert.deepEqual(states(undone), [['accepted'], ['accepted']]);
      const { count, files } = planRevert(undone.slice(0, 1), () => ({ text: typed }));
      assert.deepEqual([count, files.map(({ next }) => next)], [1, [without]]);
    });
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
