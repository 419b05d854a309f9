import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { toTextEdit } from '../../../../src/review/hunks/anchors.ts';
import { toLines } from '../../../../src/review/hunks/hunks.ts';
import type { TextChange } from '../../../../src/review/hunks/lineChanges.ts';
import type { ChangeReason } from '../../../../src/review/hunks/undoSteps.ts';
import {
  canStandBeside,
  isAsked,
  type Succession,
  withBeside,
} from '../../../../src/review/proposals/besideProposals.ts';
import {
  type FileProposal,
  type Proposal,
  withFile,
  withRejected,
  withReplaced,
} from '../../../../src/review/proposals/proposal.ts';
import { reviewsOfFile, withFileChanged } from '../../../../src/review/proposals/proposalSet.ts';
import { withChanges } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { propose } from '../proposals.ts';

const TEXT = 'one\ntwo\nthree\nfour\nfive\n';
const URI = propose('', 'a').uri;

const replacing = (from: string, to: string) => propose(TEXT, TEXT.replace(from, to));

const toProposal = (id: string, file: FileProposal): Proposal => ({
  id,
  turnId: id,
  conversationId: 'c',
  createdAt: 0,
  files: [file],
  trouble: undefined,
  revises: undefined,
});

const nothing: Succession = { replaces: () => false, askedIn: () => [] };

const add = (all: readonly Proposal[], id: string, file: FileProposal, by = nothing): readonly Proposal[] => {
  const fresh = toProposal(id, withBeside(file, all, by));
  return [...all.map((one) => withReplaced(one, fresh)), fresh];
};

describe('Two proposals of a file', () => {
  const canStand = (one: FileProposal, other: FileProposal) => {
    assert.equal(canStandBeside(one, other), canStandBeside(other, one));
    return canStandBeside(one, other);
  };

  it('stand beside each other when they change different lines, also adjacent ones', () => {
    assert.ok(canStand(replacing('two', 'TWO'), replacing('four', 'FOUR')));
    assert.ok(canStand(replacing('two', 'TWO'), replacing('three', 'THREE')));
  });

  it('don’t when they change the same line', () => {
    assert.ok(!canStand(replacing('two', 'TWO'), replacing('two', 'Two')));
  });

  it('stand beside each other when both add lines, also at the same place', () => {
    assert.ok(canStand(replacing('one\n', 'one\na\n'), replacing('one\n', 'one\nb\n')));
    assert.ok(canStand(replacing('one\n', 'a\none\n'), replacing('one\n', 'b\none\n')));
  });

  it('don’t when one changes the line below which the other one adds some, or lines around that place', () => {
    assert.ok(!canStand(replacing('two\n', 'two\na\n'), replacing('two', 'TWO')));
    assert.ok(!canStand(replacing('two\n', 'two\na\n'), replacing('two\nthree\n', '')));
    assert.ok(canStand(replacing('two\n', 'two\na\n'), replacing('three', 'THREE')));
  });

  it('stand beside each other when the hunk in the way was rejected', () => {
    const rejected = withRejected(replacing('two', 'TWO'), new Set(['0']));
    assert.ok(canStand(rejected, replacing('two', 'Two')));
  });

  it('don’t when the file is new, or the text isn’t the same', () => {
    const fresh = { ...replacing('two', 'TWO'), isNew: true };
    assert.ok(!canStand(fresh, replacing('four', 'FOUR')));
    assert.ok(!canStand({ ...replacing('two', 'TWO'), text: 'x' }, replacing('four', 'FOUR')));
  });
});

describe('The lines of a question', () => {
  const spanOf = (lines: string) => ({ from: TEXT.indexOf(lines), to: TEXT.indexOf(lines) + lines.length });

  it('have the hunks that change them, and those that add lines at their edges', () => {
    assert.ok(isAsked(replacing('two', 'TWO'), spanOf('two\nthree\n')));
    assert.ok(!isAsked(replacing('four', 'FOUR'), spanOf('two\nthree\n')));
    assert.ok(isAsked(replacing('two\n', 'a\ntwo\n'), spanOf('two\nthree\n')));
    assert.ok(isAsked(replacing('three\n', 'three\na\n'), spanOf('two\nthree\n')));
  });

  it('don’t have hunks that are decided', () => {
    assert.ok(!isAsked(withRejected(replacing('two', 'TWO'), new Set(['0'])), spanOf('two\n')));
  });
});

describe('A second proposal for a file', () => {
  const first = add([], 'first', replacing('two', 'TWO'));
  const shownIn = (all: readonly Proposal[]) => reviewsOfFile(all, URI).map(({ proposal }) => proposal.id);

  it('stays under review with the first one, whose hunks it leaves alone', () => {
    const both = add(first, 'second', replacing('four', 'FOUR'));
    assert.deepEqual(shownIn(both), ['first', 'second']);
    const third = add(both, 'third', replacing('five', 'FIVE'));
    assert.deepEqual(shownIn(third), ['first', 'second', 'third']);
  });

  it('replaces only the one that it meets', () => {
    const both = add(first, 'second', replacing('four', 'FOUR'));
    const all = add(both, 'third', replacing('four', 'Four'));
    assert.deepEqual(shownIn(all), ['first', 'third']);
    assert.equal(all[1]?.files[0]?.replacedBy, 'third');
  });

  it('replaces the one that has hunks in the lines of its question, or that it revises', () => {
    const from = TEXT.indexOf('two');
    const asked = { ...nothing, askedIn: () => [{ from, to: from + 10 }] };
    assert.deepEqual(shownIn(add(first, 'second', replacing('four', 'FOUR'), asked)), ['second']);
    const revising = { ...nothing, replaces: ({ id }: Proposal) => id === 'first' };
    assert.deepEqual(shownIn(add(first, 'second', replacing('four', 'FOUR'), revising)), ['second']);
  });

  it('replaces one beside which it stood before, when it is placed again and meets it now', () => {
    const again = { ...replacing('two', 'Two'), beside: ['first'] };
    assert.equal(withBeside(again, first, nothing).beside, undefined);
    assert.deepEqual(shownIn(add(first, 'second', again)), ['second']);
  });
});

/** A text of different lines, with changes of some of them: those of `left` in one proposal, the others in another one. */
const twoProposals = fc.record({
  lines: fc.array(
    fc.record({ change: fc.constantFrom('no', 'replace', 'delete', 'below'), left: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 8,
    },
  ),
  steps: fc.array(
    fc.record({
      do: fc.constantFrom('accept', 'accept', 'reject', 'undo', 'redo', 'type'),
      which: fc.nat(20),
    }),
    { maxLength: 12 },
  ),
});

interface Done {
  readonly back: TextChange;
  readonly on: TextChange;
}

const spliced = (text: string, { offset, removed, inserted }: TextChange) =>
  text.slice(0, offset) + inserted + text.slice(offset + removed);

describe('Proposals beside each other', () => {
  it('have their hunks accepted, rejected, undone, and redone each on its own, whatever is typed between', () => {
    fc.assert(
      fc.property(twoProposals, ({ lines, steps }) => {
        const text = lines.map((_, index) => `line ${index}\n`).join('');
        const changed = (left: boolean) =>
          lines
            .map((line, index) => {
              const old = `line ${index}\n`;
              if (line.left !== left || line.change === 'no') return old;
              if (line.change === 'delete') return '';
              return line.change === 'below' ? `${old}below ${index}\n` : `new ${index}\n`;
            })
            .join('');
        const [one, other] = [propose(text, changed(true)), propose(text, changed(false))];
        fc.pre(canStandBeside(one, other) && one.hunks.length > 0 && other.hunks.length > 0);
        run(text, add(add([], 'first', one), 'second', other), steps);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 1000) },
    );
  });
});

function run(
  start: string,
  proposals: readonly Proposal[],
  steps: readonly { readonly do: string; readonly which: number }[],
): void {
  let text = start;
  let all = proposals;
  const done: Done[] = [];
  const undone: Done[] = [];
  /** What must be true of each hunk, in the text of each step. */
  let wanted = new Map(namesIn(all).map((name) => [name, 'open']));
  const before: Map<string, string>[] = [];
  const after: Map<string, string>[] = [];

  const change = (one: TextChange, reason: ChangeReason) => {
    text = spliced(text, one);
    all = withFileChanged(
      all,
      URI,
      (file) => withChanges(file, [one], text, '\n', reason),
      () => true,
    );
  };
  const edit = (one: TextChange) => {
    const removed = text.slice(one.offset, one.offset + one.removed);
    done.push({ on: one, back: { offset: one.offset, removed: one.inserted.length, inserted: removed } });
    undone.length = 0;
    after.length = 0;
    before.push(wanted);
    change(one, 'edit');
  };
  /** A hunk that was rejected stays so in every step. */
  const rejected = (then: Map<string, string>) =>
    new Map(
      [...then].map(([name, state]) => [
        name,
        state === 'open' && wanted.get(name) === 'rejected' ? 'rejected' : state,
      ]),
    );

  for (const { do: what, which } of steps) {
    // A proposal whose hunks are all rejected no longer follows the text.
    all = all.filter(({ files }) =>
      files.some(({ hunks }) => hunks.some(({ state }) => state !== 'rejected')),
    );
    const hunks = hunksIn(all);
    const chosen = hunks[which % hunks.length];
    if (chosen === undefined) return;
    const { id, name, one } = chosen;
    if (what === 'accept') {
      const accepting = toTextEdit(one);
      assert.equal(accepting !== undefined, wanted.get(name) === 'open', name);
      if (accepting === undefined) continue;
      edit({ offset: accepting.from, removed: accepting.to - accepting.from, inserted: accepting.text });
      wanted = new Map([...wanted, [name, 'accepted']]);
    } else if (what === 'reject') {
      all = all.map((other) =>
        other.id === id ? withFile(other, URI, (file) => withRejected(file, new Set([one.hunk.id]))) : other,
      );
      if (wanted.get(name) === 'open') wanted = new Map([...wanted, [name, 'rejected']]);
    } else if (what === 'type') {
      edit({ offset: text.length, removed: 0, inserted: `typed ${done.length}\n` });
    } else {
      const [from, to] = what === 'undo' ? [done, undone] : [undone, done];
      const step = from.pop();
      if (step === undefined) continue;
      to.push(step);
      (what === 'undo' ? after : before).push(wanted);
      wanted = rejected((what === 'undo' ? before : after).pop() ?? wanted);
      change(what === 'undo' ? step.back : step.on, what === 'undo' ? 'undo' : 'redo');
    }
    for (const now of hunksIn(all)) {
      assert.equal(
        now.one.state,
        wanted.get(now.name),
        `${now.name} after ${what} in ${JSON.stringify(text)}`,
      );
      if (now.one.state === 'open')
        assert.equal(text.slice(now.one.from, now.one.to), now.one.hunk.before, now.name);
    }
    assertOnce(text);
  }
}

const hunksIn = (all: readonly Proposal[]) =>
  all.flatMap(({ id, files }) =>
    files.flatMap(({ hunks }) => hunks.map((one) => ({ id, name: `${id} ${one.hunk.id}`, one }))),
  );

const namesIn = (all: readonly Proposal[]) => hunksIn(all).map(({ name }) => name);

/** No line is there twice. */
function assertOnce(text: string): void {
  const lines = toLines(text);
  assert.equal(new Set(lines).size, lines.length, text);
}
