import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  type AnchoredHunk,
  anchorHunks,
  foldChanges,
  reanchorHunks,
  rejectHunk,
  toTextEdit,
} from '../../../../src/review/hunks/anchors.ts';
import { toHunks } from '../../../../src/review/hunks/hunks.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';
import { changedText } from '../texts.ts';

const BEFORE = 'a\nb\nc\nd\ne\n';
const AFTER = 'a\nB\nc\nD\ne\n';

interface Edited {
  readonly text: string;
  readonly anchored: readonly AnchoredHunk[];
}

const begin = (before = BEFORE, after = AFTER): Edited => ({
  text: before,
  anchored: anchorHunks(toHunks(before, after)),
});

function replace({ text, anchored }: Edited, offset: number, removed: number, inserted: string): Edited {
  const next = text.slice(0, offset) + inserted + text.slice(offset + removed);
  return { text: next, anchored: foldChanges(anchored, [{ offset, removed, inserted }], text, next) };
}

function accept(edited: Edited, index: number): Edited {
  const edit = edited.anchored[index] && toTextEdit(edited.anchored[index]);
  assert.ok(edit);
  return replace(edited, edit.from, edit.to - edit.from, edit.text);
}

/** All hunks in one event, the last change first, as the editor reports them. */
function acceptAll({ text, anchored }: Edited): Edited {
  const changes = anchored
    .flatMap((one) => toTextEdit(one) ?? [])
    .map(({ from, to, text: inserted }) => ({ offset: from, removed: to - from, inserted }))
    .reverse();
  const next = changes.reduce(
    (all, { offset, removed, inserted }) => all.slice(0, offset) + inserted + all.slice(offset + removed),
    text,
  );
  return { text: next, anchored: foldChanges(anchored, changes, text, next) };
}

/** The text that is found after a reload. */
const reloaded = ({ text, anchored }: Edited, later: string): Edited => ({
  text: later,
  anchored: reanchorHunks(anchored, text, later),
});

const states = ({ anchored }: Edited) => anchored.map(({ state }) => state);

describe('A hunk in a text that changes', () => {
  it('moves with edits above it, and not with edits below it', () => {
    const typed = replace(replace(begin(), 0, 0, 'new\n'), 14, 0, 'end\n');
    assert.deepEqual(states(typed), ['open', 'open']);
    assert.equal(accept(accept(typed, 1), 0).text, 'new\na\nB\nc\nD\ne\nend\n');
  });

  it('is accepted as one replacement, and open again after undo', () => {
    const accepted = accept(begin(), 0);
    assert.equal(accepted.text, 'a\nB\nc\nd\ne\n');
    assert.deepEqual(states(accepted), ['accepted', 'open']);
    const undone = replace(accepted, 2, 2, 'b\n');
    assert.equal(undone.text, BEFORE);
    assert.deepEqual(states(undone), ['open', 'open']);
    assert.deepEqual(states(accept(undone, 0)), ['accepted', 'open']);
  });

  it('is stale when its lines changed, and open again after undo', () => {
    const changed = replace(begin(), 3, 0, 'x');
    assert.deepEqual(states(changed), ['stale', 'open']);
    assert.equal(changed.anchored[0] && toTextEdit(changed.anchored[0]), undefined);
    assert.deepEqual(states(replace(changed, 3, 1, '')), ['open', 'open']);
  });

  it('is stale when the line above was joined with it', () => {
    assert.deepEqual(states(replace(begin(), 1, 1, '')), ['stale', 'open']);
  });

  it('stays accepted when the user continues to edit its lines', () => {
    assert.deepEqual(states(replace(accept(begin(), 0), 3, 0, 'more')), ['accepted', 'open']);
  });

  it('is accepted when the user typed the same text', () => {
    assert.deepEqual(states(replace(begin(), 2, 1, 'B')), ['accepted', 'open']);
  });

  it('can be opened, accepted, and undone when it only inserts lines', () => {
    const edited = begin('a\nb\n', 'a\nnew\nb\n');
    const accepted = accept(edited, 0);
    assert.equal(accepted.text, 'a\nnew\nb\n');
    assert.deepEqual(states(accepted), ['accepted']);
    assert.deepEqual(states(replace(accepted, 2, 4, '')), ['open']);
  });

  it('is stale when it only inserts lines and the line above is another one', () => {
    assert.deepEqual(states(replace(begin('a\nb\n', 'a\nnew\nb\n'), 0, 1, 'z')), ['stale']);
  });

  it('is accepted when it only inserts lines and another one inserts lines just above it at the same time', () => {
    for (const [before, after] of [
      ['a\nb\nc\n', 'a\nX\nb\nY\nc\n'],
      ['a\nb\n', 'new\na\nY\nb\n'],
      ['a\nb\nc\nd\n', 'a\nX\nb\nY\nc\nZ\nd\n'],
    ] as const) {
      const all = acceptAll(begin(before, after));
      assert.equal(all.text, after);
      assert.deepEqual(new Set(states(all)), new Set(['accepted']), after);
    }
  });

  it('is accepted when it deletes a last line without a line end, and another one inserts lines just above it', () => {
    const { text, anchored } = acceptAll(replace(begin('a\nb\nc\nd', 'a\nb\nX\nc\n'), 4, 2, ''));
    assert.equal(text, 'a\nb\nX\n');
    assert.deepEqual(states({ text, anchored }), ['accepted', 'accepted']);
  });

  it('opens again where its deleted lines were, below those that another one inserted at the same time', () => {
    const all = acceptAll(replace(begin('a\nb\nc\nd\ne\n', 'a\nb\nX\nc\ne\n'), 4, 2, ''));
    assert.equal(all.text, 'a\nb\nX\ne\n');
    assert.deepEqual(states(replace(all, 4, 0, 'd\n')), ['accepted', 'accepted']);
    assert.deepEqual(states(replace(all, 6, 0, 'd\n')), ['accepted', 'open']);
  });

  it('opens again at the end, below lines that another one inserted after it was accepted', () => {
    const deleted = accept(replace(begin('a\nb\nc\nd', 'a\nb\nX\nc\n'), 4, 2, ''), 1);
    const both = accept(deleted, 0);
    assert.equal(both.text, 'a\nb\nX\n');
    assert.deepEqual(states(replace(both, 6, 0, 'd')), ['accepted', 'open']);
  });

  it('stays before the first line while the user types', () => {
    const typed = replace(begin('a\n', 'new\na\n'), 0, 0, 'typed\n');
    assert.equal(accept(typed, 0).text, 'new\ntyped\na\n');
  });

  it('can be accepted and undone in an empty file', () => {
    const accepted = accept(begin('', 'all\nnew'), 0);
    assert.equal(accepted.text, 'all\nnew');
    assert.deepEqual(states(replace(accepted, 0, 7, '')), ['open']);
  });

  it('can be accepted and undone when it only deletes lines', () => {
    const accepted = accept(begin('a\nb\nc\n', 'a\nc\n'), 0);
    assert.equal(accepted.text, 'a\nc\n');
    assert.deepEqual(states(accepted), ['accepted']);
    assert.deepEqual(states(replace(accepted, 2, 0, 'b\n')), ['open']);
  });

  it('keeps a missing line end at the end of a file', () => {
    const accepted = accept(begin('a\nb', 'a\nB'), 0);
    assert.equal(accepted.text, 'a\nB');
    assert.deepEqual(states(accepted), ['accepted']);
  });

  it('stays rejected, whatever is typed', () => {
    const { text, anchored } = begin();
    const [first, ...rest] = anchored;
    assert.ok(first);
    const rejected = replace({ text, anchored: [rejectHunk(first), ...rest] }, 2, 0, 'x');
    assert.deepEqual(states(rejected), ['rejected', 'open']);
    assert.equal(rejected.anchored[0] && toTextEdit(rejected.anchored[0]), undefined);
  });

  it('is found again when a formatter has replaced the complete text', () => {
    const replaced = replace(begin(), 0, BEFORE.length, 'zero\na\nb\nc\nd\ne\n');
    assert.deepEqual(states(replaced), ['open', 'open']);
    assert.equal(accept(replaced, 1).text, 'zero\na\nb\nc\nD\ne\n');
  });

  it('is not moved to equal lines elsewhere', () => {
    const edited = begin('x\na\nb\nx\n', 'x\nnew\na\nb\nX\n');
    assert.deepEqual(states(replace(edited, 1, 3, '')), ['stale', 'open']);
  });

  it('is not moved to an equal line that comes to the same place', () => {
    const edited = begin('top\nxyz\na\na\n', 'top\nxyz\na\nnew\na\n');
    const typed = replace(edited, 4, 5, 'x\nz');
    assert.equal(typed.text, 'top\nx\nz\na\n');
    assert.deepEqual(states(typed), ['stale']);
  });

  it('is not moved to an equal line that was not changed, also if it is between equal lines', () => {
    const edited = begin('top\n\n-\n-\n-\n', 'top\n\n-\nnew\n-\n-\n');
    const typed = replace(edited, 0, 6, '\n');
    assert.equal(typed.text, '\n\n-\n-\n');
    assert.deepEqual(states(typed), ['stale']);
  });

  it('is not moved to equal lines that meet where others were deleted', () => {
    const edited = begin('}\n-\n+\n-\n+\n', '+\n-\n+\n');
    assert.deepEqual(states(replace(edited, 2, 4, '')), ['stale']);
  });

  it('stays open when Enter is pressed at the end of its last line', () => {
    const typed = replace(begin('a\nb\nc\n', 'a\nB\nc\n'), 3, 0, '\nx');
    assert.deepEqual(states(typed), ['open']);
    assert.equal(accept(typed, 0).text, 'a\nB\nx\nc\n');
  });

  it('stays open when the line below is deleted from the end of its last line', () => {
    const cut = replace(begin('a\nb\nc\nd\n', 'a\nB\nc\nd\n'), 3, 2, '');
    assert.deepEqual(states(cut), ['open']);
    assert.equal(accept(cut, 0).text, 'a\nB\nd\n');
  });

  it('is stale, but not lost, when the complete text was deleted', () => {
    assert.deepEqual(states(replace(begin(), 0, BEFORE.length, '')), ['stale', 'stale']);
  });

  it('is found again after a reload, in a text that changed in the meantime', () => {
    const accepted = accept(begin(), 0);
    const later = `top\n${accepted.text}`;
    const found = { text: later, anchored: reanchorHunks(accepted.anchored, accepted.text, later) };
    assert.deepEqual(states(found), ['accepted', 'open']);
    assert.equal(accept(found, 1).text, 'top\na\nB\nc\nD\ne\n');
  });

  it('is found again after a reload where it was, also if the lines below it are others', () => {
    assert.deepEqual(states(reloaded(begin('a\nb\nc\n', 'a\nB\nc\n'), 'a\nb\nz\n')), ['open']);
  });

  it('is not found again elsewhere after a reload if the line below it is another one', () => {
    assert.deepEqual(states(reloaded(begin('a\nb\nc1\n', 'a\nB\nc1\n'), 'top\na\nb\nc2\n')), ['stale']);
  });

  it('is accepted when its lines come together with others above and below them, such as from another window', () => {
    assert.deepEqual(states(replace(begin(), 0, 8, 'A\nx\nB\nD\n')), ['accepted', 'accepted']);
    assert.deepEqual(states(replace(begin('a\nb\n', 'a\nN\nb\n'), 2, 2, 'x\nN\ny\n')), ['accepted']);
  });

  it('is open again when its old lines come back together with others, and its own are gone', () => {
    const accepted = acceptAll(begin());
    assert.deepEqual(states(replace(accepted, 0, 8, 'A\nx\nb\nd\n')), ['open', 'open']);
    const shorter = accept(begin('a\nb\nc\n', 'a\nc\n'), 0);
    assert.deepEqual(states(replace(shorter, 2, 0, 'x\nb\n')), ['open']);
  });

  it('stays as it was when lines like its own come twice, or its other ones are still there', () => {
    const accepted = accept(begin('a\nb\nc\n', 'a\nB\nc\n'), 0);
    assert.deepEqual(states(replace(accepted, 0, 4, 'x\nb\nb\n')), ['accepted']);
    assert.deepEqual(states(replace(accepted, 2, 0, 'b\n')), ['accepted']);
    assert.deepEqual(states(replace(begin('a\nb\nc\n', 'a\nB\nc\n'), 4, 0, 'B\n')), ['open']);
  });

  it('stays as it was when it only adds or deletes a blank line or a bracket, which any other code has as well', () => {
    for (const line of ['', '}']) {
      const added = begin('a\nb\n', `a\n${line}\nb\n`);
      assert.deepEqual(states(replace(added, 2, 0, `one\n${line}\ntwo\n`)), ['open'], line);
      const deleted = accept(begin(`a\n${line}\nb\n`, 'a\nb\n'), 0);
      assert.deepEqual(states(replace(deleted, 2, 0, `one\n${line}\ntwo\n`)), ['accepted'], line);
    }
  });

  it('stays open when its new line comes above its blank line, and other text below', () => {
    const { text, anchored } = begin('\n', '}\n');
    const changes = [
      { offset: 1, removed: 0, inserted: 'x' },
      { offset: 0, removed: 0, inserted: '}\n' },
    ];
    assert.equal(foldChanges(anchored, changes, text, '}\n\nx')[0]?.state, 'open');
  });

  it('stays as it is when a line beside it that equals its own is replaced as by it', () => {
    const open = replace(begin('a\nb\n', 'a\nB\n'), 4, 0, 'b\n');
    assert.deepEqual(states(replace(open, 4, 2, 'B\n')), ['open']);
    const accepted = replace(accept(begin('a\nb\n', 'a\nB\n'), 0), 4, 0, 'B\n');
    assert.deepEqual(states(replace(accepted, 4, 2, 'b\n')), ['accepted']);
  });

  it('stays rejected when the line above it, which equals its own, is changed and comes back', () => {
    const edited = replace(begin('b\nc\n', 'b\nb\nc\n'), 0, 0, 'x');
    const rejected = { ...edited, anchored: edited.anchored.map(rejectHunk) };
    assert.deepEqual(states(replace(rejected, 0, 3, 'b\n')), ['rejected']);
  });

  it('stays rejected when a line like its own comes above the one below which it adds it', () => {
    const edited = replace(begin('b\n}\nc', 'b\n}\nb\nc'), 0, 2, 'x');
    const rejected = { ...edited, anchored: edited.anchored.map(rejectHunk) };
    assert.deepEqual(states(replace(rejected, 0, 3, 'b\n}\n')), ['rejected']);
  });

  it('is accepted alone when the lines of two hunks come once', () => {
    const two = begin('p\na\nm\nb\nc\n', 'p\nX\nm\nX\nc\n');
    assert.deepEqual(states(replace(two, 0, 8, 'p\nq\nX\nr\n')), ['accepted', 'stale']);
  });

  it('is followed in time in proportion to its lines when all of them come together with others', () => {
    const lines = (count: number, word: string) =>
      Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('');
    const follow = (count: number) => {
      const edited = begin(`top\n${lines(count, 'old')}end\n`, `top\n${lines(count, 'new')}end\n`);
      const text = `TOP\n${lines(count, 'new')}END\n`;
      return () => void replace(edited, 0, edited.text.length, text);
    };
    assert.ok(growthOf(follow, (run) => run(), 250) < LINEAR);
  });

  it('follows several changes of one event', () => {
    const { text, anchored } = begin();
    const changes = [
      { offset: 0, removed: 0, inserted: 'x\n' },
      { offset: 4, removed: 0, inserted: 'y\n' },
      { offset: text.length, removed: 0, inserted: 'z\n' },
    ];
    const next = 'x\na\nb\ny\nc\nd\ne\nz\n';
    assert.deepEqual(states({ text: next, anchored: foldChanges(anchored, changes, text, next) }), [
      'open',
      'open',
    ]);
  });

  it('stays stale when the lines of the hunk above it, which equal its deleted lines, are inserted at its place', () => {
    const edited = begin('\n/* q */\n}\n', '}\n\n}\n}');
    const emptied = replace(replace(replace(edited, 0, 5, ''), 3, 2, ''), 0, 4, '');
    assert.deepEqual(states(emptied), ['open', 'stale', 'stale']);
    const accepted = accept(emptied, 0);
    assert.deepEqual(
      [emptied.text, accepted.text, states(accepted)],
      ['', '}\n', ['accepted', 'stale', 'stale']],
    );
  });

  it('is never applied to other lines, whatever is typed', () => {
    const edits = fc.array(fc.tuple(fc.nat(200), fc.nat(6), fc.constantFrom('', 'x', '\n', 'y\nz', '}\n')), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(changedText, edits, ({ before, after }, typed) => {
        let edited = begin(before, after);
        for (const [at, count, inserted] of typed) {
          const offset = edited.text.length === 0 ? 0 : at % (edited.text.length + 1);
          edited = replace(edited, offset, Math.min(count, edited.text.length - offset), inserted);
        }
        for (const [index, { hunk, from, to, state }] of edited.anchored.entries()) {
          if (state !== 'open') continue;
          assert.equal(edited.text.slice(from, to), hunk.before);
          const next = accept(edited, index);
          assert.equal(next.text, edited.text.slice(0, from) + hunk.after + edited.text.slice(to));
          assert.equal(next.anchored[index]?.state, 'accepted');
          // Accepting one hunk doesn't change whether another one can be accepted.
          for (const [other, { state: was }] of edited.anchored.entries())
            if (other !== index) assert.equal(next.anchored[other]?.state === 'open', was === 'open');
        }
      }),
      { numRuns: 5000 },
    );
  });
});
