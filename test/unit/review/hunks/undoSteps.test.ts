import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { withLineEnd } from '../../../../src/review/edits/editPlacement.ts';
import { type HunkState, toTextEdit } from '../../../../src/review/hunks/anchors.ts';
import type { ChangeReason } from '../../../../src/review/hunks/undoSteps.ts';
import type { FileProposal } from '../../../../src/review/proposals/proposal.ts';
import { withChanges } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { propose } from '../proposals.ts';
import { changedText } from '../texts.ts';

function type(
  file: FileProposal,
  offset: number,
  removed: number,
  inserted: string,
  reason: ChangeReason = 'edit',
): FileProposal {
  const text = file.text.slice(0, offset) + inserted + file.text.slice(offset + removed);
  return withChanges(file, [{ offset, removed, inserted }], text, undefined, reason);
}

/** A change that leads to this text. */
const to = (file: FileProposal, text: string, reason: ChangeReason): FileProposal =>
  type(file, 0, file.text.length, text, reason);

/** Types a text, one character after the other. */
const typeAll = (file: FileProposal, offset: number, text: string): FileProposal =>
  [...text].reduce((all, one, index) => type(all, offset + index, 0, one), file);

const states = (file: FileProposal) => file.hunks.map(({ state }) => state);

describe('A hunk that deletes one of several blank lines and is accepted', () => {
  const open = to(type(propose('\n', ''), 1, 0, '}\n'), '\n\n}\n', 'edit');
  const edit = open.hunks[0] && toTextEdit(open.hunks[0]);
  assert.ok(edit);
  const accepted = type(open, edit.from, edit.to - edit.from, edit.text);
  const typed = type(accepted, 1, 0, '\n');

  it('stays accepted when a blank line is typed and that is undone', () => {
    assert.deepEqual(states(open), ['open']);
    assert.deepEqual(states(accepted), ['accepted']);
    assert.deepEqual(states(type(typed, 1, 1, '', 'undo')), ['accepted']);
  });

  it('is in each text as it was there, however often all is undone and redone', () => {
    const steps = [
      ['\n}\n', 'undo', 'accepted'],
      ['\n\n}\n', 'undo', 'open'],
      ['\n}\n', 'undo', 'open'],
      ['\n', 'undo', 'open'],
      ['\n}\n', 'redo', 'open'],
      ['\n\n}\n', 'redo', 'open'],
      ['\n}\n', 'redo', 'accepted'],
      ['\n\n}\n', 'redo', typed.hunks[0]?.state],
    ] as const;
    let file = typed;
    for (const [text, reason, wanted] of [...steps, ...steps]) {
      file = to(file, text, reason);
      assert.deepEqual(states(file), [wanted], JSON.stringify([reason, text]));
    }
  });
});

describe('A hunk that adds a line equal to its neighbor and is accepted', () => {
  const open = to(propose('-', '-\n-'), '-\n', 'edit');
  const edit = open.hunks[0] && toTextEdit(open.hunks[0]);
  assert.ok(edit);
  const accepted = type(open, edit.from, edit.to - edit.from, edit.text);
  const [own] = accepted.hunks;
  assert.ok(own);

  it('stays accepted when the other line is deleted, and opens again when its own is', () => {
    assert.deepEqual([accepted.text, ...states(accepted)], ['-\n-\n', 'accepted']);
    const other = own.from === 0 ? 2 : 0;
    assert.deepEqual(states(type(accepted, other, 2, '')), ['accepted']);
    assert.deepEqual(states(type(accepted, own.from, 2, '')), ['open']);
    assert.deepEqual(states(type(accepted, other, 2, '', 'undo')), ['open']);
  });
});

describe('The hunks of a file after undo and redo', () => {
  const BEFORE = 'a\nfoo\nb\n';
  const file = propose(BEFORE, 'a\nbar\nb\n');
  const accepted = to(file, 'a\nbar\nb\n', 'edit');

  it('are those of the text, when several steps are undone or redone at once', () => {
    const gone = typeAll(to(accepted, '', 'edit'), 0, 'new words');
    const undone = to(gone, BEFORE, 'undo');
    assert.deepEqual(states(undone), ['open']);
    assert.deepEqual(states(to(undone, accepted.text, 'redo')), ['accepted']);
    const again = to(to(undone, gone.text, 'redo'), accepted.text, 'undo');
    assert.deepEqual(again.hunks, accepted.hunks);
    assert.deepEqual(states(to(again, BEFORE, 'undo')), ['open']);
  });

  it('are found again when what was undone is typed by hand', () => {
    const undone = type(file, 2, 3, '', 'undo');
    assert.deepEqual(states(undone), ['stale']);
    assert.deepEqual(states(typeAll(undone, 2, 'foo')), ['open']);
  });

  it('stay found when undo leads to a text in which they were lost', () => {
    const lost = to(file, 'A\nfoo\nb\n', 'edit');
    assert.deepEqual(states(lost), ['stale']);
    const found = type(lost, 0, 1, 'a');
    assert.deepEqual(states(found), ['open']);
    assert.deepEqual(states(type(found, 0, 1, 'A', 'undo')), ['open']);
  });

  it('are found again in a text of which nothing was kept, and after it', () => {
    const later = typeAll(file, BEFORE.length, 'x'.repeat(200));
    const undone = to(later, BEFORE, 'undo');
    assert.deepEqual(states(undone), ['open']);
    assert.deepEqual(states(to(to(undone, later.text, 'redo'), BEFORE, 'undo')), ['open']);
  });

  it('are kept for a limited number of texts', () => {
    let many = typeAll(file, 0, 'x'.repeat(200));
    const sizes = () => Object.values(many.steps).map((one) => one.length);
    assert.deepEqual(sizes(), [50, 0, 0]);
    // Texts that are not known, in both directions, and edits between.
    for (let at = 0; at < 200; at++) many = type(many, 0, 0, 'y', at % 2 === 0 ? 'undo' : 'redo');
    for (let at = 0; at < 200; at++) many = type(many, 0, 0, 'z', at % 3 === 0 ? 'edit' : 'undo');
    assert.ok(
      sizes().every((size) => size <= 50),
      `${sizes()}`,
    );
  });

  it('are as they were in each text, also when several steps are undone or redone at once', () => {
    const edits = fc.array(fc.tuple(fc.nat(200), fc.nat(6), fc.constantFrom('', 'x', '\n', 'y\nz', '}\n')), {
      minLength: 1,
      maxLength: 6,
    });
    const ways = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(changedText, edits, ways, (texts, typed, steps) => {
        let now = propose(withLineEnd(texts.before, '\n'), withLineEnd(texts.after, '\n'));
        const all = [now];
        for (const [at, count, inserted] of typed) {
          const offset = at % (now.text.length + 1);
          now = type(now, offset, Math.min(count, now.text.length - offset), inserted);
          if (now !== all.at(-1)) all.push(now);
        }
        let place = all.length - 1;
        for (const step of steps) {
          const wanted = Math.max(0, Math.min(all.length - 1, place + step));
          const passed = all.slice(Math.min(place, wanted), Math.max(place, wanted) + 1);
          const [target] = all.slice(wanted);
          // Of two equal texts on the way, it is the nearer one whose hunks are taken.
          if (target === undefined || passed.filter(({ text }) => text === target.text).length !== 1)
            continue;
          now = to(now, target.text, wanted < place ? 'undo' : 'redo');
          place = wanted;
          for (const [index, { state }] of now.hunks.entries()) {
            const then: HunkState | undefined = target.hunks[index]?.state;
            // What was lost may be found on the way back.
            assert.equal(then === 'stale' && state === 'open' ? then : state, then);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
